package dev.constat.rules.reconcile;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.outbox.Acknowledgement;

/** Acknowledgements as cases.md writes them: by c1, neither applied nor not. */
final class Acks {

  private final String at;
  private final String effectKey;
  private String id;
  private String consumer = "c1";
  private Boolean applied;
  private String worker;
  private String replayId;

  private Acks(String at, String effectKey) {
    this.at = at;
    this.effectKey = effectKey;
    this.id = "a" + at;
  }

  static Acks at(String time, String effectKey) {
    return new Acks(time, effectKey);
  }

  Acks id(String value) {
    id = value;
    return this;
  }

  Acks by(String value) {
    consumer = value;
    return this;
  }

  Acks applied(Boolean value) {
    applied = value;
    return this;
  }

  Acks worker(String value) {
    worker = value;
    return this;
  }

  Acks replay(String value) {
    replayId = value;
    return this;
  }

  Acknowledgement get(String outboxId) {
    return new Acknowledgement(
        id,
        outboxId,
        consumer,
        Times.at(at),
        effectKey,
        applied,
        worker,
        replayId,
        null,
        null,
        Places.of(Input.ACKNOWLEDGEMENTS, id));
  }
}

package dev.constat.transforms.simulator;

import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.PriorityQueue;

/** A clock that goes from one appointment to the next; equal times in the order they were made. */
final class VirtualClock {

  private record Appointment(Instant time, long number, Runnable action) {}

  private final PriorityQueue<Appointment> appointments =
      new PriorityQueue<>(
          Comparator.comparing(Appointment::time).thenComparingLong(Appointment::number));
  private Instant now;
  private long made;

  VirtualClock(Instant start) {
    now = start;
  }

  Instant now() {
    return now;
  }

  /** Makes an appointment. */
  void at(Instant time, Runnable action) {
    if (time.isBefore(now)) {
      throw new IllegalArgumentException(time + " is over: it is " + now);
    }
    appointments.add(new Appointment(time, made++, action));
  }

  /** Makes an appointment in some time from now. */
  void after(Duration delay, Runnable action) {
    at(now.plus(delay), action);
  }

  /** Keeps all appointments up to a time, that included, and forgets the others. */
  void runUntil(Instant end) {
    while (!appointments.isEmpty() && !appointments.peek().time().isAfter(end)) {
      Appointment next = appointments.remove();
      now = next.time();
      next.action().run();
    }
    appointments.clear();
    now = end;
  }
}

package dev.constat.rules.plan;

/** The paths under which plans are counted. */
public final class PlanTally {

  /** Sum: events that would be published. */
  public static final String EVENTS = "plan events";

  /** Sum, by reason: what is withheld. */
  public static final String WITHHELD = "plan withheld";

  /** Sum: accepted events of the interval that no topic is known of. */
  public static final String WITHOUT_TOPIC = "plan without topic";

  /** Sum, by effect type and {@link Line}. */
  public static final String EFFECTS = "plan effects";

  /** Sum, by effect type and kind of finding: messages that would have to be sent. */
  public static final String MESSAGES = "plan messages";

  /** Sum, by effect type and kind of finding: messages that are withheld. */
  public static final String WITHHELD_MESSAGES = "plan withheld messages";

  private PlanTally() {}

  /** What is counted of an effect type over the events that would be published. */
  public enum Line {
    /** Events that would have it again. */
    EVENTS,
    /** Effects of these: one for each consumer that is configured. */
    PREDICTED,
    /** Events among them whose consumers are not configured. */
    CONSUMERS_UNKNOWN,
    /** Predicted effects that a consumer acknowledged before. */
    ACKNOWLEDGED,
    /** Events that have it, and would not have it again: the type is not replayable. */
    WITHHELD
  }
}

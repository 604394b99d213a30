package dev.constat.rules.explain;

/**
 * Why an event had, or had not, its effect of one type.
 *
 * @param type the effect type, or null where rows name none
 * @param had whether it had it
 * @param account why
 */
public record EffectAccount(String type, Had had, Account account) {

  /** Whether an event had its effect. */
  public enum Had {
    /** At every consumer that is known. */
    YES,
    /** At some, not at others. */
    PARTLY,
    NO,
    /** No entry of the run spec asks for it. */
    NOT_EXPECTED,
    /** The run could not tell. */
    NOT_KNOWN
  }
}

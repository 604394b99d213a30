package dev.constat.rules.redaction;

import dev.constat.rules.spec.RunSpec;
import java.io.Serializable;

/**
 * How a run is redacted: a key, and the names of its run spec that stay readable.
 *
 * @param key the key
 * @param names what stays readable
 */
public record Redaction(RedactionKey key, DisclosedNames names) implements Serializable {

  /** The redaction of a run. */
  public static Redaction of(RedactionKey key, RunSpec spec) {
    return new Redaction(key, DisclosedNames.of(spec));
  }

  /** One that serves one thread. */
  public Redactor redactor() {
    return new Redactor(this);
  }
}

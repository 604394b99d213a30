package dev.constat.pipelines.cli;

import dev.constat.rules.redaction.RedactionKey;
import java.util.regex.Pattern;
import picocli.CommandLine.Option;

/** The option that names the environment variable with the key under which values are hashed. */
final class RedactOption {

  private static final Pattern NAME = Pattern.compile("[A-Za-z_][A-Za-z0-9_]{0,127}");

  @Option(
      names = "--redact",
      paramLabel = "ENV_VAR",
      description =
          "Show keyed hashes in the place of ids, payloads and other values of records; the"
              + " environment variable holds the key, of at least 16 bytes.")
  private String variable;

  private final Environment environment;

  /** An option that looks into {@code environment}. */
  RedactOption(Environment environment) {
    this.environment = environment;
  }

  /** Whether it was given. */
  boolean given() {
    return variable != null;
  }

  /** The name of the variable. */
  String variable() {
    return variable;
  }

  /**
   * The key.
   *
   * @throws UsageException if there is none, or it is too short
   */
  RedactionKey key() {
    // Who gives the key itself by mistake finds it in no message.
    String key = NAME.matcher(variable).matches() ? environment.get(variable) : null;
    if (key == null) {
      throw new UsageException(
          "--redact names no environment variable that is set; put the key into one, and give its"
              + " name");
    }
    try {
      return RedactionKey.of(key);
    } catch (IllegalArgumentException e) {
      throw new UsageException(
          "the key in "
              + variable
              + " is shorter than "
              + RedactionKey.LEAST_BYTES
              + " bytes; take a longer one, say of 'openssl rand -hex 32'");
    }
  }
}

package dev.constat.rules.spec;

import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.util.DefaultIndenter;
import com.fasterxml.jackson.core.util.DefaultPrettyPrinter;
import java.io.IOException;

/** What {@code constat schema} prints: how a run spec looks, for editors and for people. */
public final class RunSpecSchema {

  private RunSpecSchema() {}

  /**
   * The JSON Schema (draft 2020-12) of a run spec. It refuses what has the wrong form; what only a
   * look at several keys, a calendar or the contract's columns can tell is left to the parser.
   */
  public static String json() {
    return RunSpecParser.DOCUMENT.schema();
  }

  /**
   * A run spec of events alone that gives every key its default and says what it is for. Keys
   * without a default are commented out, with an example.
   */
  public static String defaults() {
    RunSpec defaults =
        RunSpecParser.parse(
            "{constat: 1, archives: {events: {files: events/*.parquet}}}", "defaults", null);
    return new DefaultsText().write(RunSpecShape.RUN_SPEC, defaults);
  }

  /** Two spaces and plain line feeds on every machine. */
  static final class Printer extends DefaultPrettyPrinter {

    private static final long serialVersionUID = 1L;

    Printer() {
      DefaultIndenter indenter = new DefaultIndenter("  ", "\n");
      indentObjectsWith(indenter);
      indentArraysWith(indenter);
    }

    @Override
    public DefaultPrettyPrinter createInstance() {
      return new Printer();
    }

    @Override
    public void writeObjectFieldValueSeparator(JsonGenerator out) throws IOException {
      out.writeRaw(": ");
    }
  }
}

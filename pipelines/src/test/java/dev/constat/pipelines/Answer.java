package dev.constat.pipelines;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.constat.pipelines.cli.Main;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.Map;

/** What a command said, run in this process. */
record Answer(int exitCode, String out, String err) {

  /** Runs a command. */
  static Answer to(Object... args) {
    return to(System.getenv(), args);
  }

  /** Runs a command where these variables have these values. */
  static Answer to(Map<String, String> environment, Object... args) {
    String[] texts = new String[args.length];
    for (int i = 0; i < args.length; i++) {
      texts[i] = args[i].toString();
    }
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    ByteArrayOutputStream err = new ByteArrayOutputStream();
    int exitCode =
        Main.run(
            texts,
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            environment::get);
    return new Answer(exitCode, out.toString(UTF_8), err.toString(UTF_8));
  }
}

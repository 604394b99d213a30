package dev.constat.pipelines.fuzz;

import static dev.constat.pipelines.fuzz.Claims.holds;
import static dev.constat.pipelines.fuzz.Claims.same;

import dev.constat.pipelines.archive.ArchiveListing;
import dev.constat.pipelines.archive.ArchiveListingException;
import dev.constat.pipelines.archive.ArchiveReader;
import dev.constat.pipelines.archive.SplitPlanner;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.reading.RowBuilder;
import dev.constat.rules.spec.RunSpec;
import dev.constat.rules.spec.RunSpecOverrides;
import dev.constat.rules.spec.RunSpecParser;
import dev.constat.rules.spec.SpecException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/**
 * A run spec, and where it is one, what follows from it: arguments that take the place of what it
 * says, the listing of its files, and the reading of a record by its columns.
 */
final class RunSpecTarget {

  private static final String FILE = "constat.yaml";
  private static final Scratch RECORD = new Scratch("record.jsonl");
  private static final byte[] LINE =
      "{\"ingestion_id\":\"i\",\"a\":{\"b\":[1,\"2026-01-05T10:00:00Z\",{}]},\"source\":null}\n"
          .getBytes(StandardCharsets.UTF_8);

  private RunSpecTarget() {}

  /** Tries one input. */
  public static void fuzzerTestOneInput(byte[] input) throws IOException {
    String text;
    try {
      text = StandardCharsets.UTF_8.newDecoder().decode(ByteBuffer.wrap(input)).toString();
    } catch (CharacterCodingException e) {
      return;
    }
    override(text);
    RunSpec spec;
    try {
      spec = RunSpecParser.parse(text, FILE, "name");
    } catch (SpecException e) {
      Refusals.explain(e, text, FILE, again -> RunSpecParser.parse(again, FILE, "name"));
      return;
    }
    same("a run spec read twice", spec, RunSpecParser.parse(text, FILE, "name"));
    for (Map.Entry<Input, RunSpec.Archive> archive : spec.archives().entrySet()) {
      list(archive.getKey(), archive.getValue());
      if (!hasFittingConstants(spec, archive.getKey())) {
        continue;
      }
      Heard heard =
          Heard.of(
              RECORD.with(archive.getKey(), LINE),
              spec.layout(archive.getKey()),
              archive.getValue(),
              SplitPlanner.create(),
              ArchiveReader.create());
      same("records and refusals of one line", 1, heard.records.size() + heard.wholes.size());
    }
  }

  private static boolean hasFittingConstants(RunSpec spec, Input input) {
    try {
      RowBuilder.checkConstants(spec.layout(input), spec.archives().get(input));
      return true;
    } catch (IllegalArgumentException e) {
      holds(e.getMessage().startsWith("constants of " + input.key()), "names no input", e);
      return false;
    }
  }

  /** Arguments are texts of the user too. */
  private static void override(String text) {
    RunSpec plain =
        RunSpecParser.parse("constat: 1\narchives: {events: {files: e}}\n", FILE, "name");
    for (RunSpecOverrides overrides :
        new RunSpecOverrides[] {
          new RunSpecOverrides(text, null, null, null),
          new RunSpecOverrides(null, text, "2026-01-05T10:00:00Z", null),
          new RunSpecOverrides(null, null, null, text)
        }) {
      try {
        holds(overrides.applyTo(plain) != null, "nothing came of", overrides);
      } catch (SpecException e) {
        holds(e.getMessage().startsWith("--"), "does not name the option", e.getMessage());
      }
    }
  }

  /** Lists what patterns match in an empty folder, if they stay in it. */
  private static void list(Input input, RunSpec.Archive archive) throws IOException {
    if (archive.files().stream().anyMatch(p -> p.startsWith("/") || p.contains(".."))) {
      return;
    }
    Path folder = Empty.FOLDER;
    try {
      same("files", 0, ArchiveListing.of(input, archive, folder).files().size());
    } catch (ArchiveListingException e) {
      holds(!e.getMessage().isBlank(), "says nothing", e);
    }
  }

  private static final class Empty {

    private static final Path FOLDER = create();

    private static Path create() {
      try {
        Path folder = Files.createTempDirectory("constat-fuzz-empty");
        folder.toFile().deleteOnExit();
        return folder;
      } catch (IOException e) {
        throw new ExceptionInInitializerError(e);
      }
    }
  }
}

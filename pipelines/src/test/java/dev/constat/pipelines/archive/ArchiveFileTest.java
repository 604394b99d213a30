package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Layout;
import dev.constat.rules.envelope.Row;
import dev.constat.rules.reading.RowSink;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.ObjectInputStream;
import java.io.ObjectOutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArchiveFileTest {

  private static final Layout LAYOUT = Layout.of(Input.EVENTS, List.of());

  @TempDir private Path folder;
  private Path path;
  private ArchiveFile file;
  private final Reading reading = Reading.events();

  @BeforeEach
  void write() throws IOException {
    path = folder.resolve("events.jsonl");
    Files.writeString(path, "{}\n");
    file = ArchiveFile.of(Input.EVENTS, 0, "events.jsonl", path);
  }

  private void assertNothingReadsIt() {
    Split split = new Split(file, Split.Kind.LINES, 0, 0, 3, 0);
    for (ThrowingCallable reader :
        List.<ThrowingCallable>of(
            () -> SplitPlanner.create().plan(file, LAYOUT, reading.archive("x"), reading),
            () -> ArchiveReader.create().read(split, LAYOUT, reading.archive("x"), reading),
            () ->
                PayloadReader.read(
                    split, reading.archive("x"), reading.limits(), List.of(), (p, v) -> {}),
            () -> FileDigest.sha256(file))) {
      assertThatThrownBy(reader)
          .isInstanceOf(ArchiveChangedException.class)
          .hasMessageStartingWith("events.jsonl ");
    }
  }

  @Test
  void aFileThatGrewIsAnother() throws IOException {
    FileTime modified = Files.getLastModifiedTime(path);
    Files.writeString(path, "{}\n{}\n");
    Files.setLastModifiedTime(path, modified);

    assertNothingReadsIt();
  }

  @Test
  void aFileThatWasWrittenAgainIsAnother() throws IOException {
    Files.setLastModifiedTime(path, FileTime.fromMillis(1));

    assertNothingReadsIt();
  }

  @Test
  void aFileThatIsGoneIsAnother() throws IOException {
    Files.delete(path);

    assertNothingReadsIt();
  }

  @ParameterizedTest
  @ValueSource(strings = {"truncated", "removed", "replaced", "overwritten", "appended", "touched"})
  void aFileThatChangesWhileItsRecordsArePassedOnIsAnother(String change) throws IOException {
    String time = "2026-01-05T10:00:00Z";
    Files.writeString(
        path,
        "{\"ingestion_id\":\"1\",\"source\":\"s\",\"occurred_at\":\"%s\",\"received_at\":\"%s\"}\n"
            .formatted(time, time)
            .repeat(50_000));
    file = ArchiveFile.of(Input.EVENTS, 0, "events.jsonl", path);
    Split split = new Split(file, Split.Kind.LINES, 0, 0, file.size(), 0);
    FileTime modified = Files.getLastModifiedTime(path);
    RowSink changing =
        new RowsOnly() {
          private boolean changed;

          @Override
          public void row(Row row) {
            if (!changed) {
              changed = true;
              try {
                change(change, modified);
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            }
          }
        };

    assertThatThrownBy(
            () -> ArchiveReader.create().read(split, LAYOUT, reading.archive("x"), changing))
        .isInstanceOf(ArchiveChangedException.class)
        .hasMessageStartingWith("events.jsonl ");
    assertThat(Files.exists(path)).isEqualTo(!change.equals("removed"));
  }

  private void change(String change, FileTime modified) throws IOException {
    switch (change) {
      case "truncated" -> Files.writeString(path, "{}\n");
      case "removed" -> Files.delete(path);
      case "replaced" -> {
        Path other = Files.copy(path, path.resolveSibling("other"));
        Files.setLastModifiedTime(other, modified);
        Files.move(other, path, StandardCopyOption.ATOMIC_MOVE);
      }
      case "overwritten" -> {
        Files.write(path, new byte[] {' '}, StandardOpenOption.WRITE);
        Files.setLastModifiedTime(path, modified);
      }
      case "appended" -> Files.writeString(path, "{}\n", StandardOpenOption.APPEND);
      default -> Files.setLastModifiedTime(path, FileTime.fromMillis(1));
    }
  }

  /** The memory of a process is a regular file whose beginning not even its owner can read. */
  @Test
  void aFileThatTheSystemRefusesToReadIsNamed() throws IOException {
    ArchiveFile refused = ArchiveFile.of(Input.EVENTS, 0, "events/mem", Path.of("/proc/self/mem"));
    Split lines = new Split(refused, Split.Kind.LINES, 0, 0, 10, 0);
    Reading reading = Reading.events();
    List<ThrowingCallable> ways =
        List.of(
            () -> SplitPlanner.create().plan(refused, LAYOUT, reading.archive("x"), reading),
            () -> ArchiveReader.create().read(lines, LAYOUT, reading.archive("x"), reading),
            () -> FileDigest.sha256(refused));

    assertThat(ways)
        .allSatisfy(
            way ->
                assertThatThrownBy(way)
                    .isInstanceOf(ArchiveUnreadableException.class)
                    .hasMessageStartingWith("events/mem cannot be read: ")
                    .hasMessageEndingWith("mend the disk or the permissions, and run again"));
    assertThat(reading.unreadable).isEmpty();
  }

  @Test
  void itsDigestIsThatOfItsBytes() throws IOException {
    Files.writeString(path, "abc");
    file = ArchiveFile.of(Input.EVENTS, 0, "events.jsonl", path);

    assertThat(FileDigest.sha256(file))
        .isEqualTo("ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad");
  }

  @Test
  void splitsTravel() throws Exception {
    Split split = Split.digest(file);
    ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    try (ObjectOutputStream out = new ObjectOutputStream(bytes)) {
      out.writeObject(split);
    }

    try (ObjectInputStream in =
        new ObjectInputStream(new ByteArrayInputStream(bytes.toByteArray()))) {
      assertThat(in.readObject()).isEqualTo(split);
    }
  }
}

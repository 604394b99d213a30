package dev.constat.pipelines.explain;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableList;
import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;

/**
 * Picks the findings that concern an event out of a run's: by their subject, of which only names
 * are looked at until one is of interest.
 */
final class ConcerningFindings {

  /** How many are shown. */
  static final int LIMIT = 200;

  /** A cell by what findings call it; the start is text, or null. */
  record CellName(String projection, String version, String businessKey, String windowStart) {}

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final byte[] SUBJECT = "\"subject\":".getBytes(UTF_8);
  private static final byte[] REASON = ",\"reason\":".getBytes(UTF_8);

  private final String source;
  private final String id;
  private final Set<String> chain = new HashSet<>();
  private final Set<String> ingestionIds = new HashSet<>();
  private final Set<String> outboxIds = new HashSet<>();
  private final Set<String> ackIds = new HashSet<>();
  private final Set<String> replayIds = new HashSet<>();
  private final Set<String> schemaVersions = new HashSet<>();
  private final Set<CellName> cells = new HashSet<>();
  private final Set<String> names = new HashSet<>();

  ConcerningFindings(String source, String id) {
    this.source = source;
    this.id = id;
    names.add(id);
    names.add("schema_version");
  }

  void chain(String other) {
    add(chain, other);
  }

  void ingestionId(String ingestionId) {
    add(ingestionIds, ingestionId);
  }

  void outboxId(String outboxId) {
    add(outboxIds, outboxId);
  }

  void ackId(String ackId) {
    add(ackIds, ackId);
  }

  void replayId(String replayId) {
    add(replayIds, replayId);
  }

  /** A schema version that a reception of it has, or null for none. */
  void schemaVersion(String version) {
    schemaVersions.add(version);
  }

  void cell(CellName cell) {
    cells.add(cell);
    names.add(cell.businessKey());
  }

  private void add(Set<String> to, String name) {
    if (name != null) {
      to.add(name);
      names.add(name);
    }
  }

  /**
   * Those of a file, in its order; at most {@link #LIMIT}.
   *
   * @throws BrokenRunException if it is no such file
   */
  ImmutableList<JsonNode> in(Path file) throws IOException {
    ImmutableList.Builder<JsonNode> found = ImmutableList.builder();
    int count = 0;
    try (InputStream in = new BufferedInputStream(Files.newInputStream(file), 1 << 20)) {
      Line line = new Line();
      while (count < LIMIT && line.read(in)) {
        if (line.mayConcern(names)) {
          JsonNode finding = JSON.readTree(line.text());
          if (concerns(finding.path("kind").asText(), finding.path("subject"))) {
            found.add(finding);
            count++;
          }
        }
      }
    } catch (JsonProcessingException e) {
      throw new BrokenRunException(file + " is not what a run writes; run again to replace it", e);
    }
    return found.build();
  }

  private boolean concerns(String kind, JsonNode subject) {
    String ofSource = subject.path("source").textValue();
    String ofId = subject.path("source_event_id").textValue();
    if (source.equals(ofSource) && ofId != null) {
      return id.equals(ofId)
          || chain.contains(ofId)
              && (kind.startsWith("CORRECTION_") || kind.equals("BROKEN_CHAIN"));
    }
    if (subject.has("projection")) {
      return cells.contains(
          new CellName(
              subject.path("projection").textValue(),
              subject.path("version").textValue(),
              subject.path("business_key").textValue(),
              subject.path("window_start").textValue()));
    }
    if (source.equals(ofSource) && subject.has("schema_version")) {
      return schemaVersions.contains(subject.path("schema_version").textValue());
    }
    if (subject.has("outbox_id")) {
      return has(outboxIds, subject, "outbox_id");
    }
    for (JsonNode replay : subject.path("replay_ids")) {
      if (replayIds.contains(replay.textValue())) {
        return true;
      }
    }
    return has(ingestionIds, subject, "ingestion_id")
        || has(ackIds, subject, "ack_id")
        || has(replayIds, subject, "replay_id");
  }

  private static boolean has(Set<String> ids, JsonNode subject, String column) {
    return ids.contains(Objects.requireNonNullElse(subject.path(column).textValue(), ""));
  }

  /** One line of the file. */
  private static final class Line {

    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream(4096);
    private byte[] line = new byte[0];

    boolean read(InputStream in) throws IOException {
      bytes.reset();
      int b = in.read();
      if (b < 0) {
        return false;
      }
      while (b >= 0 && b != '\n') {
        bytes.write(b);
        b = in.read();
      }
      line = bytes.toByteArray();
      return true;
    }

    String text() {
      return new String(line, UTF_8);
    }

    /** Whether the subject has one of some names, or one that is not written plainly. */
    boolean mayConcern(Set<String> names) {
      int from = indexOf(SUBJECT, 0);
      int to = from < 0 ? -1 : indexOf(REASON, from);
      if (to < 0) {
        return true;
      }
      int begin = -1;
      for (int i = from + SUBJECT.length; i < to; i++) {
        if (line[i] == '\\') {
          return true;
        }
        if (line[i] == '"') {
          if (begin < 0) {
            begin = i + 1;
          } else {
            if (names.contains(new String(line, begin, i - begin, UTF_8))) {
              return true;
            }
            begin = -1;
          }
        }
      }
      return false;
    }

    private int indexOf(byte[] part, int from) {
      for (int i = from; i <= line.length - part.length; i++) {
        int j = 0;
        while (j < part.length && line[i + j] == part[j]) {
          j++;
        }
        if (j == part.length) {
          return i;
        }
      }
      return -1;
    }
  }
}

package dev.constat.pipelines.score;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.hash.HashCode;
import com.google.common.hash.Hashing;
import dev.constat.rules.json.CanonicalJson;
import dev.constat.rules.json.MalformedJsonException;
import dev.constat.rules.json.StrictJson;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;

/** Reads kind and subject of every line of a file of findings, or of the truth. */
final class FindingKeys {

  private static final ObjectMapper JSON = new ObjectMapper();
  private static final int DIGEST = 16;

  private FindingKeys() {}

  /**
   * A kind and a subject.
   *
   * @param subject canonical JSON text
   */
  record Key(String kind, String subject) {

    /** Equal for equal keys, and short: 16 bytes. */
    HashCode digest() {
      byte[] whole =
          Hashing.sha256().hashString(kind + "\n" + subject, StandardCharsets.UTF_8).asBytes();
      return HashCode.fromBytes(Arrays.copyOf(whole, DIGEST));
    }
  }

  /** Takes keys in the order of the file. */
  interface Sink {
    void take(Key key);
  }

  /**
   * Reads a file.
   *
   * @throws ScoreInputException if a line is not a finding
   */
  static void read(Path file, Sink sink) throws IOException {
    long number = 0;
    try (BufferedReader lines = Files.newBufferedReader(file, StandardCharsets.UTF_8)) {
      String line = lines.readLine();
      while (line != null) {
        number++;
        if (!line.isBlank()) {
          sink.take(key(line, file, number));
        }
        line = lines.readLine();
      }
    } catch (NoSuchFileException e) {
      throw new ScoreInputException(
          file + " does not exist; name the truth.jsonl of the archive that the run judged");
    } catch (CharacterCodingException e) {
      throw new ScoreInputException(
          "%s:%s: not UTF-8; name a truth.jsonl as 'constat generate' writes it"
              .formatted(file, number + 1));
    }
  }

  private static Key key(String line, Path file, long number) {
    JsonNode json;
    try {
      json = JSON.readTree(line);
    } catch (JsonProcessingException e) {
      throw noFinding(file, number, "it is not JSON");
    }
    String kind = json.path("kind").textValue();
    JsonNode subject = json.path("subject");
    if (kind == null || !subject.isObject()) {
      throw noFinding(file, number, "it lacks " + (kind == null ? "a kind" : "a subject"));
    }
    try {
      return new Key(
          kind,
          CanonicalJson.text(
              StrictJson.parse(subject.toString().getBytes(StandardCharsets.UTF_8))));
    } catch (MalformedJsonException e) {
      throw noFinding(file, number, "its subject is " + e.getMessage());
    }
  }

  private static ScoreInputException noFinding(Path file, long number, String why) {
    return new ScoreInputException(
        "%s:%s: this line is no finding: %s; name a truth.jsonl as 'constat generate' writes it"
            .formatted(file, number, why));
  }
}

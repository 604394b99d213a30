package dev.constat.pipelines.score;

import com.google.common.hash.HashCode;
import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * How well the findings of a run are those that were planted, kind by kind. A finding is one of
 * them if kind and subject are. Both files are read once; of each finding planted 16 bytes are
 * kept, and the truth is read again only to name what was missed.
 */
public final class Score {

  /** So many of the findings missed, and of those nobody planted, are named of a kind. */
  static final int NAMED = 5;

  /**
   * The score of one kind.
   *
   * @param planted how many findings there should be
   * @param found how many there are
   * @param right how many of those were planted
   * @param missed subjects of some that are not there
   * @param unexpected subjects of some that nobody planted
   */
  public record OfKind(
      String kind,
      long planted,
      long found,
      long right,
      List<String> missed,
      List<String> unexpected) {

    /** Share of the findings that were planted; 1 where there is none. */
    public double precision() {
      return found == 0 ? 1 : (double) right / found;
    }

    /** Share of what was planted that was found; 1 where nothing was planted. */
    public double recall() {
      return planted == 0 ? 1 : (double) right / planted;
    }

    /** Whether exactly what was planted was found. */
    public boolean perfect() {
      return right == planted && right == found;
    }
  }

  /** The sums of one kind while it is read. */
  private static final class Sums {

    /** What was planted and is not found yet. */
    private final Set<HashCode> open = new HashSet<>();

    private final List<String> missed = new ArrayList<>();
    private final List<String> unexpected = new ArrayList<>();
    private long planted;
    private long found;
  }

  private final Map<String, Sums> byKind = new TreeMap<>();
  private final Path findings;
  private final Path truth;

  private Score(Path findings, Path truth) {
    this.findings = findings;
    this.truth = truth;
  }

  /**
   * Scores findings.
   *
   * @param findings a {@code findings.jsonl}
   * @param truth a {@code truth.jsonl}
   * @return a score per kind that was planted or found, by name
   * @throws ScoreInputException if one of the files is not what it should be
   */
  public static List<OfKind> of(Path findings, Path truth) throws IOException {
    return new Score(findings, truth).run();
  }

  private List<OfKind> run() throws IOException {
    FindingKeys.read(
        truth,
        key -> {
          Sums sums = sums(key.kind());
          if (sums.open.add(key.digest())) {
            sums.planted++;
          }
        });
    FindingKeys.read(findings, this::found);
    if (byKind.values().stream().anyMatch(sums -> !sums.open.isEmpty())) {
      nameMissed();
    }
    List<OfKind> scores = new ArrayList<>();
    byKind.forEach(
        (kind, sums) ->
            scores.add(
                new OfKind(
                    kind,
                    sums.planted,
                    sums.found,
                    sums.planted - sums.open.size(),
                    sums.missed,
                    sums.unexpected)));
    return scores;
  }

  private Sums sums(String kind) {
    return byKind.computeIfAbsent(kind, key -> new Sums());
  }

  private void found(FindingKeys.Key key) {
    Sums sums = sums(key.kind());
    HashCode digest = key.digest();
    sums.found++;
    if (!sums.open.remove(digest) && sums.unexpected.size() < NAMED) {
      sums.unexpected.add(key.subject());
    }
  }

  private void nameMissed() throws IOException {
    Map<String, Set<HashCode>> named = new HashMap<>();
    FindingKeys.read(
        truth,
        key -> {
          Sums sums = sums(key.kind());
          HashCode digest = key.digest();
          if (sums.missed.size() < NAMED
              && sums.open.contains(digest)
              && named.computeIfAbsent(key.kind(), kind -> new HashSet<>()).add(digest)) {
            sums.missed.add(key.subject());
          }
        });
  }
}

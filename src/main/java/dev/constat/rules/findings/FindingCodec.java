package dev.constat.rules.findings;

import com.google.common.collect.ImmutableList;
import com.google.common.collect.ImmutableSortedSet;
import dev.constat.rules.disclosure.Sentence;
import dev.constat.rules.encoding.KeyReader;
import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.envelope.Place;
import java.time.Instant;

/**
 * Findings as bytes. The bytes of a finding begin with its {@link #sortKey}, so unsigned comparison
 * of whole encodings sorts findings as reports list them: by level, kind, subject; parts of one
 * finding stand together. Equal findings have equal bytes.
 */
public final class FindingCodec {

  private static final Level[] LEVELS = Level.values();

  private FindingCodec() {}

  /** Level, name of the kind, subject: what findings are sorted and merged by. */
  public static byte[] sortKey(Finding finding) {
    KeyWriter out = new KeyWriter();
    writeSortKey(finding, out);
    return out.toBytes();
  }

  /** All of a finding. */
  public static byte[] encode(Finding finding) {
    KeyWriter out = new KeyWriter();
    writeSortKey(finding, out);
    out.bytes(finding.sentence().toBytes())
        .text(finding.expected())
        .text(finding.actual())
        .text(finding.rule())
        .unsigned(finding.evidence().size());
    for (Place place : finding.evidence()) {
      place.write(out);
    }
    out.nullableInstant(finding.firstAt())
        .nullableInstant(finding.lastAt())
        .unsigned(finding.hints().size());
    finding.hints().forEach(out::text);
    out.signed(finding.occurrences());
    return out.toBytes();
  }

  /** Reads what {@link #encode} wrote. */
  public static Finding decode(byte[] bytes) {
    KeyReader in = new KeyReader(bytes);
    Level level = LEVELS[in.octet()];
    Kind kind = Kind.valueOf(in.text());
    String subject = in.text();
    Sentence sentence = Sentence.read(in.bytes());
    String expected = in.text();
    String actual = in.text();
    String rule = in.text();
    ImmutableList.Builder<Place> evidence = ImmutableList.builder();
    for (long left = in.unsigned(); left > 0; left--) {
      evidence.add(Place.read(in));
    }
    Instant firstAt = in.nullableInstant();
    Instant lastAt = in.nullableInstant();
    ImmutableSortedSet.Builder<String> hints = ImmutableSortedSet.naturalOrder();
    for (long left = in.unsigned(); left > 0; left--) {
      hints.add(in.text());
    }
    return new Finding(
        kind,
        level,
        subject,
        sentence,
        expected,
        actual,
        rule,
        evidence.build(),
        firstAt,
        lastAt,
        hints.build(),
        in.signed());
  }

  private static void writeSortKey(Finding finding, KeyWriter out) {
    out.octet(finding.level().ordinal()) // levels are declared gravest first
        .text(finding.kind().name())
        .text(finding.subject());
  }
}

package dev.constat.transforms.scan;

import static org.assertj.core.api.Assertions.assertThat;

import dev.constat.rules.encoding.KeyWriter;
import dev.constat.rules.findings.Tally;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

class RunningMaximumTest {

  /** A record as a stage would append it. */
  private record Record(byte[] group, byte[] order, String id, ScanRow row) {}

  /** Scans rows that were split, in any order, into so many parts. */
  private static Map<String, String> scan(
      List<ScanRow> rows, Random random, int rate, long slabSize, int parts) {
    Samples samples = new Samples("clock", rate);
    Tally read = new Tally();
    for (int part = 0; part < parts; part++) {
      Tally tally = new Tally();
      for (ScanRow row : ScanRow.split(rows, part, parts)) {
        samples.count(
            tally, writer(row::writeId), writer(row::writeScope), writer(row::writePosition));
      }
      read = Tally.fromBytes(tally.toBytes()).merge(read);
    }
    Slabs slabs = Slabs.of(read, samples, slabSize);

    Tally before = new Tally();
    List<Record> records = new ArrayList<>();
    for (int part = 0; part < parts; part++) {
      SlabMaxima.Keeper keeper = new SlabMaxima.Keeper("clock", slabs);
      for (ScanRow row : ScanRow.split(rows, part, parts)) {
        KeyWriter scope = writer(row::writeScope);
        KeyWriter position = writer(row::writePosition);
        if (row.value() != null) {
          keeper.add(scope, position, writer(row::writeValue));
        }
        KeyWriter group = new KeyWriter();
        slabs.writeGroup(group, scope, position);
        row.writeId(position);
        records.add(new Record(group.toBytes(), position.toBytes(), row.id(), row));
      }
      Tally tally = new Tally();
      keeper.addTo(tally);
      keeper.addTo(tally);
      before = Tally.fromBytes(tally.toBytes()).merge(before);
    }
    SlabMaxima maxima = SlabMaxima.of(before, "clock", slabs);

    Collections.shuffle(records, random);
    records.sort(
        Comparator.comparing(Record::group, Arrays::compareUnsigned)
            .thenComparing(Record::order, Arrays::compareUnsigned));
    Map<String, String> found = new TreeMap<>();
    RunningMaximum maximum = new RunningMaximum();
    byte[] group = null;
    for (Record record : records) {
      if (!Arrays.equals(group, record.group())) {
        group = record.group();
        maximum.start(maxima.before(group, 0, group.length));
      }
      found.put(record.id(), ScanRow.shown(maximum.before()));
      if (record.row().value() != null) {
        maximum.add(writer(record.row()::writeValue));
      }
    }
    return found;
  }

  private static KeyWriter writer(Consumer<KeyWriter> write) {
    KeyWriter out = new KeyWriter();
    write.accept(out);
    return out;
  }

  @Test
  void everyRecordSeesWhatComesBeforeIt() {
    for (int seed = 0; seed < 400; seed++) {
      Random random = new Random(seed);
      int hot = 8 + random.nextInt(120);
      List<ScanRow> rows =
          new ArrayList<>(seed % 2 == 0 ? ScanRow.clock(seed, hot) : ScanRow.deliveries(seed, hot));
      Collections.shuffle(rows, random);
      int rate = 1 << random.nextInt(3);
      long slabSize = 1L + random.nextInt(40);
      assertThat(scan(rows, random, rate, slabSize, 1 + random.nextInt(4)))
          .as("seed %s, rate %s, slabs of %s", seed, rate, slabSize)
          .isEqualTo(ScanRow.expected(rows));
    }
  }

  @Test
  void tablesHoldOnlyScopesThatAreCut() {
    List<ScanRow> rows = ScanRow.clock(1, 1_000);
    Samples samples = new Samples("clock", 1);
    Tally tally = new Tally();
    for (ScanRow row : rows) {
      samples.count(
          tally, writer(row::writeId), writer(row::writeScope), writer(row::writePosition));
    }
    Slabs slabs = Slabs.of(tally, samples, 300);
    SlabMaxima.Keeper keeper = new SlabMaxima.Keeper("clock", slabs);
    for (ScanRow row : rows) {
      if (row.value() != null) {
        keeper.add(writer(row::writeScope), writer(row::writePosition), writer(row::writeValue));
      }
    }
    Tally kept = new Tally();
    keeper.addTo(kept);
    assertThat(slabs.cutScopes()).isEqualTo(1);
    assertThat(kept.maximaUnder()).hasSizeBetween(4, 8);
  }

  @Test
  void behindASlabStandsTheGreatestOfAllLaterOnes() {
    List<ScanRow> rows = ScanRow.clock(7, 400);
    Samples samples = new Samples("clock", 1);
    Tally tally = new Tally();
    rows.forEach(
        row ->
            samples.count(
                tally, writer(row::writeId), writer(row::writeScope), writer(row::writePosition)));
    Slabs slabs = Slabs.of(tally, samples, 50);
    SlabMaxima.Keeper keeper = new SlabMaxima.Keeper("clock", slabs);
    rows.stream()
        .filter(row -> row.value() != null)
        .forEach(
            row ->
                keeper.add(
                    writer(row::writeScope), writer(row::writePosition), writer(row::writeValue)));
    keeper.addTo(tally);
    SlabMaxima maxima = SlabMaxima.of(tally, "clock", slabs);

    for (ScanRow row : rows) {
      KeyWriter scope = writer(row::writeScope);
      int slab = slabs.slabOf(scope, writer(row::writePosition));
      byte[] greatest =
          rows.stream()
              .filter(other -> Arrays.equals(writer(other::writeScope).toBytes(), scope.toBytes()))
              .filter(other -> slabs.slabOf(scope, writer(other::writePosition)) > slab)
              .filter(other -> other.value() != null)
              .map(other -> writer(other::writeValue).toBytes())
              .max(Arrays::compareUnsigned)
              .orElse(null);
      KeyWriter group = new KeyWriter();
      slabs.writeGroup(group, scope, slab);
      assertThat(slab).isLessThan(slabs.slabsOf(scope));
      assertThat(maxima.behind(group.buffer(), 0, group.size())).isEqualTo(greatest);
    }
  }
}

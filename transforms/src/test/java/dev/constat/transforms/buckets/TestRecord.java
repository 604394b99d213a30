package dev.constat.transforms.buckets;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.HexFormat;
import java.util.List;

/** A record as a value, and the total order spelt out: the oracle for what sorts bytes. */
record TestRecord(byte[] group, byte[] order, int kind, byte[] body)
    implements Comparable<TestRecord> {

  private static final Comparator<TestRecord> TOTAL_ORDER =
      Comparator.comparing(TestRecord::group, Arrays::compareUnsigned)
          .thenComparing(TestRecord::order, Arrays::compareUnsigned)
          .thenComparing(TestRecord::kind)
          .thenComparing(TestRecord::body, Arrays::compareUnsigned);

  void addTo(RecordSorter sorter) throws IOException {
    sorter.add(group, 0, group.length, order, 0, order.length, kind, body, 0, body.length);
  }

  void appendTo(BlockAppender appender) {
    appender.append(group, 0, group.length, order, 0, order.length, kind, body, 0, body.length);
  }

  int size() {
    return group.length + order.length + body.length;
  }

  /** Reads records to their end, group by group. */
  static List<List<TestRecord>> readGroups(SortedRecords records) throws IOException {
    List<List<TestRecord>> groups = new ArrayList<>();
    while (records.nextGroup()) {
      byte[] group = records.group();
      List<TestRecord> inGroup = new ArrayList<>();
      while (records.nextRecord()) {
        inGroup.add(new TestRecord(group, records.order(), records.kind(), records.body()));
      }
      groups.add(inGroup);
    }
    return groups;
  }

  /** What {@link #readGroups} must give for these records in any order. */
  static List<List<TestRecord>> sortedGroups(List<TestRecord> records) {
    List<List<TestRecord>> groups = new ArrayList<>();
    byte[] group = null;
    for (TestRecord record : records.stream().sorted().toList()) {
      if (group == null || !Arrays.equals(group, record.group)) {
        group = record.group;
        groups.add(new ArrayList<>());
      }
      groups.get(groups.size() - 1).add(record);
    }
    return groups;
  }

  @Override
  public int compareTo(TestRecord other) {
    return TOTAL_ORDER.compare(this, other);
  }

  @Override
  public boolean equals(Object other) {
    return other instanceof TestRecord that && compareTo(that) == 0;
  }

  @Override
  public int hashCode() {
    return Arrays.hashCode(group) ^ Arrays.hashCode(order) ^ kind ^ Arrays.hashCode(body);
  }

  @Override
  public String toString() {
    HexFormat hex = HexFormat.of();
    return hex.formatHex(group)
        + '/'
        + hex.formatHex(order)
        + '/'
        + kind
        + '/'
        + hex.formatHex(body);
  }
}

package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;

import com.github.luben.zstd.Zstd;
import com.google.common.primitives.Bytes;
import com.google.common.primitives.Ints;
import com.sun.management.ThreadMXBean;
import dev.constat.rules.envelope.Input;
import dev.constat.rules.envelope.Unreadable;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.function.Consumer;
import java.util.zip.CRC32;
import java.util.zip.GZIPOutputStream;
import org.apache.parquet.format.AesGcmV1;
import org.apache.parquet.format.ColumnMetaData;
import org.apache.parquet.format.CompressionCodec;
import org.apache.parquet.format.DictionaryPageHeader;
import org.apache.parquet.format.Encoding;
import org.apache.parquet.format.EncryptionAlgorithm;
import org.apache.parquet.format.FieldRepetitionType;
import org.apache.parquet.format.FileMetaData;
import org.apache.parquet.format.PageHeader;
import org.apache.parquet.format.PageType;
import org.apache.parquet.format.SchemaElement;
import org.apache.parquet.format.Type;
import org.apache.parquet.format.Util;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.xerial.snappy.Snappy;

/** Parquet files that are wrong in one place, or made to exhaust their reader. */
class ParquetDamageTest {

  /** Far below what any of the files here claims; far above what refusing one takes. */
  private static final long MEMORY = 48 << 20;

  private static final byte[] A_B_C = CraftedParquet.plain("a", "b", "c");

  @TempDir private Path folder;

  /** Reads a file whose column is effect_key of acknowledgements. */
  private Reading read(byte[] file) throws IOException {
    return read(file, reading -> {});
  }

  private Reading read(byte[] file, Consumer<Reading> given) throws IOException {
    Files.write(folder.resolve("a.parquet"), file);
    Reading reading =
        Reading.of(Input.ACKNOWLEDGEMENTS).constants(Map.of("acked_at", "2026-01-05T10:00:00Z"));
    given.accept(reading);
    return reading.read(folder, "a.parquet");
  }

  /** Reads a file that must be refused without much memory, and tells why. */
  private String refusal(byte[] file) throws IOException {
    return refusal(file, reading -> {});
  }

  private String refusal(byte[] file, Consumer<Reading> given) throws IOException {
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    long before = threads.getCurrentThreadAllocatedBytes();
    Reading reading = read(file, given);
    long taken = threads.getCurrentThreadAllocatedBytes() - before;

    assertThat(reading.rows).isEmpty();
    assertThat(reading.unreadable).hasSize(1);
    assertThat(reading.unreadable.get(0).remedy()).isNotEmpty();
    assertThat(taken).isLessThan(MEMORY);
    return reading
        .problems()
        .get(0)
        .replace("row group 0 cannot be decoded from row 0 on: ", "")
        .replace("the footer cannot be read: ", "footer: ");
  }

  private static CraftedParquet keys(FieldRepetitionType repetition) {
    return CraftedParquet.of("effect_key", Type.BYTE_ARRAY, repetition);
  }

  private static CraftedParquet keys() {
    return keys(FieldRepetitionType.REQUIRED);
  }

  private static PageHeader plain(int values, byte[] body) {
    return CraftedParquet.data(values, Encoding.PLAIN, body.length);
  }

  @Test
  void whatIsRightIsRead() throws IOException {
    Reading reading =
        read(keys().page(plain(3, A_B_C), A_B_C).page(plain(3, A_B_C), A_B_C).end(6, 6));

    assertThat(reading.problems()).isEmpty();
    assertThat(reading.column("effect_key")).containsExactly("a", "b", "c", "a", "b", "c");
  }

  @ParameterizedTest
  @ValueSource(booleans = {false, true})
  void everyChecksumIsVerified(boolean dictionary) throws IOException {
    CRC32 crc = new CRC32();
    crc.update(A_B_C);
    byte[] ids = {2, 3, (byte) 0b100100, 0};
    CRC32 ofIds = new CRC32();
    ofIds.update(ids);
    for (boolean wrong : new boolean[] {false, true}) {
      PageHeader values = CraftedParquet.dictionary(3, A_B_C.length);
      values.setCrc((int) crc.getValue() ^ (wrong && dictionary ? 1 : 0));
      PageHeader data = CraftedParquet.data(3, Encoding.RLE_DICTIONARY, ids.length);
      data.setCrc((int) ofIds.getValue() ^ (wrong && !dictionary ? 1 : 0));
      Reading reading = read(keys().page(values, A_B_C).page(data, ids).end(3, 3));

      if (wrong) {
        assertThat(reading.rows).isEmpty();
        assertThat(reading.problems().get(0)).endsWith("CRC checksum verification failed");
      } else {
        assertThat(reading.column("effect_key")).containsExactly("a", "b", "c");
      }
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          -3 | 15         | 15         | column effect_key has a page of -3 values
          3  | -1         | 15         | column effect_key has a page of -1 bytes
          3  | 2147483647 | 15         | column effect_key is over limits.page_bytes: a page unpacks to 2147483647 bytes, more than 268435456
          3  | 15         | 16         | column effect_key has a page of 16 bytes, 15 before the end of its chunk
          3  | 15         | 2147483647 | column effect_key has a page of 2147483647 bytes, 15 before the end of its chunk
          3  | 15         | -15        | column effect_key has a page of -15 bytes, 15 before the end of its chunk
          3  | 16         | 15         | a page has 15 bytes, its header says 16
          4  | 15         | 15         | column effect_key has 4 values in its pages, 3 in the footer
          2  | 15         | 15         | column effect_key has 2 values in its pages, 3 in the footer
          2147483647 | 15 | 15         | column effect_key has 2147483647 values in its pages, 3 in the footer
          """)
  void headersOfPagesAreNotBelieved(int values, int unpacked, int packed, String problem)
      throws IOException {
    PageHeader header = plain(values, A_B_C);
    header.setUncompressed_page_size(unpacked).setCompressed_page_size(packed);

    assertThat(refusal(keys().page(header, A_B_C).end(3, 3))).isEqualTo(problem);
  }

  @ParameterizedTest
  @ValueSource(ints = {-3, 100, Integer.MAX_VALUE})
  void headersOfDictionariesAreNotBelieved(int values) throws IOException {
    assertThat(
            refusal(
                keys()
                    .page(
                        CraftedParquet.dictionary(3, A_B_C.length)
                            .setDictionary_page_header(
                                new DictionaryPageHeader(values, Encoding.PLAIN)),
                        A_B_C)
                    .page(plain(3, A_B_C), A_B_C)
                    .end(3, 3)))
        .isEqualTo(
            values < 0
                ? "column effect_key has a page of -3 values"
                : "column effect_key has a dictionary of " + values + " values in 15 bytes");
  }

  @Test
  void unknownEncodingsAreNamed() throws IOException {
    ByteArrayOutputStream header = new ByteArrayOutputStream();
    Util.writePageHeader(CraftedParquet.data(3, Encoding.BYTE_STREAM_SPLIT, A_B_C.length), header);
    byte[] bytes = header.toByteArray();
    int encoding = Bytes.indexOf(bytes, new byte[] {0x15, 18, 0x15, 6, 0x15, 6}) + 1;
    bytes[encoding] = 84;

    assertThat(refusal(keys().page(PageType.DATA_PAGE, bytes, A_B_C).end(3, 3)))
        .isEqualTo("column effect_key has a page of the unknown encoding 42");
  }

  @Test
  void whatIsNoHeaderOfAPageIsRefused() throws IOException {
    byte[] nested = new byte[200];
    Arrays.fill(nested, (byte) 0x1C);

    assertThat(refusal(keys().page(PageType.DATA_PAGE, nested, new byte[0]).end(3, 3)))
        .isEqualTo("column effect_key has no page header at byte 4: it nests deeper than 32");
    assertThat(
            refusal(
                keys()
                    .page(PageType.DATA_PAGE, new byte[] {0x18, -1, -1, -1, -1, 7}, new byte[100])
                    .end(3, 3)))
        .isEqualTo("column effect_key has a page header that is cut off, at byte 4");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          6 | 5  | column effect_key has 6 values in 5 rows
          6 | 7  | column effect_key has 6 values in 7 rows
          3 | 3  | column effect_key has 6 values in its pages, 3 in the footer
          9 | 9  | column effect_key has 6 values in its pages, 9 in the footer
          6 | -6 | row group 0 lacks chunks or rows
          """)
  void rowsAreCountedWhereTheyAre(long values, long rows, String problem) throws IOException {
    byte[] file =
        keys().page(plain(3, A_B_C), A_B_C).page(plain(3, A_B_C), A_B_C).end(values, rows);
    if (rows < 0) {
      assertThat(read(file).problems()).contains(problem);
    } else {
      assertThat(refusal(file)).isEqualTo(problem);
    }
  }

  @Test
  void aFileIsNotBelievedAboutItsRowGroups() throws IOException {
    Reading reading =
        read(keys().page(plain(3, A_B_C), A_B_C).end(3, 3, footer -> footer.setNum_rows(1000)));

    assertThat(reading.problems())
        .containsExactly("the footer says that the file has 1000 rows and its row groups 3");
    assertThat(reading.unreadable).noneMatch(Unreadable::record);
    assertThat(reading.column("effect_key")).containsExactly("a", "b", "c");
  }

  @Test
  void nullsInARequiredColumnCostTheRowsFromThereOn() throws IOException {
    byte[] two = CraftedParquet.plain("a", "b");
    Reading reading = read(keys().page(plain(3, two), two).end(3, 3));

    assertThat(reading.column("effect_key")).containsExactly("a", "b");
    assertThat(reading.problems().get(0)).startsWith("row group 0 cannot be decoded from row 2 on");
  }

  @Test
  void valuesLongerThanTheirPageAreRefused() throws IOException {
    byte[] body = A_B_C.clone();
    System.arraycopy(CraftedParquet.littleEndian(Integer.MAX_VALUE), 0, body, 0, 4);

    assertThat(refusal(keys().page(plain(3, body), body).end(3, 3))).isNotEmpty();
  }

  private String ofIds(int... ids) throws IOException {
    byte[] body = new byte[ids.length];
    for (int i = 0; i < ids.length; i++) {
      body[i] = (byte) ids[i];
    }
    return refusal(
        keys()
            .page(CraftedParquet.dictionary(3, A_B_C.length), A_B_C)
            .page(CraftedParquet.data(3, Encoding.RLE_DICTIONARY, body.length), body)
            .end(3, 3));
  }

  @Test
  void runsAreHeldAgainstTheirPage() throws IOException {
    assertThat(ofIds(2, 0, 0)).isEqualTo("a page has a run of 0 numbers");
    assertThat(ofIds(2, 0xFF, 0xFF, 0xFF, 0xFF, 0x0F, 0))
        .isEqualTo("a page has a bit-packed run of 2147483647 groups");
    assertThat(ofIds(33, 6, 0)).isEqualTo("a page has numbers of 33 bits");
    assertThat(ofIds(2, 4, 0)).isEqualTo("a page has 2 encoded numbers instead of 3");
    assertThat(ofIds(16, 3, 0)).isEqualTo("a page has 1 bytes for a bit-packed run of 6");
    assertThat(ofIds(2, 6, 3)).isNotEmpty(); // an id that the dictionary lacks
    assertThat(ofIds()).isEqualTo("a page ends too early");
  }

  @Test
  void levelsAreHeldAgainstTheirPage() throws IOException {
    byte[] value = CraftedParquet.plain("a");
    for (byte[] levels :
        new byte[][] {{2, 0, 0, 0, 2, 1}, {1, 0, 0, 0, 6}, {2, 0, 0, 0, 0, 1}, {-1, -1, -1, 127}}) {
      byte[] body = Bytes.concat(levels, value);
      assertThat(refusal(keys(FieldRepetitionType.OPTIONAL).page(plain(3, body), body).end(3, 3)))
          .startsWith("a page ");
    }
  }

  @ParameterizedTest
  @CsvSource({
    "DELTA_BINARY_PACKED, INT64",
    "DELTA_LENGTH_BYTE_ARRAY, BYTE_ARRAY",
    "DELTA_BYTE_ARRAY, BYTE_ARRAY"
  })
  void deltasAreHeldAgainstTheirPage(Encoding encoding, Type type) throws IOException {
    byte[][] wrong = {
      {(byte) 0x80, 1, 4, -1, -1, -1, -1, 7, 0}, // 2^31 - 1 numbers
      {-1, -1, -1, -1, 7, 1, 3, 0}, // blocks of as many
      {(byte) 0x80, 1, 0, 3, 0}, // in no parts
      {(byte) 0x80, 1, 4, 3, 0, 0, 65, 0, 0, 0}, // of 65 bits
      {(byte) 0x80, 1, 4, 3}, // and no first one
    };
    for (byte[] body : wrong) {
      String problem =
          refusal(
              CraftedParquet.of("effect_key", type, FieldRepetitionType.REQUIRED)
                  .page(CraftedParquet.data(3, encoding, body.length), body)
                  .end(3, 3));
      assertThat(problem).startsWith("a page ");
    }
  }

  /** A column of lists, read as payloads. */
  private Reading lists(long rows, int... levels) throws IOException {
    byte[] body = new byte[levels.length];
    for (int i = 0; i < levels.length; i++) {
      body[i] = (byte) levels[i];
    }
    byte[] ints = {1, 0, 0, 0, 2, 0, 0, 0, 3, 0, 0, 0};
    byte[] page = Bytes.concat(body, ints);
    byte[] file =
        CraftedParquet.of("payload", Type.INT32, FieldRepetitionType.REPEATED)
            .page(plain(3, page), page)
            .end(3, rows);
    Files.write(folder.resolve("a.parquet"), file);
    return Reading.events()
        .constants(
            Map.of(
                "ingestion_id", "i",
                "source", "S",
                "occurred_at", "2026-01-05T10:00:00Z",
                "received_at", "2026-01-05T10:00:00Z"))
        .read(folder, "a.parquet");
  }

  @Test
  void repetitionLevelsMustFitTheRows() throws IOException {
    int[] defined = {2, 0, 0, 0, 6, 1};
    int[] twoAndOne = {2, 0, 0, 0, 3, 0b010};
    int[] oneInside = {2, 0, 0, 0, 3, 0b011};

    assertThat(lists(2, Ints.concat(twoAndOne, defined)).payloads())
        .containsExactly("[1,2]", "[3]");
    assertThat(lists(2, Ints.concat(oneInside, defined)).problems())
        .containsExactly(
            "row group 0 cannot be decoded from row 0 on: wrong repetition levels in column"
                + " /payload: a row begins inside one");
    Reading tooMany = lists(1, Ints.concat(twoAndOne, defined));
    assertThat(tooMany.problems())
        .containsExactly(
            "row group 0 cannot be decoded from row 1 on: column /payload goes on behind the last"
                + " row of its row group");
    assertThat(tooMany.payloads()).containsExactly("[1,2]");
    Reading tooFew = lists(3, Ints.concat(twoAndOne, defined));
    assertThat(tooFew.problems())
        .containsExactly(
            "row group 0 cannot be decoded from row 2 on: column /payload ends before its row"
                + " group");
  }

  @ParameterizedTest
  @EnumSource(names = {"LZ4", "LZO", "BROTLI"})
  void codecsThatAreNotReadAreNamed(CompressionCodec codec) throws IOException {
    assertThat(refusal(keys().codec(codec).page(plain(3, A_B_C), A_B_C).end(3, 3)))
        .isEqualTo("row group 0 is packed with " + codec);
  }

  @Test
  void gzipMembersInsideAPageAreAllRead() throws IOException {
    byte[] packed =
        Bytes.concat(gzip(CraftedParquet.plain("a")), gzip(CraftedParquet.plain("b", "c")));
    PageHeader header = plain(3, A_B_C).setCompressed_page_size(packed.length);

    assertThat(
            read(keys().codec(CompressionCodec.GZIP).page(header, packed).end(3, 3))
                .column("effect_key"))
        .containsExactly("a", "b", "c");
  }

  private static byte[] gzip(byte[] bytes) throws IOException {
    ByteArrayOutputStream out = new ByteArrayOutputStream();
    try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
      gzip.write(bytes);
    }
    return out.toByteArray();
  }

  @ParameterizedTest
  @EnumSource(names = {"ZSTD", "GZIP", "SNAPPY"})
  void pagesUnpackToWhatTheySayAndNoMore(CompressionCodec codec) throws IOException {
    byte[] zeros = new byte[40 << 20];
    byte[] packed =
        switch (codec) {
          case ZSTD -> Zstd.compress(zeros);
          case GZIP -> gzip(zeros);
          default -> Snappy.compress(zeros);
        };
    PageHeader header = plain(3, packed).setUncompressed_page_size(1000);
    String lies = refusal(keys().codec(codec).page(header, packed).end(3, 3));
    assertThat(lies)
        .isIn(
            "a page has 41943040 bytes, its header says 1000",
            "a page is larger than its header says");

    header.setUncompressed_page_size(zeros.length);
    byte[] honest = keys().codec(codec).page(header, packed).end(3, 3);
    assertThat(refusal(honest, reading -> reading.limits("page_bytes: 1000000")))
        .isEqualTo(
            "column effect_key is over limits.page_bytes: a page unpacks to 41943040 bytes, more"
                + " than 1000000");
    assertThat(read(honest).column("effect_key")).containsExactly("", "", "");
  }

  @Test
  void dictionariesOfMillionsAreRefused() throws IOException {
    byte[] empty = new byte[200 << 20];
    byte[] packed = Zstd.compress(empty);
    PageHeader header =
        CraftedParquet.dictionary(empty.length / 4, packed.length)
            .setUncompressed_page_size(empty.length);
    byte[] file =
        keys()
            .codec(CompressionCodec.ZSTD)
            .page(header, packed)
            .page(plain(0, new byte[0]), new byte[0])
            .end(3, 3);

    assertThat(refusal(file))
        .isEqualTo("column effect_key has a dictionary of 52428800 values in 209715200 bytes");
  }

  @Test
  void listsThatGrowBeyondALineAreRefused() throws IOException {
    int many = 2_000_000;
    ByteArrayOutputStream levels = new ByteArrayOutputStream();
    // The first begins the row, all others go on with it; none of them has a value.
    levels.writeBytes(new byte[] {2, 0});
    varint(levels, (many - 1L) << 1);
    levels.write(1);
    byte[] repetition = levels.toByteArray();
    levels.reset();
    varint(levels, (long) many << 1);
    levels.write(1);
    byte[] definition = levels.toByteArray();
    byte[] bits = new byte[many / 8];
    byte[] page =
        Bytes.concat(
            CraftedParquet.littleEndian(repetition.length),
            repetition,
            CraftedParquet.littleEndian(definition.length),
            definition,
            bits);
    byte[] file =
        CraftedParquet.of("payload", Type.BOOLEAN, FieldRepetitionType.REPEATED)
            .page(plain(many, page), page)
            .end(many, 1);
    Files.write(folder.resolve("a.parquet"), file);
    Reading reading =
        Reading.events()
            .limits("line_bytes: 1024")
            .constants(
                Map.of(
                    "ingestion_id", "i",
                    "source", "S",
                    "occurred_at", "2026-01-05T10:00:00Z",
                    "received_at", "2026-01-05T10:00:00Z"))
            .read(folder, "a.parquet");

    assertThat(reading.problems())
        .containsExactly(
            "the payload is over limits.line_bytes: as JSON it is longer than 1024 characters");
    assertThat(reading.unreadable).allMatch(Unreadable::record);
  }

  private static void varint(ByteArrayOutputStream out, long value) {
    long left = value;
    while (left >= 0x80) {
      out.write((int) (left & 0x7F | 0x80));
      left >>>= 7;
    }
    out.write((int) left);
  }

  private String footer(Consumer<FileMetaData> change) throws IOException {
    return refusal(keys().page(plain(3, A_B_C), A_B_C).end(3, 3, change));
  }

  private static ColumnMetaData chunk(FileMetaData footer) {
    return footer.getRow_groups().get(0).getColumns().get(0).getMeta_data();
  }

  @Test
  void footersAreHeldAgainstTheFile() throws IOException {
    assertThat(footer(f -> chunk(f).setTotal_compressed_size(-1)))
        .isEqualTo("row group 0 lies outside the file");
    assertThat(footer(f -> chunk(f).setTotal_compressed_size(Long.MAX_VALUE)))
        .isEqualTo("row group 0 lies outside the file");
    assertThat(footer(f -> chunk(f).setData_page_offset(Long.MAX_VALUE)))
        .isEqualTo("row group 0 lies outside the file");
    assertThat(footer(f -> chunk(f).setTotal_compressed_size(20)))
        .startsWith("column effect_key has a page of 15 bytes, ");
    assertThat(
            footer(
                f -> {
                  f.setNum_rows(Long.MAX_VALUE);
                  f.getRow_groups().get(0).setNum_rows(Long.MAX_VALUE);
                }))
        .isEqualTo("column effect_key has 3 values in 9223372036854775807 rows");
  }

  @Test
  void schemasMustBeTrees() throws IOException {
    assertThat(footer(f -> f.getSchema().get(0).setNum_children(2)))
        .isEqualTo("footer: its schema ends before its last column");
    assertThat(footer(f -> f.getSchema().get(0).setNum_children(Integer.MAX_VALUE)))
        .isEqualTo("footer: its schema has a group of 2147483647 fields");
    assertThat(footer(f -> f.getSchema().get(0).setNum_children(-1)))
        .isEqualTo("footer: its schema has a group of -1 fields");
    assertThat(footer(f -> f.getSchema().add(new SchemaElement("more"))))
        .isEqualTo("footer: its schema goes on behind its last column");
    assertThat(
            footer(
                f -> {
                  for (int i = 0; i < 100_000; i++) {
                    f.getSchema()
                        .add(
                            1,
                            new SchemaElement("g")
                                .setNum_children(1)
                                .setRepetition_type(FieldRepetitionType.REQUIRED));
                  }
                }))
        .isEqualTo("footer: its columns nest deeper than 200");
  }

  @Test
  void encryptedColumnsAreNamed() throws IOException {
    assertThat(
            footer(f -> f.setEncryption_algorithm(EncryptionAlgorithm.AES_GCM_V1(new AesGcmV1()))))
        .isEqualTo("footer: its columns are encrypted");
    byte[] file = keys().page(plain(3, A_B_C), A_B_C).end(3, 3);
    file[file.length - 1] = 'E';
    assertThat(refusal(file)).isEqualTo("footer: it is encrypted");
  }

  @Test
  void footersClaimNothingThatIsNotThere() throws IOException {
    byte[] hugeList = {0x15, 2, 0x19, -4, -1, -1, -1, -1, 7};
    byte[] hugeText = {0x15, 2, 0x48, -1, -1, -1, -1, 7};
    for (byte[] footer : new byte[][] {hugeList, hugeText}) {
      assertThat(refusal(keys().end(footer))).isEqualTo("footer: it ends inside");
    }
    byte[] file = keys().page(plain(3, A_B_C), A_B_C).end(3, 3);
    for (int length : new int[] {file.length, Integer.MAX_VALUE, -1, 0}) {
      System.arraycopy(CraftedParquet.littleEndian(length), 0, file, file.length - 8, 4);
      assertThat(refusal(file)).startsWith("footer: a footer of ");
    }
  }

  @Test
  void thousandsOfColumnsAreRead() throws IOException {
    StringBuilder fields = new StringBuilder("required binary effect_key (STRING);");
    for (int i = 0; i < 3000; i++) {
      fields.append("optional int32 c").append(i).append(';');
    }
    ParquetFiles.PLAIN.write(
        folder.resolve("b.parquet"),
        ParquetFiles.schema(fields.toString()),
        List.of(row -> row.add("effect_key", "a")));
    Reading reading =
        Reading.of(Input.ACKNOWLEDGEMENTS)
            .constants(Map.of("acked_at", "2026-01-05T10:00:00Z"))
            .read(folder, "b.parquet");

    assertThat(reading.column("effect_key")).containsExactly("a");
    assertThat(reading.unknownColumns).hasSize(101);
  }

  @Test
  void noDamageIsFatalOrCostsMuch() throws IOException {
    byte[] body = CraftedParquet.plain("a", "b", "c", "d");
    byte[] ids = {3, 3, (byte) 0b10001000, (byte) 0b110, 0};
    byte[] good =
        keys()
            .page(CraftedParquet.dictionary(4, body.length), body)
            .page(CraftedParquet.data(4, Encoding.RLE_DICTIONARY, ids.length), ids)
            .page(plain(4, body), body)
            .end(8, 8);
    assertThat(read(good).rows).hasSize(8);
    Random random = new Random(1);
    ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    for (int i = 0; i < 600; i++) {
      byte[] damaged = good.clone();
      for (int bytes = 1 + random.nextInt(3); bytes > 0; bytes--) {
        damaged[4 + random.nextInt(good.length - 4)] = (byte) random.nextInt();
      }
      long before = threads.getCurrentThreadAllocatedBytes();
      Reading reading = read(damaged);
      assertThat(reading.rows.size()).as("round %s", i).isLessThanOrEqualTo(8);
      assertThat(threads.getCurrentThreadAllocatedBytes() - before)
          .as("round %s: %s", i, new String(damaged, StandardCharsets.ISO_8859_1))
          .isLessThan(MEMORY);
    }
  }
}

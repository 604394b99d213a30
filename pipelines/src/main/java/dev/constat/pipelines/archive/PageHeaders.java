package dev.constat.pipelines.archive;

import java.io.EOFException;
import java.io.IOException;
import org.apache.parquet.hadoop.metadata.ColumnChunkMetaData;
import org.apache.parquet.io.SeekableInputStream;

/**
 * Goes through the headers of the pages of a column chunk before the pages are read. No count of
 * the footer is believed: the pages must fill the chunk and hold as many values as it says, and
 * none may unpack to more than the limit.
 */
final class PageHeaders {

  /** Of a dictionary, each value becomes an object. */
  private static final int MAX_DICTIONARY = 4 << 20;

  private static final int WINDOW = 16 << 10;
  private static final int MAX_HEADER = 16 << 20;
  private static final int MAX_STRUCTS = 10_000;

  private static final int DATA = 0;
  private static final int DICTIONARY = 2;
  private static final int DATA_V2 = 3;

  /** The encodings of Parquet have numbers up to this; 1 is none. */
  private static final int LAST_ENCODING = 9;

  private final SeekableInputStream in;
  private final ColumnChunkMetaData chunk;
  private final String name;
  private final int pageBytes;
  private byte[] window = new byte[0];
  private long windowAt;

  private long type;
  private long unpacked;
  private long packed;
  private long count;
  private long rows;
  private long encoding;

  private PageHeaders(SeekableInputStream in, ColumnChunkMetaData chunk, int pageBytes) {
    this.in = in;
    this.chunk = chunk;
    this.name = String.join("/", chunk.getPath().toArray());
    this.pageBytes = pageBytes;
  }

  /**
   * Checks a chunk, which lies inside the file.
   *
   * @param groupRows rows of its row group
   * @param flat whether it has one value per row
   * @param pageBytes how large a page may be, unpacked
   * @return how large its largest page is, with its dictionary
   * @throws RefusedException if something does not fit
   */
  static long check(
      SeekableInputStream in,
      ColumnChunkMetaData chunk,
      long groupRows,
      boolean flat,
      int pageBytes)
      throws IOException {
    return new PageHeaders(in, chunk, pageBytes).check(groupRows, flat);
  }

  private long check(long groupRows, boolean flat) throws IOException {
    long at = chunk.getStartingPos();
    long end = at + chunk.getTotalSize();
    long values = 0;
    long rowsOfPages = 0;
    long largest = 0;
    long dictionary = 0;
    while (at < end) {
      at += header(at, end);
      if (packed < 0 || packed > end - at) {
        throw damaged("has a page of %s bytes, %s before the end of its chunk", packed, end - at);
      }
      at += packed;
      if (unpacked < 0) {
        throw damaged("has a page of %s bytes", unpacked);
      }
      if (unpacked > pageBytes) {
        throw new RefusedException(
            "column %s is over limits.page_bytes: a page unpacks to %s bytes, more than %s"
                .formatted(name, unpacked, pageBytes),
            "raise it with limits: {page_bytes: ...} in the run spec, or write the file with"
                + " smaller pages");
      }
      if (type != DATA && type != DATA_V2 && type != DICTIONARY) {
        continue;
      }
      if (count < 0) {
        throw damaged("has a page of %s values", count);
      }
      if (encoding < 0 || encoding > LAST_ENCODING || encoding == 1) {
        throw new RefusedException(
            "column %s has a page of the unknown encoding %s".formatted(name, encoding),
            "write it with an encoding of Parquet 2.10 or older");
      }
      if (type == DICTIONARY) {
        if (count > unpacked || count > MAX_DICTIONARY) {
          throw damaged("has a dictionary of %s values in %s bytes", count, unpacked);
        }
        dictionary = unpacked;
      } else {
        values += count;
        rowsOfPages += type == DATA_V2 ? rows : 0;
        largest = Math.max(largest, unpacked);
      }
    }
    if (values != chunk.getValueCount()) {
      throw damaged("has %s values in its pages, %s in the footer", values, chunk.getValueCount());
    }
    if (flat && values != groupRows || rowsOfPages > groupRows || values < groupRows) {
      throw damaged("has %s values in %s rows", values, groupRows);
    }
    return largest + dictionary;
  }

  /** Reads the header at a place, and returns how long it is. */
  private int header(long at, long end) throws IOException {
    int wanted = WINDOW;
    while (true) {
      show(at, end, wanted);
      int from = (int) (at - windowAt);
      type = -1;
      unpacked = -1;
      packed = -1;
      count = -1;
      rows = 0;
      encoding = 0;
      try {
        return CompactThrift.pass(window, from, window.length, MAX_STRUCTS, this::number) - from;
      } catch (CompactThrift.TruncatedException e) {
        if (windowAt + window.length == end || wanted == MAX_HEADER) {
          throw damaged("has a page header that is cut off, at byte %s", at);
        }
        wanted = Math.min(MAX_HEADER, wanted * 8);
        window = new byte[0];
      } catch (CompactThrift.RefusedIn e) {
        throw damaged("has no page header at byte %s: %s", at, e.getMessage());
      }
    }
  }

  /** Brings what stands at a place into the window, unless enough of it is there. */
  private void show(long at, long end, int wanted) throws IOException {
    long there = windowAt + window.length - at;
    if (window.length > 0 && at >= windowAt && (there >= WINDOW / 4 || there >= end - at)) {
      return;
    }
    byte[] bytes = new byte[(int) Math.min(wanted, end - at)];
    in.seek(at);
    try {
      in.readFully(bytes);
    } catch (EOFException e) {
      throw damaged("ends outside the file, at byte %s", end);
    }
    window = bytes;
    windowAt = at;
  }

  /** Field ids are those of parquet.thrift, struct PageHeader. */
  private void number(int outer, int field, long value) {
    if (outer == 0) {
      switch (field) {
        case 1 -> type = value;
        case 2 -> unpacked = value;
        case 3 -> packed = value;
        default -> {}
      }
    } else if (outer == 5 || outer == 7) {
      count = field == 1 ? value : count;
      encoding = field == 2 ? value : encoding;
    } else if (outer == 8) {
      count = field == 1 ? value : count;
      rows = field == 3 ? value : rows;
      encoding = field == 4 ? value : encoding;
    }
  }

  private RefusedException damaged(String problem, Object... values) {
    return RefusedException.damaged("column " + name + " " + problem.formatted(values));
  }
}

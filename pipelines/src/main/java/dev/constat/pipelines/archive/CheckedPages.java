package dev.constat.pipelines.archive;

import com.google.common.base.Preconditions;
import java.io.IOException;
import java.io.UncheckedIOException;
import org.apache.parquet.bytes.BytesInput;
import org.apache.parquet.bytes.BytesUtils;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.Encoding;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DataPageV1;
import org.apache.parquet.column.page.DataPageV2;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;
import org.apache.parquet.schema.PrimitiveType.PrimitiveTypeName;

/**
 * The pages of a row group, with the counts in them held against their sizes before anybody
 * allocates by them. Empty pages, which the decoder takes for the end of its column, are left out.
 *
 * @param pages the pages as they are
 */
record CheckedPages(PageReadStore pages) implements PageReadStore {

  @Override
  public PageReader getPageReader(ColumnDescriptor column) {
    return new Checked(column, pages.getPageReader(column));
  }

  @Override
  public long getRowCount() {
    return pages.getRowCount();
  }

  private record Checked(ColumnDescriptor column, PageReader pages) implements PageReader {

    @Override
    public DictionaryPage readDictionaryPage() {
      DictionaryPage page = pages.readDictionaryPage();
      if (page != null) {
        requireSize(page.getBytes().size(), page.getUncompressedSize());
        Preconditions.checkArgument(
            page.getDictionarySize() >= 0 && page.getDictionarySize() <= page.getUncompressedSize(),
            "a dictionary of %s values in %s bytes",
            page.getDictionarySize(),
            page.getUncompressedSize());
        requireTexts(page);
      }
      return page;
    }

    /** The decoder of dictionaries takes any length for that of a value. */
    private void requireTexts(DictionaryPage page) {
      if (column.getPrimitiveType().getPrimitiveTypeName() != PrimitiveTypeName.BINARY) {
        return;
      }
      try {
        EncodedRuns bytes = new EncodedRuns(page.getBytes().toByteBuffer());
        for (int left = page.getDictionarySize(); left > 0; left--) {
          bytes.skip(bytes.length());
        }
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
    }

    @Override
    public long getTotalValueCount() {
      return pages.getTotalValueCount();
    }

    @Override
    public DataPage readPage() {
      DataPage page = pages.readPage();
      while (page != null && page.getValueCount() == 0) {
        page = pages.readPage();
      }
      Preconditions.checkArgument(page != null, "a page is missing");
      try {
        check(page);
      } catch (IOException e) {
        throw new UncheckedIOException(e);
      }
      return page;
    }

    private void check(DataPage page) throws IOException {
      int count = page.getValueCount();
      if (page instanceof DataPageV1 first) {
        requireSize(first.getBytes().size(), page.getUncompressedSize());
        EncodedRuns bytes = new EncodedRuns(first.getBytes().toByteBuffer());
        levels(bytes, first.getRlEncoding(), column.getMaxRepetitionLevel(), count);
        levels(bytes, first.getDlEncoding(), column.getMaxDefinitionLevel(), count);
        values(bytes, first.getValueEncoding(), count);
      } else if (page instanceof DataPageV2 second) {
        requireSize(
            second.getRepetitionLevels().size()
                + second.getDefinitionLevels().size()
                + second.getData().size(),
            page.getUncompressedSize());
        levels(second.getRepetitionLevels(), column.getMaxRepetitionLevel(), count);
        levels(second.getDefinitionLevels(), column.getMaxDefinitionLevel(), count);
        values(new EncodedRuns(second.getData().toByteBuffer()), second.getDataEncoding(), count);
      }
    }

    private static void levels(EncodedRuns bytes, Encoding encoding, int greatest, int count) {
      if (greatest == 0) {
        return;
      }
      int bits = BytesUtils.getWidthFromMaxInt(greatest);
      if (encoding == Encoding.RLE) {
        bytes.next(bytes.length()).runs(bits, count, true);
      } else {
        bytes.skip(((long) count * bits + 7) / 8);
      }
    }

    private static void levels(BytesInput bytes, int greatest, int count) throws IOException {
      if (greatest > 0) {
        new EncodedRuns(bytes.toByteBuffer())
            .runs(BytesUtils.getWidthFromMaxInt(greatest), count, true);
      }
    }

    private void values(EncodedRuns bytes, Encoding encoding, int count) {
      boolean exactly = column.getMaxDefinitionLevel() == 0;
      switch (encoding) {
        case PLAIN_DICTIONARY, RLE_DICTIONARY -> {
          if (exactly || bytes.hasMore()) {
            bytes.runs(bytes.octet(), count, exactly);
          }
        }
        case RLE -> {
          if (exactly || bytes.hasMore()) {
            bytes.next(bytes.length()).runs(1, count, exactly);
          }
        }
        case DELTA_BINARY_PACKED, DELTA_LENGTH_BYTE_ARRAY -> bytes.deltas(count);
        case DELTA_BYTE_ARRAY -> {
          bytes.deltas(count);
          bytes.deltas(count);
        }
        case PLAIN, BIT_PACKED, BYTE_STREAM_SPLIT -> {
          // Nothing is allocated by what their bytes say.
        }
      }
    }

    private static void requireSize(long size, int stated) {
      Preconditions.checkArgument(
          size == stated, "a page has %s bytes, its header says %s", size, stated);
    }
  }
}

package dev.constat.pipelines.archive;

import com.google.common.base.Preconditions;
import org.apache.parquet.column.ColumnDescriptor;
import org.apache.parquet.column.page.DataPage;
import org.apache.parquet.column.page.DictionaryPage;
import org.apache.parquet.column.page.PageReadStore;
import org.apache.parquet.column.page.PageReader;

/**
 * The pages of a row group, with the counts in their headers held against their sizes before
 * anybody allocates by them. Empty pages, which the decoder takes for the end of its column, are
 * left out.
 *
 * @param pages the pages as they are
 */
record CheckedPages(PageReadStore pages) implements PageReadStore {

  @Override
  public PageReader getPageReader(ColumnDescriptor column) {
    return new Checked(pages.getPageReader(column));
  }

  @Override
  public long getRowCount() {
    return pages.getRowCount();
  }

  private record Checked(PageReader pages) implements PageReader {

    @Override
    public DictionaryPage readDictionaryPage() {
      DictionaryPage page = pages.readDictionaryPage();
      if (page != null) {
        Preconditions.checkArgument(
            page.getDictionarySize() >= 0 && page.getDictionarySize() <= page.getUncompressedSize(),
            "a dictionary of %s values in %s bytes",
            page.getDictionarySize(),
            page.getUncompressedSize());
      }
      return page;
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
      return page;
    }
  }
}

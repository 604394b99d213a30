package dev.constat.pipelines.report;

import com.google.common.collect.ImmutableList;
import dev.constat.pipelines.report.Html.Part;
import java.util.ArrayList;
import java.util.List;

/**
 * A table with a caption and a heading for each column, the first cell of each row its heading. It
 * has a bounded number of rows and says how many it left out.
 */
final class Table {

  /** How many rows a table has at most. */
  static final int ROWS = 50;

  /** How many where each check or kind has one. */
  static final int CHECKS = 100;

  private record Column(String heading, boolean number) {}

  private final String caption;
  private final List<Column> columns = new ArrayList<>();
  private final List<ImmutableList<Part>> rows = new ArrayList<>();
  private final int most;
  private long leftOut;

  private Table(String caption, int most) {
    this.caption = caption;
    this.most = most;
  }

  /**
   * A table without rows.
   *
   * @param caption what it shows; no two tables of a page have the same
   */
  static Table of(String caption) {
    return new Table(caption, ROWS);
  }

  /** A table that has more rows at most. */
  static Table of(String caption, int most) {
    return new Table(caption, most);
  }

  /** The next column, of text. */
  Table column(String heading) {
    columns.add(new Column(heading, false));
    return this;
  }

  /** The next column, of numbers. */
  Table number(String heading) {
    columns.add(new Column(heading, true));
    return this;
  }

  /** The next row, a cell for each column. */
  Table row(Part... cells) {
    if (rows.size() < most) {
      rows.add(ImmutableList.copyOf(cells));
    } else {
      leftOut++;
    }
    return this;
  }

  /** A cell with a count. */
  static Part count(long count) {
    return html -> html.element("span", Units.count(count), "class", count == 0 ? "zero" : null);
  }

  /** A cell with words of the page's own. */
  static Part words(String words) {
    return html -> html.text(words);
  }

  /**
   * Writes the table.
   *
   * @param whole where a reader finds all of it, as half a sentence
   */
  void into(Html html, String whole) {
    html.open("div", "class", "scroll", "tabindex", "0", "role", "group", "aria-label", caption);
    html.open("table").element("caption", caption).open("thead").open("tr");
    for (Column column : columns) {
      html.element("th", column.heading(), "scope", "col", "class", column.number() ? "n" : null);
    }
    html.close().close().line().open("tbody").line();
    for (ImmutableList<Part> row : rows) {
      html.open("tr");
      for (int i = 0; i < row.size(); i++) {
        String align = columns.get(i).number() ? "n" : null;
        if (i == 0) {
          html.open("th", "scope", "row");
        } else {
          html.open("td", "class", align);
        }
        html.put(row.get(i)).close();
      }
      html.close().line();
    }
    html.close().close().close();
    if (leftOut > 0) {
      html.element(
          "p",
          "The page leaves out "
              + Units.count(leftOut, "more row", "more rows")
              + " of this table; "
              + whole
              + ".",
          "class",
          "leftout");
    }
    html.line();
  }
}

package dev.constat.pipelines.report;

import dev.constat.pipelines.output.RunReport;
import dev.constat.rules.reconcile.Book;

/** The books: what came in must be accounted for, line by line. */
final class BooksSection {

  private static final int BOOKS = 50;
  private static final int LINES = 24;

  private final RunReport report;
  private final Values values;

  BooksSection(RunReport report, Values values) {
    this.report = report;
    this.values = values;
  }

  void into(Html html) {
    long open = report.books().stream().filter(book -> book.residue() != 0).count();
    html.element(
            "p",
            open == 0
                ? "Every record is accounted for: "
                    + Units.count(report.books().size(), "book was", "books were")
                    + " added up, and nothing is left over in any."
                : Units.count(open, "book does", "books do")
                    + " not add up. That is a bug of Constat: do not rely on this run.",
            "class",
            open == 0 ? null : "alarm")
        .line();
    html.open("div", "class", "books").line();
    report.books().stream()
        .sorted((a, b) -> Boolean.compare(b.residue() != 0, a.residue() != 0))
        .limit(BOOKS)
        .forEach(book -> book(html, book));
    html.close().line();
    if (report.books().size() > BOOKS) {
      html.element(
          "p",
          "The page leaves out "
              + Units.count(report.books().size() - BOOKS, "more book", "more books")
              + "; summary.json has all.",
          "class",
          "leftout");
    }
  }

  private void book(Html html, Book book) {
    html.open("table", "class", "book").open("caption");
    values.brief(html, book.name());
    html.close();
    html.open("tbody");
    book.lines().stream()
        .limit(LINES)
        .forEach(
            line -> {
              html.open("tr").open("th", "scope", "row");
              values.brief(html, line.name());
              html.close().open("td", "class", "n");
              html.put(Table.count(line.count())).close().close();
            });
    if (book.lines().size() > LINES) {
      row(
          html,
          Units.count(book.lines().size() - LINES) + " more lines",
          book.lines().stream().skip(LINES).mapToLong(Book.Line::count).sum(),
          null);
    }
    html.close().open("tfoot");
    row(html, "all of them", book.total() - book.residue(), null);
    row(html, "to account for", book.total(), null);
    row(html, "left over", book.residue(), book.residue() == 0 ? null : "alarm");
    html.close().close().line();
  }

  private static void row(Html html, String name, long count, String style) {
    html.open("tr", "class", style).element("th", name, "scope", "row");
    html.element("td", Units.count(count), "class", "n").close();
  }
}

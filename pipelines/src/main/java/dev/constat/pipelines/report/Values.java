package dev.constat.pipelines.report;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Writes values as people read them. What comes from archives stands apart from the direction of
 * the text around it. A value that is long is shown by its beginning and opens to more; how much
 * more, over all values together, is bounded, so that no archive makes a page of any size.
 */
final class Values {

  /** How many characters are shown at once. */
  private static final int SHOWN = 96;

  /** How many of them of a value that opens to more. */
  private static final int BEGINNING = 64;

  /** To how many characters it opens. */
  private static final int OPENED = 1_000;

  /** How many characters are never broken in two lines. */
  private static final int UNBROKEN = 24;

  private static final Pattern DURATION =
      Pattern.compile(
          "-?PT(?=[0-9])(?:[0-9]{1,12}H)?(?:[0-9]{1,2}M)?(?:[0-9]{1,2}(?:\\.[0-9]{1,9})?S)?");

  /** One that is a word of a sentence, and no part of an id. */
  private static final Pattern DURATION_WORD =
      Pattern.compile("(?<![\\p{L}\\p{N}_:/.-])" + DURATION.pattern() + "(?![\\p{L}\\p{N}_:/-])");

  private static final Pattern TIME =
      Pattern.compile("[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}(?:\\.[0-9]{1,9})?Z");

  private int allowance;

  /**
   * Writes values.
   *
   * @param allowance how many characters those that open may take over all
   */
  Values(int allowance) {
    this.allowance = allowance;
  }

  /** A value of an archive or of the run spec; null where there is none. Holds blocks. */
  void value(Html html, String value) {
    if (value == null) {
      none(html);
    } else if (value.length() <= SHOWN) {
      plain(html, value);
    } else {
      int more = Math.min(OPENED, allowance);
      more = more < BEGINNING ? 0 : more;
      allowance -= more;
      String beginning = beginning(value, BEGINNING) + "…";
      if (more == 0) {
        plain(html, beginning);
        html.element("span", " " + Units.count(value.length()) + " characters", "class", "quiet");
        return;
      }
      html.open("details", "class", "long").open("summary");
      plain(html, beginning);
      html.element("span", " " + Units.count(value.length()) + " characters", "class", "quiet");
      html.close();
      plain(html, beginning(value, more));
      if (value.length() > more) {
        html.element("span", "… and so on; the files of the run hold all of it", "class", "quiet");
      }
      html.close();
    }
  }

  /** What there is where there is no value. */
  void none(Html html) {
    html.element("span", "none", "class", "quiet");
  }

  /** A value by its beginning, where no block may stand. */
  void brief(Html html, String value) {
    if (value == null) {
      none(html);
    } else {
      plain(html, value.length() <= SHOWN ? value : beginning(value, BEGINNING) + "…");
    }
  }

  /** A sentence that names durations: these are spelled out. Cut where it is long. */
  void sentence(Html html, String text) {
    String shown = text.length() <= OPENED ? text : beginning(text, OPENED) + "…";
    Matcher durations = DURATION_WORD.matcher(shown);
    html.open("bdi");
    int from = 0;
    while (durations.find()) {
      html.text(shown.substring(from, durations.start()));
      if (!duration(html, durations.group())) {
        html.text(durations.group());
      }
      from = durations.end();
    }
    html.text(shown.substring(from)).close();
  }

  /** A side's value that is compared with nothing: times and durations are marked as such. */
  void side(Html html, String value) {
    if (value != null && DURATION.matcher(value).matches() && duration(html, value)) {
      return;
    }
    if (value != null && TIME.matcher(value).matches()) {
      html.element("time", value, "datetime", value);
      return;
    }
    value(html, value);
  }

  /** A value whose middle part is marked as different. */
  void marked(Html html, String before, String different, String after) {
    if (before.length() + different.length() + after.length() > SHOWN * 2) {
      // Only what differs tells anything; around it a few characters say where.
      before = before.length() > 16 ? "…" + ending(before, 16) : before;
      after = after.length() > 16 ? beginning(after, 16) + "…" : after;
      different = different.length() > SHOWN ? beginning(different, BEGINNING) + "…" : different;
    }
    html.open("bdi").text(before);
    if (DURATION.matcher(different).matches() && before.isEmpty() && after.isEmpty()) {
      html.open("mark");
      if (!duration(html, different)) {
        html.text(different);
      }
      html.close();
    } else if (!different.isEmpty()) {
      html.element("mark", different);
    }
    html.text(after).close();
  }

  private static boolean duration(Html html, String text) {
    try {
      duration(html, Duration.parse(text));
      return true;
    } catch (DateTimeException e) {
      return false; // only looks like one
    }
  }

  /** A duration in words, exactly in its title; null where there is none. */
  static void duration(Html html, Duration duration) {
    if (duration == null) {
      html.element("span", "none", "class", "quiet");
    } else {
      String exact = duration.toString();
      html.element("time", Units.duration(duration), "datetime", exact, "title", exact);
    }
  }

  /** A moment to the second, exactly in its title; null where there is none. */
  static void time(Html html, Instant time) {
    if (time == null) {
      html.element("span", "none", "class", "quiet");
    } else {
      html.element("time", Units.time(time), "datetime", time.toString(), "title", time.toString());
    }
  }

  private static void plain(Html html, String value) {
    if (value.isEmpty()) {
      html.element("span", "empty text", "class", "quiet");
    } else {
      html.element("bdi", value, "class", value.length() > UNBROKEN ? "w" : null);
    }
  }

  /** The first characters, no surrogate pair cut. */
  static String beginning(String text, int length) {
    if (text.length() <= length) {
      return text;
    }
    return text.substring(
        0, Character.isHighSurrogate(text.charAt(length - 1)) ? length - 1 : length);
  }

  private static String ending(String text, int length) {
    int from = text.length() - length;
    return text.substring(Character.isLowSurrogate(text.charAt(from)) ? from + 1 : from);
  }
}

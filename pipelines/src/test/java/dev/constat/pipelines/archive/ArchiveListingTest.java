package dev.constat.pipelines.archive;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.constat.rules.envelope.Input;
import dev.constat.rules.spec.RunSpec.Archive;
import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ArchiveListingTest {

  @TempDir private Path folder;

  /** Writes files, their names in UTF-8 whatever the locale. */
  private void files(String... names) throws IOException {
    for (String name : names) {
      Path file = Path.of(URI.create(folder.toUri() + encoded(name)));
      Files.createDirectories(file.getParent());
      Files.writeString(file, "x");
    }
  }

  private static String encoded(String name) {
    try {
      return new URI(null, null, name, null).toASCIIString();
    } catch (URISyntaxException e) {
      throw new IllegalArgumentException(e);
    }
  }

  private ArchiveListing list(String... patterns) throws IOException {
    return list(folder, patterns);
  }

  private static ArchiveListing list(Path folder, String... patterns) throws IOException {
    return ArchiveListing.of(Input.EVENTS, Archive.ofFiles(patterns), folder);
  }

  private static List<String> names(ArchiveListing listing) {
    return listing.files().stream().map(ArchiveFile::name).toList();
  }

  private static List<String> notes(ArchiveListing listing) {
    return listing.notes().stream().map(note -> note.file() + ": " + note.text()).toList();
  }

  @Test
  void ranksFilesByTheBytesOfTheirNames() throws IOException {
    // UTF-16 would put the emoji before the private-use character, and a locale é before z.
    files("e/z", "e/é", "e/B", "e/a", "e/10", "e/9", "e/\uE000", "e/😀");

    ArchiveListing listing = list("e/*");

    assertThat(names(listing))
        .containsExactly("e/10", "e/9", "e/B", "e/a", "e/z", "e/é", "e/\uE000", "e/😀");
    assertThat(listing.files())
        .extracting(ArchiveFile::rank)
        .containsExactly(0, 1, 2, 3, 4, 5, 6, 7);
    assertThat(listing.files()).allMatch(file -> file.size() == 1 && Files.exists(file.path()));
  }

  @Test
  void starsStayInsideAName() throws IOException {
    files("a.jsonl", "x/a.jsonl", "x/b.parquet", "x/y/a.jsonl", "x/y/z/a.jsonl");

    assertThat(names(list("*.jsonl"))).containsExactly("a.jsonl");
    assertThat(names(list("*/*.jsonl"))).containsExactly("x/a.jsonl");
    assertThat(names(list("x/*.{jsonl,parquet}"))).containsExactly("x/a.jsonl", "x/b.parquet");
    assertThat(names(list("x/[ab].????*"))).containsExactly("x/a.jsonl", "x/b.parquet");
    assertThat(names(list("**/a.jsonl")))
        .containsExactly("a.jsonl", "x/a.jsonl", "x/y/a.jsonl", "x/y/z/a.jsonl");
    assertThat(names(list("x/**/z/*"))).containsExactly("x/y/z/a.jsonl");
    assertThat(names(list("x/y/**"))).containsExactly("x/y/a.jsonl", "x/y/z/a.jsonl");
  }

  @Test
  void aFolderMeansEverythingBelow() throws IOException {
    files("e/day=1/a", "e/day=2/b", "e/c");

    assertThat(names(list("e"))).containsExactly("e/c", "e/day=1/a", "e/day=2/b");
    assertThat(names(list("e/"))).containsExactly("e/c", "e/day=1/a", "e/day=2/b");
  }

  @Test
  void markersAreSkippedAndNoted() throws IOException {
    files("e/_SUCCESS", "e/a", "e/.a.crc", "e/_tmp/b", "e/d/c");

    ArchiveListing listing = list("e/**");

    assertThat(names(listing)).containsExactly("e/a", "e/d/c");
    assertThat(notes(listing))
        .containsExactly(
            "e/.a.crc: skipped by its name",
            "e/_SUCCESS: skipped by its name",
            "e/_tmp: skipped by its name");
    assertThat(names(list("e/_tmp/b", "e/.a.crc"))).containsExactly("e/.a.crc", "e/_tmp/b");
  }

  @Test
  void aFileMatchedTwiceCountsOnce() throws IOException {
    files("e/a", "e/b");
    Files.createSymbolicLink(folder.resolve("e/latest"), folder.resolve("e/b"));

    ArchiveListing listing = list("e/*", "e/a", "./e/../e/a");

    assertThat(names(listing)).containsExactly("e/a", "e/b");
    assertThat(notes(listing)).containsExactly("e/latest: skipped: another name of e/b");
  }

  @Test
  void linksAreFollowedButNotInCircles() throws IOException {
    files("data/a", "data/x/b");
    Files.createSymbolicLink(folder.resolve("e"), folder.resolve("data"));
    Files.createSymbolicLink(folder.resolve("data/x/back"), folder.resolve("data"));

    assertThat(names(list("e/**"))).containsExactly("e/a", "e/x/b");
  }

  @Test
  void aGlobMayMatchNothing() throws IOException {
    files("e/a");

    ArchiveListing listing = list("none/*.parquet", "e/*.parquet");

    assertThat(listing.files()).isEmpty();
    assertThat(notes(listing))
        .containsExactly("e/*.parquet: matches no file", "none/*.parquet: matches no file");
  }

  @Test
  void aPathMustNameAFile() {
    assertThatThrownBy(() -> list("e/a.jsonl"))
        .isInstanceOf(ArchiveListingException.class)
        .hasMessage(
            "events: there is no file e/a.jsonl in "
                + folder
                + "; correct the path, which is relative to the run spec, or put the file there");
  }

  @Test
  void aNameThatLooksLikeAGlobIsAName() throws IOException {
    files("e/a[1].jsonl", "e/a1.jsonl");

    assertThat(names(list("e/a[1].jsonl"))).containsExactly("e/a[1].jsonl");
  }

  @Test
  void aLinkThatLeadsNowhereIsAnError() throws IOException {
    files("e/a");
    Files.createSymbolicLink(folder.resolve("e/gone"), folder.resolve("e/nothing"));

    assertThatThrownBy(() -> list("e/*"))
        .isInstanceOf(ArchiveListingException.class)
        .hasMessageEndingWith(
            "e/gone is no regular file, or a link that leads nowhere;"
                + " remove it, or name the files that are meant");
  }

  @Test
  void aLinkToItselfIsAnError() throws IOException {
    files("e/a");
    Files.createSymbolicLink(folder.resolve("e/loop"), folder.resolve("e/loop"));

    assertThatThrownBy(() -> list("e/*"))
        .isInstanceOf(ArchiveListingException.class)
        .hasMessageContaining("e/loop is no regular file, or a link that leads nowhere; remove it");
  }

  /** Opening a pipe waits for somebody to write, for ever: it must not come so far. */
  @Test
  void pipesSocketsAndDevicesAreErrors() throws Exception {
    files("e/a");
    Path pipe = folder.resolve("e/pipe");
    assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
    assertThatThrownBy(() -> list("e/*")).hasMessageContaining("e/pipe is no regular file");
    assertThatThrownBy(() -> list("e")).hasMessageContaining("e/pipe is no regular file");
    assertThatThrownBy(() -> list("e/pipe")).hasMessageContaining("e/pipe is no regular file");
    Files.delete(pipe);

    try (ServerSocketChannel socket = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      socket.bind(UnixDomainSocketAddress.of(folder.resolve("e/socket")));
      assertThatThrownBy(() -> list("e/*")).hasMessageContaining("e/socket is no regular file");
    }
    assertThatThrownBy(() -> list("/dev/zero"))
        .hasMessageContaining("/dev/zero is no regular file");
  }

  @Test
  void aNameOfOtherBytesThanUtf8IsAnError() throws IOException {
    files("e/a");
    // In Latin-1 two names, and in outputs one and the same.
    for (String name : List.of("%E9.jsonl", "%E8.jsonl")) {
      Files.writeString(Path.of(URI.create(folder.toUri() + "e/" + name)), "x");
    }

    assertThatThrownBy(() -> list("e/*"))
        .isInstanceOf(ArchiveListingException.class)
        .hasMessageMatching("events: the name of .*/e/%E[89]\\.jsonl is no UTF-8; rename the file");
  }

  @Test
  void oddNamesOfUtf8AreNames() throws IOException {
    files("e/a\nb", "e/\u001b[31m", "e/\uFFFD", "e/ ");

    assertThat(names(list("e/*"))).containsExactly("e/\u001b[31m", "e/ ", "e/a\nb", "e/\uFFFD");
  }

  @Test
  void aPatternThatIsNoGlobIsAnError() {
    assertThatThrownBy(() -> list("e/[a"))
        .isInstanceOf(ArchiveListingException.class)
        .hasMessageStartingWith("events: e/[a is no glob");
  }

  @Test
  void namesAreRelativeToTheRunSpec() throws IOException {
    files("spec/x", "e/a b+c%.jsonl");

    ArchiveListing listing = list(folder.resolve("spec"), "../e/*");
    ArchiveListing absolute = list(folder.resolve("spec"), folder + "/e/*");

    assertThat(names(listing)).containsExactly("../e/a b+c%.jsonl");
    assertThat(absolute).isEqualTo(listing);
  }
}

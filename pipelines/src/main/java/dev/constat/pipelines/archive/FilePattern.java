package dev.constat.pipelines.archive;

import com.google.common.base.CharMatcher;
import com.google.common.base.Splitter;
import dev.constat.rules.envelope.Input;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.FileSystems;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.PathMatcher;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.PatternSyntaxException;

/** A glob or path of a run spec. */
final class FilePattern {

  private static final CharMatcher WILD = CharMatcher.anyOf("*?[{");
  private static final String ANY_FOLDERS = "**";
  private static final String WORK_OF_RUNS = ".constat-";
  private static final String UNFINISHED = WORK_OF_RUNS + "unfinished";
  private static final byte[] HEAD_OF_RUN =
      "{\n  \"constat\": 1,\n  \"run_id\":".getBytes(StandardCharsets.UTF_8);

  private final Input input;
  private final String text;

  private FilePattern(Input input, String text) {
    this.input = input;
    this.text = text;
  }

  static FilePattern of(Input input, String text) {
    return new FilePattern(input, text);
  }

  /**
   * What a pattern matches.
   *
   * @param files regular files
   * @param skipped files and folders left out because of their name
   * @param runs folders left out because they are what a run of Constat left
   */
  record Matches(Set<Path> files, Set<Path> skipped, Set<Path> runs) {

    Matches() {
      this(new LinkedHashSet<>(), new LinkedHashSet<>(), new LinkedHashSet<>());
    }

    boolean isEmpty() {
      return files.isEmpty() && skipped.isEmpty();
    }
  }

  Matches match(Path folder) throws ArchiveListingException {
    Matches matches = new Matches();
    List<String> segments = Splitter.on('/').omitEmptyStrings().splitToList(text);
    Path plain =
        WILD.matchesNoneOf(text) || exists(folder) ? folder.resolve(text).normalize() : null;
    if (plain == null) {
      for (String segment : segments) {
        matcher(segment);
      }
      Path root = text.startsWith("/") ? Path.of("/") : folder;
      descend(root, segments, new ArrayDeque<>(), matches);
    } else if (Files.isDirectory(plain)) {
      descend(plain, List.of(ANY_FOLDERS, "*"), new ArrayDeque<>(), matches);
    } else if (Files.exists(plain)) {
      matches.files().add(regular(plain));
    } else {
      throw failure(
          "there is no file " + text + " in " + folder,
          "correct the path, which is relative to the run spec, or put the file there",
          null);
    }
    return matches;
  }

  /** Whether the pattern, wild or not, is the name of a file as it stands. */
  private boolean exists(Path folder) {
    return Files.exists(folder.resolve(text));
  }

  /**
   * Matches {@code segments} below {@code folder}.
   *
   * @param above the real folders that {@code **} came through, so that no link leads it in circles
   */
  private void descend(Path folder, List<String> segments, Deque<Path> above, Matches matches)
      throws ArchiveListingException {
    String segment = segments.get(0);
    List<String> rest = segments.subList(1, segments.size());
    if (segment.equals(ANY_FOLDERS)) {
      descendAnywhere(folder, rest, above, matches);
    } else if (WILD.matchesNoneOf(segment)) {
      Path next = folder.resolve(segment).normalize();
      if (Files.exists(next)) {
        step(next, rest, above, matches);
      }
    } else {
      PathMatcher matcher = matcher(segment);
      for (Path next : children(folder)) {
        if (matcher.matches(next.getFileName())) {
          stepUnlessHidden(next, rest, above, matches);
        }
      }
    }
  }

  private void descendAnywhere(Path folder, List<String> rest, Deque<Path> above, Matches matches)
      throws ArchiveListingException {
    Path real = real(folder);
    if (above.contains(real)) {
      return;
    }
    above.push(real);
    descend(folder, rest.isEmpty() ? List.of("*") : rest, above, matches);
    for (Path next : children(folder)) {
      if (Files.isDirectory(next)) {
        if (isHidden(next)) {
          matches.skipped().add(next);
        } else if (isRun(next)) {
          matches.runs().add(next);
        } else {
          descendAnywhere(next, rest, above, matches);
        }
      }
    }
    above.pop();
  }

  private void stepUnlessHidden(Path next, List<String> rest, Deque<Path> above, Matches matches)
      throws ArchiveListingException {
    if (isRun(next)) {
      matches.runs().add(next);
    } else if (!isHidden(next)) {
      step(next, rest, above, matches);
    } else if (rest.isEmpty() || Files.isDirectory(next)) {
      matches.skipped().add(next);
    }
  }

  private void step(Path next, List<String> rest, Deque<Path> above, Matches matches)
      throws ArchiveListingException {
    if (!rest.isEmpty()) {
      if (Files.isDirectory(next)) {
        descend(next, rest, above, matches);
      }
    } else if (!Files.isDirectory(next)) {
      matches.files().add(regular(next));
    }
  }

  private static boolean isHidden(Path path) {
    String name = path.getFileName().toString();
    return name.startsWith("_") || name.startsWith(".");
  }

  /** Whether a folder is a run of Constat, complete or about to be: an answer, and no evidence. */
  private static boolean isRun(Path folder) {
    if (!Files.isDirectory(folder)) {
      return false;
    }
    if (Files.exists(folder.resolve(UNFINISHED))) {
      return true;
    }
    Path document = folder.resolve("run.json");
    if (!Files.isRegularFile(document)) {
      return false;
    }
    try (InputStream in = Files.newInputStream(document)) {
      byte[] head = in.readNBytes(HEAD_OF_RUN.length);
      return Arrays.equals(head, HEAD_OF_RUN);
    } catch (IOException e) {
      return false; // whatever it is, reading what is beside it will tell
    }
  }

  /** Whether it is what runs work with, which comes and goes, so that even a note would differ. */
  private static boolean isWorkOfRuns(Path path) {
    return path.getFileName().toString().startsWith(WORK_OF_RUNS);
  }

  private List<Path> children(Path folder) throws ArchiveListingException {
    if (!Files.isDirectory(folder)) {
      return List.of();
    }
    List<Path> children = new ArrayList<>();
    try (DirectoryStream<Path> entries =
        Files.newDirectoryStream(folder, entry -> !isWorkOfRuns(entry))) {
      entries.forEach(children::add);
    } catch (IOException e) {
      throw unreadable(folder, e);
    } catch (DirectoryIteratorException e) {
      throw unreadable(folder, e.getCause());
    }
    return children;
  }

  private PathMatcher matcher(String segment) throws ArchiveListingException {
    try {
      return FileSystems.getDefault().getPathMatcher("glob:" + segment);
    } catch (PatternSyntaxException e) {
      throw failure(
          "%s is no glob: %s".formatted(text, e.getDescription()),
          "write [[] for a bracket that is part of a name",
          e);
    }
  }

  private Path regular(Path path) throws ArchiveListingException {
    if (!Files.isRegularFile(path)) {
      throw failure(
          path + " is no regular file, or a link that leads nowhere",
          "remove it, or name the files that are meant",
          null);
    }
    if (!Files.isReadable(path)) {
      throw failure(
          path + " cannot be read", "give the user of this process permission to read it", null);
    }
    return path;
  }

  private Path real(Path folder) throws ArchiveListingException {
    try {
      return folder.toRealPath();
    } catch (IOException e) {
      throw unreadable(folder, e);
    }
  }

  private ArchiveListingException unreadable(Path folder, Throwable cause) {
    return failure(
        "the folder " + folder + " cannot be read",
        "give the user of this process permission to list it",
        cause);
  }

  private ArchiveListingException failure(String problem, String remedy, Throwable cause) {
    return new ArchiveListingException(input.key() + ": " + problem + "; " + remedy, cause);
  }
}

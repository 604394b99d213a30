package dev.constat.pipelines.generate;

import com.fasterxml.jackson.databind.JsonNode;
import dev.constat.rules.spec.Fault;
import dev.constat.rules.spec.Profile;
import dev.constat.rules.synthesis.RunSpecText;
import dev.constat.rules.synthesis.Stray;
import dev.constat.rules.synthesis.SyntheticArchive;
import dev.constat.rules.synthesis.SyntheticRecord;
import dev.constat.rules.synthesis.SyntheticTable;
import dev.constat.rules.synthesis.TruthLine;
import java.io.BufferedOutputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeSet;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;

/**
 * Writes a synthetic archive. Every table is cut by time into files, each of which is made alone by
 * one of several threads; the bytes are the same whatever their number. A thread holds 16 bytes per
 * record of the file it makes, and one row group of Parquet.
 *
 * <p>All is written into a folder beside the one asked for, which takes its place once it is
 * complete: an archive that was broken off is none.
 */
public final class Generation {

  private static final String SPEC = "constat.yaml";
  private static final String TRUTH = "truth.jsonl";
  private static final String TRUTH_PART = "truth-%05d.part";
  private static final String TRUTH_RECORDS = "truth";

  private final Request request;
  private final Path folder;
  private final TreeSet<String> shared = new TreeSet<>();
  private final ThreadLocal<SyntheticArchive> archives;

  /**
   * What is asked for.
   *
   * @param events how many
   * @param out the folder that the archive becomes
   * @param parallelism how many threads make it
   * @param recordsPerFile about how many events a file has
   * @param version of Constat
   */
  public record Request(
      Profile profile,
      long seed,
      long events,
      ArchiveFormat format,
      Path out,
      int parallelism,
      int recordsPerFile,
      String version) {}

  /**
   * An archive that is there.
   *
   * @param records how many records there are, by table, and of findings to be made
   * @param reused whether it was there before
   */
  public record Result(Path folder, Map<String, Long> records, boolean reused) {}

  private Generation(Request request, Path folder) {
    this.request = request;
    this.folder = folder;
    this.archives =
        ThreadLocal.withInitial(
            () -> new SyntheticArchive(request.profile(), request.seed(), request.events()));
  }

  /**
   * Makes an archive, or finds that it is there already.
   *
   * @throws GenerationException if something else is in its place
   */
  public static Result run(Request request) throws IOException {
    Path out = request.out().toAbsolutePath().normalize();
    JsonNode found = found(request, out);
    if (found != null) {
      return new Result(request.out(), Generated.records(found), true);
    }
    if (out.getParent() == null) {
      throw new GenerationException(out + " is no folder that can be made; name another --out");
    }
    Files.createDirectories(out.getParent());
    Path lock = out.resolveSibling("." + out.getFileName() + ".lock");
    Path partial = out.resolveSibling("." + out.getFileName() + ".partial");
    try (FileChannel channel =
        FileChannel.open(lock, StandardOpenOption.CREATE, StandardOpenOption.WRITE)) {
      if (channel.tryLock() == null) {
        throw new GenerationException(
            "another process is making " + request.out() + "; wait for it, or name another --out");
      }
      remove(partial);
      Files.createDirectories(partial);
      Map<String, Long> records = new Generation(request, partial).write();
      Files.deleteIfExists(out); // an empty folder
      Files.move(partial, out, StandardCopyOption.ATOMIC_MOVE);
      Files.deleteIfExists(lock);
      return new Result(request.out(), records, false);
    }
  }

  private static JsonNode found(Request request, Path out) throws IOException {
    if (!Files.exists(out)) {
      return null;
    }
    if (!Files.isDirectory(out)) {
      throw new GenerationException(request.out() + " is a file; name another --out, or remove it");
    }
    JsonNode found = Generated.read(out);
    if (found != null && Generated.isOf(found, request)) {
      return found;
    }
    if (found != null) {
      throw new GenerationException(
          request.out()
              + " is another archive (see its "
              + Generated.FILE
              + "); name another --out, or remove it");
    }
    try (Stream<Path> entries = Files.list(out)) {
      if (entries.findAny().isPresent()) {
        throw new GenerationException(
            request.out() + " is not empty; name another --out, or empty it");
      }
    }
    return null;
  }

  private static void remove(Path path) throws IOException {
    if (!Files.exists(path)) {
      return;
    }
    try (Stream<Path> all = Files.walk(path)) {
      for (Path each : all.sorted(Comparator.reverseOrder()).toList()) {
        Files.delete(each);
      }
    }
  }

  private Map<String, Long> write() throws IOException {
    int files = files();
    Map<String, List<Callable<Long>>> tasks = new LinkedHashMap<>();
    for (SyntheticTable table : SyntheticTable.values()) {
      if (table.isIn(request.profile())) {
        int parts = table == SyntheticTable.REPLAYS ? 1 : files;
        for (int i = 0; i < parts; i++) {
          int part = i;
          tasks
              .computeIfAbsent(table.files(), key -> new ArrayList<>())
              .add(() -> writeTable(table, part, parts));
        }
      }
    }
    List<Callable<Long>> truth = new ArrayList<>();
    for (int i = 0; i < files; i++) {
      int part = i;
      truth.add(() -> writeTruth(part, files));
    }
    tasks.put(TRUTH_RECORDS, truth);
    if (request.profile().has(Fault.Part.STRAYS)) {
      tasks.put("strays", List.of(() -> writeStrays(files)));
    }
    Map<String, Long> records = perform(tasks);
    records.merge(TRUTH_RECORDS, joinTruth(), Long::sum);
    Files.writeString(
        folder.resolve(SPEC),
        RunSpecText.of(request.profile(), request.events(), request.format().ending()),
        StandardCharsets.UTF_8);
    Generated.write(request, records, folder);
    return records;
  }

  private int files() {
    long whole = (request.events() - 1) / request.recordsPerFile() + 1;
    return Math.toIntExact(Math.max(1, whole));
  }

  private Map<String, Long> perform(Map<String, List<Callable<Long>>> tasks) throws IOException {
    ExecutorService threads = Executors.newFixedThreadPool(request.parallelism());
    try {
      Map<String, List<Future<Long>>> futures = new LinkedHashMap<>();
      tasks.forEach(
          (name, ofName) ->
              ofName.forEach(
                  task ->
                      futures
                          .computeIfAbsent(name, key -> new ArrayList<>())
                          .add(threads.submit(task))));
      Map<String, Long> records = new LinkedHashMap<>();
      for (Map.Entry<String, List<Future<Long>>> entry : futures.entrySet()) {
        for (Future<Long> future : entry.getValue()) {
          records.merge(entry.getKey(), future.get(), Long::sum);
        }
      }
      return records;
    } catch (ExecutionException e) {
      throw new IOException("The archive was not made", e.getCause());
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("The archive was not made: interrupted", e);
    } finally {
      threads.shutdownNow();
    }
  }

  /** The first event of a part. */
  private long firstOf(int part, int parts) {
    return part == parts
        ? request.events()
        : request.events() / parts * part + request.events() % parts * part / parts;
  }

  private Long writeTable(SyntheticTable table, int part, int parts) throws IOException {
    SyntheticArchive archive = archives.get();
    long from = archive.happens(firstOf(part, parts));
    long to = part + 1 == parts ? Long.MAX_VALUE : archive.happens(firstOf(part + 1, parts));
    Path file =
        folder.resolve(
            String.format(
                Locale.ROOT,
                "%s-%05d-of-%05d%s",
                table.files(),
                part,
                parts,
                request.format().ending()));
    long[] count = new long[1];
    try (RecordFile records = open(table, file)) {
      archive.records(
          table,
          from,
          to,
          each -> {
            write(records, each);
            count[0]++;
          });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return count[0];
  }

  private RecordFile open(SyntheticTable table, Path file) throws IOException {
    return request.format() == ArchiveFormat.PARQUET
        ? new ParquetRecords(table.columns(request.profile()), file)
        : new JsonRecords(
            table.columns(request.profile()),
            new BufferedOutputStream(Files.newOutputStream(file), 1 << 18));
  }

  private static void write(RecordFile records, SyntheticRecord each) {
    try {
      records.write(each);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private OutputStream truthPart(int part) throws IOException {
    String name = String.format(Locale.ROOT, TRUTH_PART, part);
    return new BufferedOutputStream(Files.newOutputStream(folder.resolve(name)), 1 << 16);
  }

  private Long writeTruth(int part, int parts) throws IOException {
    long[] count = new long[1];
    try (OutputStream out = truthPart(part)) {
      archives
          .get()
          .truth(
              firstOf(part, parts),
              firstOf(part + 1, parts),
              line -> {
                if (line.shared()) {
                  share(line);
                } else {
                  count[0]++;
                  writeLine(line.json(), out);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return count[0];
  }

  /** What several faults lead to together is known once, whichever of them comes first. */
  private void share(TruthLine line) {
    synchronized (shared) {
      shared.add(line.json());
    }
  }

  private static void writeLine(String line, OutputStream out) {
    try {
      out.write(line.getBytes(StandardCharsets.UTF_8));
      out.write('\n');
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /**
   * Writes the file of strays, which the number of events bounds by the rates of its faults, and
   * says which of its lines nobody can read.
   */
  private Long writeStrays(int truthPart) throws IOException {
    long[] line = new long[1];
    ByteArrayOutputStream buffer = new ByteArrayOutputStream();
    try (OutputStream out =
            new BufferedOutputStream(Files.newOutputStream(folder.resolve(Stray.FILE)));
        OutputStream truth = truthPart(truthPart);
        JsonRecords records =
            new JsonRecords(SyntheticTable.EVENTS.columns(request.profile()), buffer)) {
      archives
          .get()
          .strays(
              stray -> {
                line[0]++;
                writeStray(stray, records, buffer, out);
                if (stray.cut()) {
                  TruthLine error = SyntheticArchive.unreadable(line[0]);
                  writeLine(error.json(), truth);
                }
              });
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return line[0];
  }

  private static void writeStray(
      Stray stray, JsonRecords records, ByteArrayOutputStream buffer, OutputStream out) {
    try {
      buffer.reset();
      records.write(stray.record(), stray.name(), stray.value());
      records.flush();
      if (stray.cut()) {
        out.write(buffer.toByteArray(), 0, buffer.size() / 2);
        out.write('\n');
      } else {
        buffer.writeTo(out);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** Puts the parts of the truth together; how many of its lines none of the parts has counted. */
  private long joinTruth() throws IOException {
    long uncounted = shared.size();
    List<Path> parts;
    try (Stream<Path> entries = Files.list(folder)) {
      parts = new ArrayList<>(entries.filter(path -> path.toString().endsWith(".part")).toList());
    }
    Collections.sort(parts);
    try (OutputStream out =
        new BufferedOutputStream(Files.newOutputStream(folder.resolve(TRUTH)), 1 << 16)) {
      for (int i = 0; i < parts.size(); i++) {
        if (i == files()) {
          try (Stream<String> lines = Files.lines(parts.get(i))) {
            uncounted += lines.count();
          }
        }
        Files.copy(parts.get(i), out);
        Files.delete(parts.get(i));
      }
      for (String line : shared) {
        writeLine(line, out);
      }
    }
    return uncounted;
  }
}

package dev.constat.pipelines.tables;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/**
 * What tests need that a machine may lack. A test that needs it is skipped there, and says so;
 * where {@code CONSTAT_SERVICES} is {@code required}, as in {@code .ci/run}, it fails instead.
 */
final class Services {

  private static final Path BRIDGE = Path.of("src", "test", "clickhouse");

  private Services() {}

  /** The folder of the bridge to ClickHouse's engine, installed. */
  static Path clickhouse() {
    boolean there =
        Files.isDirectory(BRIDGE.resolve("node_modules/chdb")) && command("node").isPresent();
    need(there, "ClickHouse's engine: npm install in pipelines/src/test/clickhouse, with Node 20");
    return BRIDGE;
  }

  /** The folder of PostgreSQL's programs. */
  static Path postgres() {
    Optional<Path> folder = installed(Path.of("/usr/lib/postgresql")).or(() -> command("initdb"));
    need(folder.isPresent(), "PostgreSQL's server: Debian's package postgresql");
    return folder.get();
  }

  private static void need(boolean there, String what) {
    if ("required".equals(System.getenv("CONSTAT_SERVICES"))) {
      assertThat(there).as(what).isTrue();
    } else {
      Assumptions.assumeTrue(there, "NOT TESTED HERE, for want of " + what);
    }
  }

  /** The programs of the newest version below a folder. */
  private static Optional<Path> installed(Path versions) {
    if (!Files.isDirectory(versions)) {
      return Optional.empty();
    }
    try (Stream<Path> all = Files.list(versions)) {
      return all.map(version -> version.resolve("bin"))
          .filter(programs -> Files.isExecutable(programs.resolve("initdb")))
          .max(Path::compareTo);
    } catch (IOException e) {
      throw new IllegalStateException(e);
    }
  }

  /** The folder of {@code PATH} that has a command. */
  private static Optional<Path> command(String name) {
    return List.of(System.getenv("PATH").split(":", -1)).stream()
        .map(Path::of)
        .filter(folder -> Files.isExecutable(folder.resolve(name)))
        .findFirst();
  }
}

package dev.constat.pipelines.tables;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Properties;

/** A PostgreSQL server of a test's own, on loopback. */
final class Postgres implements AutoCloseable {

  static final String USER = "constat";
  static final String PASSWORD = "correct horse";

  private final Path programs;
  private final Path folder;
  private final int port;

  private Postgres(Path programs, Path folder, int port) {
    this.programs = programs;
    this.folder = folder;
    this.port = port;
  }

  /** Starts one whose data lie in {@code folder}, which is created. */
  static Postgres start(Path folder) throws IOException, InterruptedException {
    Path programs = Services.postgres();
    Files.createDirectories(folder);
    int port;
    try (ServerSocket free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      port = free.getLocalPort();
    }
    Postgres server = new Postgres(programs, folder, port);
    Path password = folder.resolve("password");
    Files.writeString(password, PASSWORD);
    if (isRoot()) {
      // The server refuses to be root.
      run("chown", "-R", "postgres", folder.toString());
      for (Path above = folder; above != null; above = above.getParent()) {
        if (Files.isDirectory(above) && above.startsWith("/tmp") && !above.endsWith("tmp")) {
          Files.setPosixFilePermissions(above, PosixFilePermissions.fromString("rwxr-xr-x"));
        }
      }
    }
    server.program(
        "initdb",
        "--pgdata=" + folder.resolve("data"),
        "--username=" + USER,
        "--pwfile=" + password,
        "--auth=scram-sha-256",
        "--encoding=UTF8",
        "--locale=C",
        "--no-sync");
    server.program(
        "pg_ctl",
        "start",
        "--wait",
        "--pgdata=" + folder.resolve("data"),
        "--log=" + folder.resolve("log"),
        "--options=-p "
            + port
            + " -c listen_addresses=127.0.0.1 -c fsync=off"
            + " -c timezone=America/New_York -c unix_socket_directories="
            + folder);
    return server;
  }

  /** URL of the database. */
  String jdbc() {
    return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
  }

  /** A connection that may do everything. */
  Connection connect() throws SQLException {
    Properties properties = new Properties();
    properties.setProperty("user", USER);
    properties.setProperty("password", PASSWORD);
    return DriverManager.getConnection(jdbc(), properties);
  }

  /** Runs a statement. */
  void run(String sql) throws SQLException {
    try (Connection connection = connect();
        Statement statement = connection.createStatement()) {
      statement.execute(sql);
    }
  }

  @Override
  public void close() throws IOException, InterruptedException {
    program("pg_ctl", "stop", "--mode=immediate", "--pgdata=" + folder.resolve("data"));
  }

  private void program(String name, String... arguments) throws IOException, InterruptedException {
    List<String> command = new ArrayList<>();
    if (isRoot()) {
      command.addAll(List.of("setpriv", "--reuid=postgres", "--regid=postgres", "--clear-groups"));
    }
    command.add(programs.resolve(name).toString());
    command.addAll(List.of(arguments));
    run(command.toArray(String[]::new));
  }

  private static boolean isRoot() {
    return System.getProperty("user.name").equals("root");
  }

  private static void run(String... command) throws IOException, InterruptedException {
    Path output = Files.createTempFile("constat", ".log");
    try {
      int code =
          new ProcessBuilder(command)
              .directory(Path.of("/").toFile())
              .redirectErrorStream(true)
              .redirectOutput(output.toFile())
              .start()
              .waitFor();
      if (code != 0) {
        throw new IllegalStateException(
            String.join(" ", command) + " ended with " + code + ": " + Files.readString(output));
      }
    } finally {
      Files.delete(output);
    }
  }
}

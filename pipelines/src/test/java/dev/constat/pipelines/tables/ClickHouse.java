package dev.constat.pipelines.tables;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.TimeUnit;

/** ClickHouse's engine in a process of its own, for as long as a test needs it. */
final class ClickHouse implements AutoCloseable {

  private final Process process;
  private final int port;

  private ClickHouse(Process process, int port) {
    this.process = process;
    this.port = port;
  }

  /** Starts one whose data lie in {@code folder}. */
  static ClickHouse start(Path folder) throws IOException {
    Path bridge = Services.clickhouse();
    Files.createDirectories(folder);
    ProcessBuilder builder =
        new ProcessBuilder(
            "node", bridge.resolve("bridge.mjs").toString(), folder.toAbsolutePath().toString());
    builder.environment().put("UV_THREADPOOL_SIZE", "16");
    builder.environment().put("TZ", "UTC");
    Process process = builder.redirectError(ProcessBuilder.Redirect.INHERIT).start();
    BufferedReader said =
        new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    String ready = said.readLine();
    if (ready == null || !ready.startsWith("ready ")) {
      process.destroyForcibly();
      throw new IllegalStateException("The bridge to ClickHouse did not start: " + ready);
    }
    return new ClickHouse(process, Integer.parseInt(ready.split(" ", -1)[1]));
  }

  /** URL of the database. */
  String jdbc() {
    return "jdbc:clickhouse://127.0.0.1:" + port + "/default?compress=false";
  }

  /** Runs a statement. */
  void run(String sql) throws IOException, InterruptedException {
    post("/", sql);
  }

  /**
   * Lets the next query go wrong.
   *
   * @param match what its text holds
   * @param rows how many rows come before
   * @param how {@code cut}, {@code tear}, {@code error}, {@code text} or {@code hang}
   */
  void breakNext(String match, int rows, String how) throws IOException, InterruptedException {
    post(
        "/-/fault?match="
            + URLEncoder.encode(match, StandardCharsets.UTF_8)
            + "&rows="
            + rows
            + "&how="
            + how,
        "");
  }

  private void post(String path, String body) throws IOException, InterruptedException {
    var answer =
        HttpClient.newHttpClient()
            .send(
                HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path))
                    .POST(HttpRequest.BodyPublishers.ofString(body))
                    .build(),
                BodyHandlers.ofString());
    if (answer.statusCode() != 200) {
      throw new IllegalStateException(body + ": " + answer.body());
    }
  }

  @Override
  public void close() throws InterruptedException, IOException {
    process.getOutputStream().close();
    if (!process.waitFor(10, TimeUnit.SECONDS)) {
      process.destroyForcibly();
    }
  }
}

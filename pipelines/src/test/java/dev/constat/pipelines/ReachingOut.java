package dev.constat.pipelines;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.channels.DatagramChannel;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/**
 * A program that does all that Constat must not: it tries to reach an address that belongs to
 * nobody (192.0.2.0/24 is for examples), and says which attempts came through.
 */
public final class ReachingOut {

  private ReachingOut() {}

  @FunctionalInterface
  private interface Attempt {

    void make() throws IOException, InterruptedException;
  }

  /**
   * Tries.
   *
   * @param args a file to write and delete
   */
  public static void main(String[] args) throws InterruptedException {
    byte[] nobody = {(byte) 192, 0, 2, 1};
    attempt(
        "Socket",
        () -> {
          try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getByAddress(nobody), 1001), 300);
          }
        });
    attempt(
        "SocketChannel",
        () -> {
          try (SocketChannel channel = SocketChannel.open()) {
            channel
                .socket()
                .connect(new InetSocketAddress(InetAddress.getByAddress(nobody), 1002), 300);
          }
        });
    attempt(
        "HttpClient",
        () ->
            HttpClient.newBuilder()
                .connectTimeout(Duration.ofMillis(300))
                .build()
                .send(
                    HttpRequest.newBuilder(URI.create("http://192.0.2.1:1003/"))
                        .timeout(Duration.ofMillis(300))
                        .build(),
                    HttpResponse.BodyHandlers.discarding()));
    attempt(
        "DatagramSocket",
        () -> {
          try (DatagramSocket socket = new DatagramSocket(1004)) {
            socket.send(new DatagramPacket(nobody, 1, InetAddress.getByAddress(nobody), 1005));
          }
        });
    attempt(
        "DatagramChannel", () -> DatagramChannel.open().bind(new InetSocketAddress(1006)).close());
    attempt("ServerSocket", () -> new ServerSocket(1007).close());
    attempt(
        "ServerSocketChannel",
        () -> ServerSocketChannel.open().bind(new InetSocketAddress(1008)).close());
    attempt("InetAddress", () -> InetAddress.getByName("constat.invalid"));
    attempt("ProcessBuilder", () -> new ProcessBuilder("true").start().waitFor());
    attempt("Files", () -> Files.delete(Files.writeString(Path.of(args[0]), "")));
    attempt("System", () -> System.getenv("CONSTAT_SECRET"));
  }

  private static void attempt(String through, Attempt attempt) throws InterruptedException {
    try {
      attempt.make();
      System.out.println(through + " came through");
    } catch (IOException e) {
      System.out.println(through + " did not");
    }
  }
}

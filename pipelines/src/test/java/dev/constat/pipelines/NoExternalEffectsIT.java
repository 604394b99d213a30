package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import jdk.jfr.consumer.RecordedEvent;
import jdk.jfr.consumer.RecordingFile;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The whole job, as a process of its own, writes below {@code --out} and into the temporary folder
 * and talks to nobody.
 *
 * <p>Two proofs, of which the first holds on every machine. The JVM itself records each write to a
 * file and each byte over a socket; and what stands in the folders before and after is compared.
 * Where the system lets this user have a network of its own (Linux, user namespaces), the process
 * also runs in one that has no way out but the loopback device, which embedded Flink listens on, so
 * that an attempt of any kind would fail. Where it does not, the run is the same with the network
 * as it is, and the output of the test says so.
 */
final class NoExternalEffectsIT {

  private static final String RECORDED =
      "settings=none"
          + ",+jdk.FileWrite#enabled=true,+jdk.FileWrite#threshold=0ms"
          + ",+jdk.SocketRead#enabled=true,+jdk.SocketRead#threshold=0ms"
          + ",+jdk.SocketWrite#enabled=true,+jdk.SocketWrite#threshold=0ms"
          + ",dumponexit=true,filename=";

  private static final List<String> CUT_OFF =
      List.of(
          "unshare",
          "--map-root-user",
          "--net",
          "sh",
          "-c",
          "ip link set lo up && exec \"$@\"",
          "cut-off");

  @TempDir private Path temporary;

  @ParameterizedTest
  @ValueSource(strings = {"direct", "embedded"})
  void nothingIsWrittenElsewhereAndNobodyIsCalled(String runner) throws Exception {
    boolean cutOff = canBeCutOff();
    System.out.println("The network: " + (cutOff ? "cut off" : "as it is, no namespaces here"));
    Path folder = Files.createDirectories(temporary.toRealPath().resolve("folder"));
    Path jvm = Files.createDirectories(temporary.toRealPath().resolve("jvm"));
    Path out = temporary.toRealPath().resolve("out");
    Path recording = jvm.resolve("recording.jfr");
    TestFolders.copy("quickstart", folder);
    Map<String, String> before = TestFolders.everything(folder);

    JarProcess process =
        JarProcess.start(
            cutOff ? CUT_OFF : List.of(),
            folder,
            jvm,
            List.of("-Xlog:jfr*=off", "-XX:StartFlightRecording=" + RECORDED + recording),
            List.of(
                "reconcile",
                "quickstart/constat.yaml",
                "--out",
                out.toString(),
                "--runner",
                runner));

    assertThat(process.exitCode()).as(process.err()).isEqualTo(1);
    assertThat(process.out()).contains("\nDISCREPANCIES\n");
    assertThat(process.err().lines()).allMatch(line -> line.startsWith("constat: "));
    assertThat(TestFolders.everything(folder)).as("what it stood in and read").isEqualTo(before);
    assertThat(TestFolders.everything(temporary).keySet())
        .as("what is beside")
        .allMatch(name -> name.matches("(folder|out|jvm)(/.*)?"));
    assertThat(TestFolders.names(jvm))
        .containsExactlyInAnyOrder("tmp", "stdout", "stderr", "recording.jfr");

    Recorded recorded = read(recording, folder);
    assertThat(recorded.files).as("the recording saw the run").isNotEmpty();
    assertThat(recorded.files)
        .as("files that were written")
        .allMatch(file -> file.startsWith(out) || file.startsWith(jvm.resolve("tmp")));
    assertThat(recorded.peers).as("those it talked to").isEmpty();

    Answer here =
        Answer.to(
            "reconcile",
            folder.resolve("quickstart/constat.yaml"),
            "--out",
            temporary.resolve("here"),
            "--runner",
            "direct");
    assertThat(here.exitCode()).isEqualTo(1);
    assertThat(TestFolders.digests(TestFolders.onlyRun(out)))
        .as("the same run as with a network")
        .isEqualTo(TestFolders.digests(TestFolders.onlyRun(temporary.resolve("here"))));
  }

  /** What a recording holds. */
  private record Recorded(TreeSet<Path> files, TreeSet<String> peers) {}

  private static Recorded read(Path recording, Path folder) throws IOException {
    Recorded recorded = new Recorded(new TreeSet<>(), new TreeSet<>());
    try (RecordingFile events = new RecordingFile(recording)) {
      while (events.hasMoreEvents()) {
        RecordedEvent event = events.readEvent();
        switch (event.getEventType().getName()) {
          case "jdk.FileWrite" -> {
            String path = event.getString("path");
            if (path != null) { // stdout and stderr have none
              recorded.files.add(folder.resolve(path).normalize());
            }
          }
          case "jdk.SocketRead", "jdk.SocketWrite" ->
              recorded.peers.add(event.getString("address") + ":" + event.getInt("port"));
          default -> {
            // the recording's own
          }
        }
      }
    }
    return recorded;
  }

  private static boolean canBeCutOff() throws InterruptedException {
    List<String> command = new ArrayList<>(CUT_OFF);
    command.add("true");
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .start();
      return process.waitFor() == 0;
    } catch (IOException e) {
      return false; // there is no such command
    }
  }
}

package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.TreeMultimap;
import com.google.common.hash.Hashing;
import java.io.IOException;
import java.net.InetAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Every command, as a process of its own, writes below the folder it is given and into the
 * temporary folder, which it leaves empty, and talks to nobody.
 *
 * <p>Three proofs. What stands in the folder it works in, in the home of its user and in the
 * outputs of others is the same before and after, to the times of files. A {@link Witness} in the
 * process sees each attempt to reach out, also one that fails. And where the system lets this user
 * have a network of its own (Linux, user namespaces), the process runs in one without any device
 * that is up; on embedded Flink, which listens on the loopback device, that one alone is. On a
 * system without such networks the first two proofs stand alone, and the output of the test says
 * so; on a Java without security managers (24 and newer) the third has to be there.
 */
final class NoExternalEffectsIT {

  private static final String QUICKSTART = "quickstart/constat.yaml";
  private static final String TWO_VERSIONS = "rebuild-two-versions/constat.yaml";

  /** Every command, in an order in which each finds what it reads; a new one is one line more. */
  private static final List<Command> COMMANDS =
      List.of(
          Command.of(0, "--version"),
          Command.of(0, "--help"),
          Command.of(0, "schema", "--defaults"),
          Command.of(0, "generate", "--events=300", "--out=archive"),
          Command.of(1, "reconcile", "../out/archive/constat.yaml", "--run-id=r", "--out=made"),
          Command.of(0, "score", "../out/made/r", "../out/archive/truth.jsonl"),
          Command.of(
              1,
              "reconcile",
              QUICKSTART,
              "--runner=direct",
              "--run-id=r",
              "--out=direct",
              "--format=json"),
          Command.of(
              1, "reconcile", QUICKSTART, "--runner=embedded", "--run-id=r", "--out=embedded"),
          Command.of(0, "explain", "venue-a", "T-002044", "--run=../out/direct/r"),
          Command.of(0, "rebuild", TWO_VERSIONS, "--projection=volume", "--out=rebuilt"),
          Command.of(
              0,
              "plan-replay",
              QUICKSTART,
              "--topic=trade",
              "--from=2026-01-06T14:00:00Z",
              "--to=2026-01-06T14:10:00Z",
              "--out=replay"),
          Command.of(0, "plan-replay", QUICKSTART, "--pending-repair", "--out=repair"),
          Command.of(0, "verify", "../out/direct/r", "--runner=direct"),
          Command.of(0, "schema", "--baseline"),
          Command.of(0, "ack", "--help"));

  /** Variables of the environment that are read, and by whom. */
  private static final Pattern VARIABLES =
      Pattern.compile(
          "NO_COLOR" // by Constat and picocli: whether to write in colours
              + "|picocli\\..*" // by picocli: other words for what the user sees
              + "|FLINK_CONF_DIR" // by Flink: where its settings are
              + "|LZ4JAVA_KEEP_TEMP_JNI_LIB"); // by a codec of Flink's: whether to tidy up

  private static final List<String> CUT_OFF = List.of("unshare", "--map-root-user", "--net");
  private static final List<String> LOOPBACK_ALONE =
      List.of(
          "unshare",
          "--map-root-user",
          "--net",
          "sh",
          "-c",
          "ip link set lo up && exec \"$@\"",
          "cut-off");

  private static final boolean WITNESS = Runtime.version().feature() < 24;

  @TempDir private Path temporary;

  private Path work;
  private Path home;
  private Path out;
  private boolean networksOfItsOwn;

  /**
   * A command.
   *
   * @param exitCode how it ends
   * @param args its name and arguments; the last one may name a folder of its own with {@code
   *     --out}
   */
  private record Command(int exitCode, List<String> args) {

    static Command of(int exitCode, String... args) {
      return new Command(exitCode, List.of(args));
    }

    /** The folder that it may write to, or null. */
    String writes() {
      return args.stream()
          .filter(arg -> arg.startsWith("--out="))
          .map(arg -> arg.substring("--out=".length()))
          .findFirst()
          .orElse(null);
    }

    boolean isOnFlink() {
      return args.contains("--runner=embedded");
    }

    List<String> args(Path out) {
      return args.stream().map(arg -> arg.replace("--out=", "--out=" + out + "/")).toList();
    }
  }

  @BeforeEach
  void standsInAFolder() throws Exception {
    Path base = temporary.toRealPath();
    work = Files.createDirectories(base.resolve("work"));
    home = Files.createDirectories(base.resolve("home"));
    out = Files.createDirectories(base.resolve("out"));
    networksOfItsOwn = works(CUT_OFF) && works(LOOPBACK_ALONE);
    System.out.println(
        "The network: " + (networksOfItsOwn ? "cut off" : "as it is, no namespaces here"));
    assertThat(WITNESS || networksOfItsOwn)
        .as("a security manager or a network of its own")
        .isTrue();
  }

  @Test
  void noCommandWritesElsewhereOrCallsAnybody() throws Exception {
    TestFolders.copy("quickstart", work);
    TestFolders.copy("rebuild-two-versions", work);
    Files.writeString(home.resolve(".profile"), "# somebody's\n");

    TreeMultimap<String, String> forbidden = TreeMultimap.create();
    for (int i = 0; i < COMMANDS.size(); i++) {
      Command command = COMMANDS.get(i);
      String name = String.join(" ", command.args());
      Path own = command.writes() == null ? null : out.resolve(command.writes());
      Map<String, String> before = everythingBut(own);
      Path jvm = Files.createDirectories(temporary.toRealPath().resolve("jvm-" + i));

      JarProcess process =
          launch(
              command.isOnFlink() ? LOOPBACK_ALONE : CUT_OFF,
              jvm,
              List.of("-jar", JarProcess.JAR.toString()),
              command.args(out));

      assertThat(process.exitCode()).as(name + "\n" + process.err()).isEqualTo(command.exitCode());
      assertThat(process.out()).as(name).isNotEmpty();
      assertThat(process.err().lines()).as(name).allMatch(NoExternalEffectsIT::isOurs);
      assertThat(everythingBut(own)).as("beside what is written by: " + name).isEqualTo(before);
      assertThat(TestFolders.everything(jvm.resolve("tmp")))
          .as("left in the temporary folder by: " + name)
          .isEmpty();
      if (WITNESS) {
        attempts(jvm).stream()
            .filter(allowedTo(own, jvm.resolve("tmp"), command.isOnFlink()).negate())
            .forEach(attempt -> forbidden.put(name, attempt));
      }
    }

    assertThat(forbidden.asMap()).as("attempts to reach out, by command").isEmpty();
    try (Stream<Path> entries = Files.list(temporary)) {
      assertThat(entries.map(entry -> entry.getFileName().toString()))
          .as("beside the folders that were handed out")
          .allMatch(name -> name.matches("work|home|out|jvm-\\d+"));
    }
    assertThat(TestFolders.digests(out.resolve("embedded/r")))
        .as("the same run by both runners, both cut off")
        .isEqualTo(TestFolders.digests(out.resolve("direct/r")));
  }

  /** What was found above was looked for: a program that reaches out is caught at all of it. */
  @Test
  void aProgramThatReachesOutIsCaught() throws Exception {
    Path jvm = Files.createDirectories(temporary.toRealPath().resolve("jvm"));
    Path file = home.resolve("planted");
    String classes =
        Path.of(ReachingOut.class.getProtectionDomain().getCodeSource().getLocation().toURI())
            .toString();

    JarProcess process =
        launch(
            CUT_OFF,
            jvm,
            List.of("-cp", classes, ReachingOut.class.getName()),
            List.of(file.toString()));

    assertThat(process.exitCode()).as(process.err()).isZero();
    if (networksOfItsOwn) {
      assertThat(process.out().lines())
          .contains(
              "Socket did not",
              "SocketChannel did not",
              "HttpClient did not",
              "DatagramSocket did not",
              "InetAddress did not");
    }
    if (WITNESS) {
      List<String> attempts = attempts(jvm);
      assertThat(attempts)
          .contains(
              "connect 192.0.2.1:1001",
              "connect 192.0.2.1:1002",
              "connect 192.0.2.1:1003",
              "listen 1004",
              "connect 192.0.2.1:1005",
              "listen 1006",
              "listen 1007",
              "listen 1008",
              "resolve constat.invalid",
              "start true",
              "write " + file,
              "delete " + file,
              "variable CONSTAT_SECRET");
      assertThat(attempts.stream().filter(allowedTo(out, jvm.resolve("tmp"), false)))
          .allMatch(attempt -> attempt.startsWith("load "));
    }
  }

  private JarProcess launch(List<String> network, Path jvm, List<String> program, List<String> args)
      throws IOException {
    List<String> options = new ArrayList<>(List.of("-Duser.home=" + home));
    if (WITNESS) {
      Path classes = Files.createDirectories(jvm.resolve("witness"));
      String file = Witness.class.getName().replace('.', '/') + ".class";
      Files.createDirectories(classes.resolve(file).getParent());
      try (var stream = Witness.class.getResourceAsStream("/" + file)) {
        Files.copy(stream, classes.resolve(file));
      }
      options.addAll(
          List.of(
              "-Xbootclasspath/a:" + classes,
              "-Djava.security.manager=" + Witness.class.getName(),
              "-D" + Witness.FILE + "=" + jvm.resolve("attempts")));
    }
    return JarProcess.launch(
        networksOfItsOwn ? network : List.of(),
        work,
        jvm,
        Map.of("HOME", home.toString()),
        options,
        program,
        args);
  }

  /** What the JVM says of the witness is not the command's. */
  private static boolean isOurs(String line) {
    return line.startsWith("constat: ") || WITNESS && line.startsWith("WARNING: ");
  }

  private static List<String> attempts(Path jvm) throws IOException {
    return List.copyOf(new TreeSet<>(Files.readAllLines(jvm.resolve("attempts"))));
  }

  private Predicate<String> allowedTo(Path own, Path tmp, boolean onFlink) throws IOException {
    // Flink asks for the name of the machine it runs on and has two ports to itself.
    String machine = onFlink ? InetAddress.getLocalHost().getHostName() : null;
    return attempt -> {
      int space = attempt.indexOf(' ');
      String what = attempt.substring(space + 1);
      return switch (attempt.substring(0, space)) {
        case "write", "delete" -> {
          Path file = work.resolve(what).normalize();
          yield file.startsWith(tmp) || own != null && isBelow(own, file);
        }
        case "variable" -> VARIABLES.matcher(what).matches();
        case "load" -> true; // code that comes with Java or in the jar
        case "listen" -> onFlink && what.equals("0");
        case "resolve" -> onFlink && List.of("localhost", "127.0.0.1", machine).contains(what);
        default -> false;
      };
    };
  }

  /** Also beside it, under its own name behind a dot, what is not whole yet, and its lock. */
  private static boolean isBelow(Path own, Path file) {
    Path all = own.getParent();
    if (file.equals(all)) {
      return true; // is there, and stays as it is
    }
    return file.startsWith(all)
        && all.relativize(file)
            .getName(0)
            .toString()
            .matches(
                Pattern.quote(own.getFileName().toString()) + "|\\." + own.getFileName() + "\\..*");
  }

  /** What stands in the folders that were handed out, but for the folder {@code own}. */
  private Map<String, String> everythingBut(Path own) throws IOException {
    Map<String, String> found = new TreeMap<>();
    for (Path folder : List.of(work, home, out)) {
      try (Stream<Path> all = Files.walk(folder)) {
        for (Path path : all.filter(p -> own == null || !p.startsWith(own)).toList()) {
          String state =
              Files.isRegularFile(path, LinkOption.NOFOLLOW_LINKS)
                  ? Hashing.sha256().hashBytes(Files.readAllBytes(path)).toString()
                  : "no file";
          // What is written to changes the folder above it.
          String time = path.equals(out) ? "" : Files.getLastModifiedTime(path).toString();
          found.put(
              path.toString(),
              String.join(
                  " ",
                  state,
                  time,
                  Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS).toString()));
        }
      }
    }
    return found;
  }

  private static boolean works(List<String> prefix) throws InterruptedException {
    List<String> command = new ArrayList<>(prefix);
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

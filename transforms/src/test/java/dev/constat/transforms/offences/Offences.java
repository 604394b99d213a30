package dev.constat.transforms.offences;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Random;

/** Classes that do, one each, what the transforms must not; none of them is ever run. */
public final class Offences {

  private Offences() {}

  /** Harmless. */
  public static final class Counts {
    int offend(List<String> texts) {
      return texts.size();
    }
  }

  /** Knows a library that is not for it. */
  public static final class KnowsStranger {
    Object offend() {
      return new org.assertj.core.api.SoftAssertions();
    }
  }

  /** Knows a runner. */
  public static final class KnowsRunner {
    Class<?> offend() {
      return org.apache.beam.runners.direct.DirectRunner.class;
    }
  }

  /** Finds files through Beam. */
  public static final class UsesFilesOfBeam {
    Object offend() {
      return org.apache.beam.sdk.io.TextIO.read();
    }
  }

  /** Connects. */
  public static final class OpensSocket {
    Socket offend() throws IOException {
      return new Socket("constat.invalid", 1);
    }
  }

  /** Asks a name server. */
  public static final class LooksUpName {
    InetAddress offend() throws IOException {
      return InetAddress.getByName("constat.invalid");
    }
  }

  /** Connects to a database. */
  public static final class QueriesDatabase {
    Object offend() throws SQLException {
      return DriverManager.getConnection("jdbc:none:");
    }
  }

  /** Reads a file. */
  public static final class ReadsFile {
    byte[] offend(Path file) throws IOException {
      return Files.readAllBytes(file);
    }
  }

  /** Knows a file. */
  public static final class KnowsFile {
    boolean offend(File file) {
      return file.exists();
    }
  }

  /** Starts a program. */
  public static final class StartsProcess {
    Process offend() throws IOException {
      return new ProcessBuilder("true").start();
    }
  }

  /** Starts a thread. */
  public static final class StartsThread {
    void offend() {
      new Thread(() -> {}).start();
    }
  }

  /** Finds a class that is not named. */
  public static final class FindsClassByName {
    Class<?> offend() throws ClassNotFoundException {
      return Class.forName("java.net.Socket");
    }
  }

  /** Calls a method that is not named. */
  public static final class CallsMethodByName {
    Object offend(Object target) throws ReflectiveOperationException {
      return target.getClass().getMethod("connect").invoke(target);
    }
  }

  /** Is machine code. */
  public static final class IsMachineCode {
    native void offend();
  }

  /** Asks the clock. */
  public static final class AsksClock {
    Instant offend() {
      return Instant.now();
    }
  }

  /** Asks chance. */
  public static final class AsksChance {
    int offend() {
      return new Random().nextInt();
    }
  }

  /** Reads a variable. */
  public static final class ReadsVariable {
    String offend() {
      return System.getenv("HOME");
    }
  }

  /** Ends the command. */
  public static final class Exits {
    void offend() {
      System.exit(0);
    }
  }

  /** Loads machine code. */
  public static final class LoadsMachineCode {
    void offend() {
      System.loadLibrary("none");
    }
  }

  /** Goes through a map in an order of the JVM's own. */
  public static final class HasNoOrder {
    Map<String, Integer> offend() {
      return Map.of("a", 1, "b", 2);
    }
  }
}

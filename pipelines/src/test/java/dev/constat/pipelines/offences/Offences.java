package dev.constat.pipelines.offences;

import java.io.FileOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.channels.FileChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ServiceLoader;
import javax.naming.InitialContext;
import javax.naming.NamingException;
import org.apache.beam.sdk.io.TextIO;

/** Classes that do, one each, what the pipelines must not; none of them is ever run. */
public final class Offences {

  private Offences() {}

  /** Harmless: reads a file that it is given. */
  public static final class ReadsFile {
    byte[] offend(Path file) throws IOException {
      try (FileChannel channel = FileChannel.open(file)) {
        return channel.size() == 0 ? new byte[0] : Files.readAllBytes(file);
      }
    }
  }

  /** Connects. */
  public static final class OpensSocket {
    Socket offend() throws IOException {
      return new Socket("constat.invalid", 1);
    }
  }

  /** Connects through a channel. */
  public static final class OpensChannel {
    SocketChannel offend() throws IOException {
      return SocketChannel.open();
    }
  }

  /** Sends a datagram. */
  public static final class SendsDatagram {
    void offend(DatagramSocket socket, DatagramPacket packet) throws IOException {
      socket.send(packet);
    }
  }

  /** Listens. */
  public static final class Listens {
    ServerSocket offend() throws IOException {
      return new ServerSocket(0);
    }
  }

  /** Asks a web server. */
  public static final class AsksOverHttp {
    HttpClient offend() {
      return HttpClient.newHttpClient();
    }
  }

  /** Asks a web server in the old way. */
  public static final class OpensUrl {
    InputStream offend() throws IOException {
      return URI.create("http://constat.invalid/").toURL().openStream();
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
    Connection offend() throws SQLException {
      return DriverManager.getConnection("jdbc:none:");
    }
  }

  /** Asks a directory. */
  @SuppressWarnings("BanJNDI") // that is the offence
  public static final class LooksUpService {
    Object offend() throws NamingException {
      return new InitialContext();
    }
  }

  /** Goes past the archives. */
  public static final class ReadsThroughBeam {
    Object offend() {
      return TextIO.read().from("anywhere");
    }
  }

  /** Starts a program. */
  public static final class StartsProcess {
    Process offend() throws IOException {
      return new ProcessBuilder("true").start();
    }
  }

  /** Looks for a program. */
  public static final class FindsProcess {
    Object offend() {
      return ProcessHandle.current();
    }
  }

  /** Starts a program in the old way. */
  public static final class StartsProgram {
    void offend() throws IOException {
      Runtime.getRuntime().exec(new String[] {"true"});
    }
  }

  /** Loads machine code. */
  public static final class LoadsMachineCode {
    void offend() {
      System.loadLibrary("none");
    }
  }

  /** Ends the JVM behind everybody's back. */
  public static final class Halts {
    void offend() {
      Runtime.getRuntime().halt(0);
    }
  }

  /** Is machine code. */
  public static final class IsMachineCode {
    native void offend();
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

  /** Calls a method that is not named, in the new way. */
  public static final class FindsMethodHandle {
    MethodHandle offend(Class<?> type) throws ReflectiveOperationException {
      return MethodHandles.lookup().findVirtual(type, "connect", MethodType.methodType(void.class));
    }
  }

  /** Takes in whatever is there. */
  public static final class FindsService {
    ServiceLoader<Runnable> offend() {
      return ServiceLoader.load(Runnable.class);
    }
  }

  /** Ends the command. */
  public static final class Exits {
    void offend() {
      System.exit(0);
    }
  }

  /** Writes a file. */
  public static final class WritesFile {
    void offend(Path file) throws IOException {
      Files.write(file, new byte[0]);
    }
  }

  /** Opens a file to write. */
  public static final class OpensFileToWrite {
    FileChannel offend(Path file) throws IOException {
      return FileChannel.open(file, StandardOpenOption.WRITE);
    }
  }

  /** Writes a file in the old way. */
  public static final class WritesStream {
    OutputStream offend(Path file) throws IOException {
      return new FileOutputStream(file.toFile());
    }
  }

  /** Deletes a file. */
  public static final class DeletesFile {
    boolean offend(Path file) {
      return file.toFile().delete();
    }
  }

  /** Makes a folder. */
  public static final class MakesFolder {
    Path offend(Path folder) throws IOException {
      return Files.createDirectory(folder);
    }
  }

  /** Reads a variable. */
  public static final class ReadsVariable {
    String offend() {
      return System.getenv("HOME");
    }
  }

  /** Reads what the JVM was told. */
  public static final class ReadsSetting {
    String offend() {
      return System.getProperty("user.home");
    }
  }

  /** Has Hadoop find a file. */
  public static final class AsksHadoop {
    Object offend() {
      return new org.apache.hadoop.fs.Path("anywhere");
    }
  }
}

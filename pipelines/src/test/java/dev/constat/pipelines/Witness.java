package dev.constat.pipelines;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetPermission;
import java.nio.charset.StandardCharsets;
import java.security.Permission;

/**
 * Stands in a process as its security manager, forbids nothing, and writes down every attempt to
 * reach out, one to a line and before it is made: a connection, a name to look up, a port to listen
 * on (of any protocol, through any class of the platform), a socket of the file system, a program
 * to start, a library to load, a file to write or delete, a variable of the environment to read.
 * What code outside the JVM's rules does, in a library that was loaded, it does not see; which ones
 * are loaded it does.
 */
@SuppressWarnings("removal") // for a JVM that has them: up to Java 23
public final class Witness extends SecurityManager {

  /** Names the file that it writes. */
  static final String FILE = "dev.constat.witness";

  private static final String VARIABLE = "getenv.";

  private final FileOutputStream out;

  /** Made by the JVM. */
  public Witness() throws IOException {
    out = new FileOutputStream(System.getProperty(FILE));
  }

  private synchronized void note(String attempt, Object what) {
    try {
      out.write((attempt + " " + what + "\n").getBytes(StandardCharsets.UTF_8));
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public void checkConnect(String host, int port) {
    if (port == -1) {
      note("resolve", host);
    } else {
      note("connect", host + ":" + port);
    }
  }

  @Override
  public void checkConnect(String host, int port, Object context) {
    checkConnect(host, port);
  }

  @Override
  public void checkListen(int port) {
    note("listen", port);
  }

  @Override
  public void checkAccept(String host, int port) {
    note("accept", host + ":" + port);
  }

  @Override
  public void checkMulticast(InetAddress group) {
    note("multicast", group);
  }

  @Override
  public void checkExec(String program) {
    note("start", program);
  }

  @Override
  public void checkLink(String library) {
    note("load", library);
  }

  @Override
  public void checkWrite(String file) {
    note("write", file);
  }

  @Override
  public void checkWrite(FileDescriptor open) {
    // was seen when it was opened
  }

  @Override
  public void checkDelete(String file) {
    note("delete", file);
  }

  @Override
  public void checkPrintJobAccess() {
    note("print", "");
  }

  @Override
  public void checkPermission(Permission permission) {
    String name = permission.getName();
    if (permission instanceof NetPermission && name.equals("accessUnixDomainSocket")) {
      note("connect", "a socket of the file system");
    } else if (permission instanceof RuntimePermission && name.startsWith(VARIABLE)) {
      note("variable", name.substring(VARIABLE.length()));
    }
  }

  @Override
  public void checkPermission(Permission permission, Object context) {
    checkPermission(permission);
  }

  @Override
  public void checkPackageAccess(String name) {
    // anybody may
  }

  @Override
  public void checkRead(String file) {
    // anybody may
  }

  @Override
  public void checkRead(String file, Object context) {
    // anybody may
  }

  @Override
  public void checkPropertyAccess(String name) {
    // anybody may
  }
}

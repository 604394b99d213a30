package dev.constat.pipelines.cli;

/** The command line. */
public final class Main {

  private Main() {}

  public static void main(String[] args) {
    System.err.println("usage: constat COMMAND [ARGUMENTS]");
    System.exit(2);
  }
}

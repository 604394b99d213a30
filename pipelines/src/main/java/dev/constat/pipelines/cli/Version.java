package dev.constat.pipelines.cli;

import java.io.IOException;
import java.io.InputStream;
import java.util.Properties;
import picocli.CommandLine.IVersionProvider;

/** The version of Constat, as the build wrote it down. */
final class Version implements IVersionProvider {

  private static final String RESOURCE = "/dev/constat/pipelines/version.properties";

  @Override
  public String[] getVersion() throws IOException {
    return new String[] {"constat " + current()};
  }

  /** The version alone. */
  static String current() throws IOException {
    try (InputStream stream = Version.class.getResourceAsStream(RESOURCE)) {
      Properties properties = new Properties();
      properties.load(stream);
      return properties.getProperty("version");
    }
  }
}

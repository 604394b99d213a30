package dev.constat.pipelines.generate;

import com.google.common.collect.ImmutableList;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/** The profiles that come with Constat. */
public final class PackagedProfiles {

  /** Their names. */
  public static final ImmutableList<String> NAMES = ImmutableList.of("standard", "bench");

  private PackagedProfiles() {}

  /** The text of one, if there is one of the name. */
  public static Optional<String> text(String name) throws IOException {
    if (!NAMES.contains(name)) {
      return Optional.empty();
    }
    try (InputStream stream = PackagedProfiles.class.getResourceAsStream(name + ".yaml")) {
      return Optional.of(new String(stream.readAllBytes(), StandardCharsets.UTF_8));
    }
  }
}

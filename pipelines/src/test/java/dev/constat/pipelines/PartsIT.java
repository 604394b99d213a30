package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.common.collect.ImmutableMap;
import com.google.common.collect.ImmutableSet;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.jar.JarFile;
import java.util.zip.ZipEntry;
import org.junit.jupiter.api.Test;

/** The runnable jar says what it is made of, and may be handed on. */
final class PartsIT {

  private static final Path JAR = Path.of(System.getProperty("constat.jar"));
  private static final String BILL = "META-INF/sbom/constat.cdx.json";
  private static final String LICENSES = "META-INF/licenses/";

  private static final String APACHE = "Apache-2.0";

  /** Licences under which a part may go into a whole under Apache-2.0, as bills write them. */
  private static final ImmutableSet<String> FIT =
      ImmutableSet.of(APACHE, "MIT", "BSD-2-Clause", "BSD-3-Clause");

  /** Parts of which the bill takes one licence for another; what the jar of the part says. */
  private static final ImmutableMap<String, String> SAID_BY_THE_PART =
      ImmutableMap.of("stax2-api", "BSD-2-Clause"); // "The BSD License" in its POM

  @Test
  void theBillIsTheSameForEveryBuild() throws IOException {
    JsonNode bill = bill();
    assertThat(bill.at("/bomFormat").asText()).isEqualTo("CycloneDX");
    assertThat(bill.has("serialNumber")).isFalse();
    assertThat(bill.at("/metadata").has("timestamp")).isFalse();
    assertThat(bill.at("/metadata/component/name").asText()).isEqualTo("constat-pipelines");
    assertThat(bill.at("/metadata/component/type").asText()).isEqualTo("application");
  }

  @Test
  void theBillNamesWhatIsInside() throws IOException {
    TreeSet<String> billed = new TreeSet<>();
    for (JsonNode part : bill().at("/components")) {
      billed.add(part.at("/name").asText());
    }
    assertThat(billed)
        .contains("constat-rules", "constat-transforms", "beam-sdks-java-core", "flink-runtime")
        .contains("parquet-hadoop", "jackson-databind", "guava", "picocli", "lz4-java")
        .contains("clickhouse-jdbc", "postgresql")
        .doesNotContain("junit-jupiter", "assertj-core", "archunit", "jmh-core", "duckdb_jdbc")
        .doesNotContain("parquet-avro", "avro");
  }

  @Test
  void everyPartIsUnderALicenceThatFits() throws IOException {
    TreeMap<String, List<String>> misfits = new TreeMap<>();
    for (JsonNode part : bill().at("/components")) {
      List<String> licences = licences(part);
      if (licences.stream().noneMatch(FIT::contains)) {
        misfits.put(name(part), licences);
      }
    }
    assertThat(misfits).as("parts without a licence that fits").isEmpty();
  }

  @Test
  void licencesThatAskForItTravelWithTheJar() throws IOException {
    List<String> entries = new ArrayList<>();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      jar.stream().map(ZipEntry::getName).forEach(entries::add);
    }
    for (JsonNode part : bill().at("/components")) {
      if (!licences(part).contains(APACHE)) {
        String folder = LICENSES + part.at("/name").asText() + "-jar/";
        assertThat(entries)
            .as("a licence of " + name(part))
            .anyMatch(
                entry ->
                    entry.startsWith(folder) && entry.toUpperCase(Locale.ROOT).contains("LICENSE"));
      }
    }
    assertThat(entries).contains("META-INF/LICENSE", "META-INF/NOTICE");
    // Parts that are made of parts bring theirs.
    assertThat(entries)
        .contains(
            LICENSES + "parquet-jackson-jar/META-INF/FastDoubleParser-LICENSE",
            LICENSES + "flink-runtime-jar/META-INF/NOTICE",
            LICENSES + "beam-vendor-grpc-1_60_1-jar/META-INF/license/LICENSE.boringssl.txt");
  }

  @Test
  void noClassIsThereTwice() throws IOException {
    TreeSet<String> seen = new TreeSet<>();
    try (JarFile jar = new JarFile(JAR.toFile())) {
      assertThat(jar.stream().map(ZipEntry::getName).filter(name -> name.endsWith(".class")))
          .allMatch(seen::add);
    }
  }

  private static String name(JsonNode part) {
    return part.at("/group").asText()
        + ":"
        + part.at("/name").asText()
        + ":"
        + part.at("/version").asText();
  }

  private static List<String> licences(JsonNode part) {
    List<String> found = new ArrayList<>();
    for (JsonNode licence : part.at("/licenses")) {
      found.add(
          licence.at("/license").has("id")
              ? licence.at("/license/id").asText()
              : licence.at("/license/name").asText());
    }
    String said = SAID_BY_THE_PART.get(part.at("/name").asText());
    return said == null ? found : List.of(said);
  }

  private static JsonNode bill() throws IOException {
    try (JarFile jar = new JarFile(JAR.toFile());
        InputStream in = jar.getInputStream(jar.getEntry(BILL))) {
      return new ObjectMapper().readTree(in);
    }
  }
}

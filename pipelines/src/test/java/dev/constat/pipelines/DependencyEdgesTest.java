package dev.constat.pipelines;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.base.Splitter;
import com.google.common.collect.ImmutableSet;
import com.google.common.io.Resources;
import com.tngtech.archunit.core.domain.Dependency;
import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import dev.constat.rules.table.LooksUpwards;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/**
 * Every edge between packages of Constat, of all modules, and from them to the platform and to
 * libraries, is written down in {@code dependency-edges.txt}, and nothing else is. An edge that is
 * new is a decision: it gets its line there, or does not get made.
 */
class DependencyEdgesTest {

  private static final String LIST = "dependency-edges.txt";
  private static final String OURS = "dev.constat.";

  /** Packages of the platform that only compute. */
  private static final ImmutableSet<String> COMPUTING =
      ImmutableSet.of(
          "java.lang",
          "java.math",
          "java.nio",
          "java.nio.charset",
          "java.text",
          "java.time",
          "java.time.format",
          "java.time.temporal",
          "java.util",
          "java.util.function",
          "java.util.regex",
          "java.util.stream");

  private static final JavaClasses CLASSES =
      new ClassFileImporter()
          .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
          .importPackages("dev.constat");

  @Test
  void everyEdgeIsWrittenDownAndEveryLineIsAnEdge() throws IOException {
    TreeSet<String> there = edges(CLASSES);
    TreeSet<String> allowed = allowed();

    TreeSet<String> unknown = new TreeSet<>(there);
    unknown.removeAll(allowed);
    assertThat(unknown).as("edges that " + LIST + " does not know").isEmpty();
    TreeSet<String> gone = new TreeSet<>(allowed);
    gone.removeAll(there);
    assertThat(gone).as("edges that are only in " + LIST).isEmpty();
  }

  @Test
  void modulesLookDownwardsOnly() throws IOException {
    for (String edge : allowed()) {
      List<String> ends = Splitter.on(" -> ").splitToList(edge);
      assertThat(rank(ends.get(1))).as(edge).isLessThanOrEqualTo(rank(ends.get(0)));
    }
    assertThat(rank("rules.spec")).isLessThan(rank("transforms.stages"));
    assertThat(rank("transforms.stages")).isLessThan(rank("pipelines.run"));
  }

  @Test
  void noPackagesOfAllAreInACycle() {
    slices().matching("dev.constat.(**)").should().beFreeOfCycles().check(CLASSES);
  }

  @Test
  void anEdgeUpwardsOrToTheOutsideIsUnknown() throws IOException {
    TreeSet<String> unknown = edges(new ClassFileImporter().importClasses(LooksUpwards.class));
    unknown.removeAll(allowed());

    assertThat(unknown)
        .containsExactly(
            "rules.table -> java.net.Socket",
            "rules.table -> org.apache.beam.sdk",
            "rules.table -> rules.reconcile",
            "rules.table -> transforms.buckets");
  }

  private static int rank(String end) {
    return end.startsWith("pipelines.") ? 2 : end.startsWith("transforms.") ? 1 : 0;
  }

  private static TreeSet<String> allowed() throws IOException {
    TreeSet<String> edges = new TreeSet<>();
    for (String line :
        Resources.readLines(
            Resources.getResource(DependencyEdgesTest.class, LIST), StandardCharsets.UTF_8)) {
      if (!line.isEmpty() && !line.startsWith("#")) {
        List<String> parts = Splitter.on(": ").limit(2).splitToList(line);
        for (String to : Splitter.on(' ').split(parts.get(1))) {
          assertThat(edges.add(parts.get(0) + " -> " + to)).as(line).isTrue();
        }
      }
    }
    return edges;
  }

  private static TreeSet<String> edges(JavaClasses classes) {
    TreeSet<String> edges = new TreeSet<>();
    List<String> own = new ArrayList<>();
    for (JavaClass type : classes) {
      String from = name(type);
      own.add(from);
      type.getDirectDependenciesFromSelf().stream()
          .map(Dependency::getTargetClass)
          .map(JavaClass::getBaseComponentType)
          .filter(target -> !target.isPrimitive())
          .map(DependencyEdgesTest::name)
          .filter(to -> !to.equals(from) && !COMPUTING.contains(to))
          .forEach(to -> edges.add(from + " -> " + to));
    }
    assertThat(own).isNotEmpty();
    return edges;
  }

  /** What a class goes by: its package, its library; what has to do with a network by itself. */
  private static String name(JavaClass type) {
    String name = type.getPackageName();
    if (name.startsWith(OURS)) {
      return name.substring(OURS.length());
    }
    if (name.equals("java.net")) {
      return type.getName();
    }
    if (Stream.of("java.", "javax.").anyMatch(name::startsWith)) {
      return name;
    }
    List<String> names = Splitter.on('.').splitToList(name);
    int length = name.startsWith("org.apache.beam.sdk.io") ? 5 : isOfMany(name) ? 4 : 3;
    return String.join(".", names.subList(0, Math.min(length, names.size())));
  }

  /** Whether it is of a project of which one package tells little. */
  private static boolean isOfMany(String name) {
    return name.startsWith("org.apache.beam.") || name.startsWith("org.apache.flink.");
  }
}

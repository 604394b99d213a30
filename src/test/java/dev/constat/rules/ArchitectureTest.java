package dev.constat.rules;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noMethods;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaModifier;
import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;
import java.util.regex.Pattern;

/**
 * What the rules cannot see: a runner, a file, a network, a clock, a source of chance. {@link
 * ArchitectureBitesTest} shows it.
 */
@AnalyzeClasses(
    packages = "dev.constat.rules",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

  /** Methods, constructors and fields whose answer depends on the machine, the moment or luck. */
  private static final Pattern AMBIENT =
      Pattern.compile(
          "java\\.time\\.[A-Za-z.]+\\.now\\(.*"
              + "|java\\.time\\.Clock\\.(system|tick).*"
              + "|java\\.time\\.ZoneId\\.systemDefault\\(.*"
              + "|java\\.util\\.(Date|GregorianCalendar)\\.<init>\\(\\)"
              + "|java\\.util\\.(Calendar\\.getInstance|TimeZone\\.getDefault|Locale\\.getDefault)\\(.*"
              + "|java\\.lang\\.System\\.(currentTimeMillis|nanoTime|getenv|getProperty|getProperties"
              + "|setProperty|exit|load|loadLibrary|identityHashCode|in|out|err)(\\(.*)?"
              + "|java\\.lang\\.(Math|StrictMath)\\.random\\(.*"
              + "|java\\.util\\.UUID\\.randomUUID\\(.*"
              + "|java\\.util\\.Collections\\.shuffle\\(.*"
              + "|java\\.util\\.(random\\.[A-Za-z]+|Random|SplittableRandom)\\..*"
              + "|java\\.util\\.concurrent\\.ThreadLocalRandom\\..*"
              + "|java\\.security\\.SecureRandom\\..*"
              + "|java\\.nio\\.charset\\.Charset\\.defaultCharset\\(.*");

  /** Collections that iterate in an order of each JVM's own, and streams without an order. */
  private static final Pattern UNORDERED =
      Pattern.compile(
          "java\\.util\\.(Map|Set)\\.(of|ofEntries|copyOf)\\(.*"
              + "|java\\.util\\.stream\\.Collectors\\.toUnmodifiable(Map|Set)\\(.*"
              + "|java\\.util\\.[A-Za-z]+\\.parallelStream\\(.*"
              + "|java\\.util\\.stream\\.[A-Za-z]+\\.parallel\\(.*");

  /** Ways to what is not named in the code. */
  private static final Pattern REFLECTING =
      Pattern.compile(
          "java\\.lang\\.Class\\.(forName|newInstance|getClassLoader|get(Declared)?(Method|Field"
              + "|Constructor)s?)\\(.*"
              + "|java\\.lang\\.ClassLoader\\..*"
              + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find|unreflect|define).*"
              + "|java\\.lang\\.reflect\\.(Method|Constructor|Field|Proxy|AccessibleObject)\\..*"
              + "|java\\.util\\.ServiceLoader\\..*");

  @ArchTest
  static final ArchRule rulesAreOnTheirOwn =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideOutsideOfPackages(
              "dev.constat.rules..",
              "java..",
              "javax.crypto..",
              "com.google.common..",
              "com.google.errorprone.annotations..",
              "org.jspecify.annotations..",
              "com.fasterxml.jackson..",
              "org.yaml.snakeyaml..")
          .because("the rules know no Beam, no runner and no file format");

  @ArchTest
  static final ArchRule nothingReachesOut =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching(
              "java\\.(net|sql|rmi|awt|nio\\.file|nio\\.channels)\\..*"
                  + "|java\\.io\\.(File.*|RandomAccessFile|Console)"
                  + "|java\\.util\\.(jar|logging|prefs)\\..*|java\\.util\\.zip\\.Zip.*"
                  + "|java\\.lang\\.(Process.*|Runtime|Runtime\\$.*|Thread)")
          .because("the rules reach no file, network, database, process or thread");

  @ArchTest
  static final ArchRule nothingIsReachedByItsName =
      noClasses()
          .that()
          // Finds the projections that a user brings.
          .doNotHaveFullyQualifiedName("dev.constat.rules.projection.Projections")
          .should()
          .accessTargetWhere(matching(REFLECTING))
          .because("whatever is not seen here cannot be reached behind its back");

  @ArchTest
  static final ArchRule nothingIsWrittenInMachineCode =
      noMethods().should().haveModifier(JavaModifier.NATIVE).because("what it does nobody sees");

  @ArchTest
  static final ArchRule nothingAsksTheMachine =
      noClasses()
          .should()
          .accessTargetWhere(matching(AMBIENT))
          .because("times, names and settings are handed in");

  @ArchTest
  static final ArchRule nothingIsOutOfOrder =
      noClasses()
          .should()
          .accessTargetWhere(matching(UNORDERED))
          .because(
              "the same inputs give the same bytes: Guava's immutables, LinkedHashMap, TreeMap");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.constat.rules.(**)").should().beFreeOfCycles();

  private static DescribedPredicate<JavaAccess<?>> matching(Pattern names) {
    return DescribedPredicate.describe(
        "the target is named " + names,
        access -> names.matcher(access.getTarget().getFullName()).matches());
  }
}

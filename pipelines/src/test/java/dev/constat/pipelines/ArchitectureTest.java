package dev.constat.pipelines;

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
 * What of the world each package of the pipelines touches. Which package may know which, and which
 * library, stands in {@link DependencyEdgesTest}; that each rule bites, in {@link
 * ArchitectureBitesTest}.
 */
@AnalyzeClasses(
    packages = "dev.constat.pipelines",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

  /** Whatever sends, receives, publishes, or finds something on a network, by any library. */
  private static final String CALLING =
      "java\\.(sql|rmi|net\\.http)\\..*|javax\\.(sql|naming|jms|mail|management|rmi|script|print)\\..*"
          + "|jakarta\\.(jms|mail)\\..*|com\\.sun\\..*|sun\\..*|jdk\\..*"
          + "|java\\.net\\.(?!URI|URLDecoder|URLEncoder).*"
          + "|java\\.nio\\.channels\\.(?!FileChannel|FileLock|.*Exception)\\w+Channel.*"
          + "|java\\.nio\\.channels\\.(Selector|spi\\..*)|java\\.util\\.prefs\\..*|java\\.awt\\..*"
          + "|(io\\.netty|io\\.grpc|okhttp3|org\\.apache\\.(http|hc|kafka|pulsar|activemq|pekko))\\..*"
          + "|(com\\.rabbitmq|redis\\.clients|io\\.lettuce|com\\.amazonaws|software\\.amazon)\\..*"
          + "|org\\.apache\\.flink\\.(shaded\\.netty4|runtime\\.(rest|rpc|blob))\\..*"
          + "|org\\.apache\\.beam\\.(vendor\\.grpc.*|sdk\\.io\\.(?!FileSystems).*)";

  /** Calls that change files. Opening a channel is harmless without the options below. */
  private static final Pattern WRITING =
      Pattern.compile(
          "java\\.nio\\.file\\.Files\\.(write|writeString|create\\w+|move|copy|delete\\w*|set\\w+"
              + "|newOutputStream|newBufferedWriter)\\(.*"
              + "|java\\.io\\.(FileOutputStream|FileWriter|RandomAccessFile)\\.<init>\\(.*"
              + "|java\\.io\\.(PrintWriter|PrintStream)\\.<init>\\(java\\.(io\\.File|lang\\.String).*"
              + "|java\\.io\\.File\\.(createNewFile|createTempFile|delete\\w*|mkdirs?|renameTo|set\\w+)"
              + "\\(.*"
              + "|java\\.nio\\.file\\.StandardOpenOption\\.(WRITE|APPEND|CREATE|CREATE_NEW"
              + "|TRUNCATE_EXISTING|DELETE_ON_CLOSE)");

  private static final Pattern STARTING =
      Pattern.compile(
          "java\\.lang\\.Runtime\\.(exec|load|loadLibrary|halt|addShutdownHook)\\(.*"
              + "|java\\.lang\\.System\\.(load|loadLibrary)\\(.*");

  private static final Pattern REFLECTING =
      Pattern.compile(
          "java\\.lang\\.Class\\.(forName|newInstance|getClassLoader|get(Declared)?(Method|Field"
              + "|Constructor)s?)\\(.*"
              + "|java\\.lang\\.ClassLoader\\..*|java\\.lang\\.Thread\\.\\w+ContextClassLoader\\(.*"
              + "|java\\.lang\\.invoke\\.MethodHandles\\$Lookup\\.(find|unreflect|define).*"
              + "|java\\.lang\\.reflect\\.(Method|Constructor|Field|Proxy|AccessibleObject)\\..*"
              + "|java\\.util\\.ServiceLoader\\..*");

  private static final Pattern ENVIRONMENT = Pattern.compile("java\\.lang\\.System\\.getenv\\(.*");

  private static final Pattern SETTINGS =
      Pattern.compile("java\\.lang\\.System\\.(get|set|clear)Propert(y|ies)\\(.*");

  @ArchTest
  static final ArchRule packagesHaveNoCycles =
      slices().matching("dev.constat.pipelines.(**)").should().beFreeOfCycles();

  @ArchTest
  static final ArchRule onlyTablesReachOut =
      noClasses()
          .that()
          .resideOutsideOfPackage("..pipelines.tables..")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(CALLING)
          .because("nothing is published, sent or called; tables of databases are asked");

  @ArchTest
  static final ArchRule nothingStartsProcesses =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching("java\\.lang\\.Process(Builder|Handle)?(\\$.*)?")
          .because("nothing is called");

  @ArchTest
  static final ArchRule nothingStartsOrLoadsPrograms =
      noClasses()
          .that()
          // Ends the process where there is no memory to end it otherwise.
          .doNotHaveFullyQualifiedName("dev.constat.pipelines.cli.HeapGuard")
          .should()
          .accessTargetWhere(matching(STARTING))
          .because("nothing is called, and machine code comes with the codecs alone");

  @ArchTest
  static final ArchRule nothingIsWrittenInMachineCode =
      noMethods()
          .should()
          .haveModifier(JavaModifier.NATIVE)
          .allowEmptyShould(true)
          .because("what it does nobody sees");

  @ArchTest
  static final ArchRule nothingIsReachedByItsName =
      noClasses()
          .should()
          .accessTargetWhere(matching(REFLECTING))
          .because("whatever is not seen here cannot be reached behind its back");

  @ArchTest
  static final ArchRule onlyMainExits =
      noClasses()
          .that()
          .doNotHaveFullyQualifiedName("dev.constat.pipelines.cli.Main")
          .should()
          .callMethod(System.class, "exit", int.class)
          .allowEmptyShould(true)
          .because("an exit code is an answer of the whole command");

  @ArchTest
  static final ArchRule onlyOutputsAreWritten =
      noClasses()
          .that()
          .resideOutsideOfPackages("..pipelines.output..", "..pipelines.generate..")
          .and()
          // On a worker, where the staging folder is another's: one file, below it.
          .doNotHaveFullyQualifiedName("dev.constat.pipelines.run.StagedReport")
          .and()
          // To stderr, where there is no memory to make a stream of.
          .doNotHaveFullyQualifiedName("dev.constat.pipelines.cli.HeapGuard")
          .should()
          .accessTargetWhere(matching(WRITING))
          .because("files are written below the folder that was named for it, by one package");

  @ArchTest
  static final ArchRule onlyTheCommandLineReadsTheEnvironment =
      noClasses()
          .that()
          // Whoever opens a connection, on a worker too, has its credentials from there.
          .resideOutsideOfPackages("..pipelines.cli..", "..pipelines.tables..")
          .should()
          .accessTargetWhere(matching(ENVIRONMENT))
          .because("variables are arguments: NO_COLOR, and what a run spec names");

  @ArchTest
  static final ArchRule onlySomeReadWhatTheJvmIsTold =
      noClasses()
          .that()
          // The temporary folder.
          .doNotHaveFullyQualifiedName("dev.constat.pipelines.output.TemporaryFiles")
          .and()
          // Where the codecs' libraries of machine code are put.
          .doNotHaveFullyQualifiedName("dev.constat.pipelines.run.NativeLibraries")
          .and()
          // The facts of the machine, for run.json.
          .doNotHaveFullyQualifiedName("dev.constat.pipelines.run.Reconciliation")
          .should()
          .accessTargetWhere(matching(SETTINGS))
          .because("settings come with the run spec and the arguments");

  @ArchTest
  static final ArchRule hadoopIsNoFileSystem =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.hadoop.fs..", "org.apache.hadoop.security..")
          .because(
              "Parquet is read and written through files of our own; Hadoop's jars are partial");

  private static DescribedPredicate<JavaAccess<?>> matching(Pattern names) {
    return DescribedPredicate.describe(
        "the target is named " + names,
        access -> names.matcher(access.getTarget().getFullName()).matches());
  }
}

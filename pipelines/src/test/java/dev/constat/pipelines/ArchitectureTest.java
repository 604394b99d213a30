package dev.constat.pipelines;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** Which package of the pipelines may know which, and what of the world each one touches. */
@AnalyzeClasses(
    packages = "dev.constat.pipelines",
    importOptions = ImportOption.DoNotIncludeTests.class)
final class ArchitectureTest {

  @ArchTest
  static final ArchRule onlyTheCommandLineKnowsTheOthers =
      noClasses()
          .that()
          .resideOutsideOfPackage("..pipelines.cli..")
          .should()
          .dependOnClassesThat()
          .resideInAPackage("..pipelines.cli..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule archivesAreReadWithoutOutputsAndTables =
      noClasses()
          .that()
          .resideInAPackage("..pipelines.archive..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "..pipelines.output..", "..pipelines.tables..", "..pipelines.report..")
          .allowEmptyShould(true);

  @ArchTest
  static final ArchRule outputsAreWrittenWithoutArchivesAndTables =
      noClasses()
          .that()
          .resideInAPackage("..pipelines.output..")
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage(
              "..pipelines.archive..", "..pipelines.tables..", "..pipelines.report..")
          .allowEmptyShould(true);

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
          .haveNameMatching(
              "java\\.(sql|rmi|net\\.http)\\..*|javax\\.sql\\..*"
                  + "|java\\.net\\.(Server|Datagram|Multicast)?Socket.*"
                  + "|java\\.net\\.(Http)?URL(Connection)?|java\\.net\\.InetAddress"
                  + "|java\\.nio\\.channels\\.(Server|Asynchronous)?SocketChannel")
          .because(
              "nothing is published, sent or called, but for report tables that were asked for");

  @ArchTest
  static final ArchRule nothingStartsProcesses =
      noClasses()
          .should()
          .dependOnClassesThat()
          .haveNameMatching("java\\.lang\\.Process(Builder|Handle)?")
          .because("nothing is called");

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
  static final ArchRule hadoopIsNoFileSystem =
      noClasses()
          .should()
          .dependOnClassesThat()
          .resideInAnyPackage("org.apache.hadoop.fs..", "org.apache.hadoop.security..")
          .because(
              "Parquet is read and written through files of our own; Hadoop's jars are partial");
}

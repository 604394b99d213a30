package dev.constat.pipelines;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableListMultimap;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.constat.pipelines.offences.Offences;
import dev.constat.pipelines.offences.left.Left;
import dev.constat.pipelines.offences.right.Right;
import java.lang.reflect.Field;
import java.util.Arrays;
import java.util.List;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/** Each rule of {@link ArchitectureTest} rejects what it is there for. */
class ArchitectureBitesTest {

  private static final ImmutableListMultimap<String, Class<?>> OFFENCES =
      ImmutableListMultimap.<String, Class<?>>builder()
          .putAll(
              "onlyTablesReachOut",
              Offences.OpensSocket.class,
              Offences.OpensChannel.class,
              Offences.SendsDatagram.class,
              Offences.Listens.class,
              Offences.AsksOverHttp.class,
              Offences.OpensUrl.class,
              Offences.LooksUpName.class,
              Offences.QueriesDatabase.class,
              Offences.LooksUpService.class,
              Offences.ReadsThroughBeam.class)
          .putAll(
              "nothingStartsProcesses", Offences.StartsProcess.class, Offences.FindsProcess.class)
          .putAll(
              "nothingStartsOrLoadsPrograms",
              Offences.StartsProgram.class,
              Offences.LoadsMachineCode.class,
              Offences.Halts.class)
          .putAll("nothingIsWrittenInMachineCode", Offences.IsMachineCode.class)
          .putAll(
              "nothingIsReachedByItsName",
              Offences.FindsClassByName.class,
              Offences.CallsMethodByName.class,
              Offences.FindsMethodHandle.class,
              Offences.FindsService.class)
          .putAll("onlyMainExits", Offences.Exits.class)
          .putAll(
              "onlyOutputsAreWritten",
              Offences.WritesFile.class,
              Offences.OpensFileToWrite.class,
              Offences.WritesStream.class,
              Offences.DeletesFile.class,
              Offences.MakesFolder.class)
          .putAll("onlyTheCommandLineReadsTheEnvironment", Offences.ReadsVariable.class)
          .putAll("onlySomeReadWhatTheJvmIsTold", Offences.ReadsSetting.class)
          .putAll("hadoopIsNoFileSystem", Offences.AsksHadoop.class)
          .build();

  @Test
  void eachRuleRejectsEachOffenceAgainstIt() throws ReflectiveOperationException {
    for (var offence : OFFENCES.entries()) {
      assertThat(rejects(offence.getKey(), offence.getValue()))
          .as(offence.getKey() + " rejects " + offence.getValue().getSimpleName())
          .isTrue();
    }
  }

  @Test
  void cyclesAreRejected() throws ReflectiveOperationException {
    assertThat(rejects("packagesHaveNoCycles", Left.class, Right.class)).isTrue();
    assertThat(rejects("packagesHaveNoCycles", Left.class)).isFalse();
  }

  /** What breaks no rule is rejected by none, so it is not their nature that rejects. */
  @Test
  void harmlessCodePasses() throws ReflectiveOperationException {
    for (String rule : rules()) {
      assertThat(rejects(rule, Offences.ReadsFile.class)).as(rule).isFalse();
    }
  }

  @Test
  void noRuleIsLeftOut() {
    TreeSet<String> shown = new TreeSet<>(OFFENCES.keySet());
    shown.add("packagesHaveNoCycles");
    assertThat(shown).containsExactlyElementsOf(new TreeSet<>(rules()));
  }

  private static List<String> rules() {
    return Arrays.stream(ArchitectureTest.class.getDeclaredFields())
        .filter(field -> field.getType() == ArchRule.class)
        .map(Field::getName)
        .toList();
  }

  private static boolean rejects(String rule, Class<?>... classes)
      throws ReflectiveOperationException {
    return ((ArchRule) ArchitectureTest.class.getDeclaredField(rule).get(null))
        .evaluate(new ClassFileImporter().importClasses(classes))
        .hasViolation();
  }
}

package dev.constat.transforms;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.common.collect.ImmutableListMultimap;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.lang.ArchRule;
import dev.constat.transforms.offences.Offences;
import dev.constat.transforms.offences.left.Left;
import dev.constat.transforms.offences.right.Right;
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
              "transformsSeeRulesAndBeam", Offences.KnowsStranger.class, Offences.KnowsRunner.class)
          .putAll("transformsUseNoFilesOfBeam", Offences.UsesFilesOfBeam.class)
          .putAll(
              "nothingReachesOut",
              Offences.OpensSocket.class,
              Offences.LooksUpName.class,
              Offences.QueriesDatabase.class,
              Offences.ReadsFile.class,
              Offences.KnowsFile.class,
              Offences.StartsProcess.class,
              Offences.StartsThread.class)
          .putAll(
              "nothingIsReachedByItsName",
              Offences.FindsClassByName.class,
              Offences.CallsMethodByName.class)
          .putAll("nothingIsWrittenInMachineCode", Offences.IsMachineCode.class)
          .putAll(
              "nothingAsksTheMachine",
              Offences.AsksClock.class,
              Offences.AsksChance.class,
              Offences.ReadsVariable.class,
              Offences.Exits.class,
              Offences.LoadsMachineCode.class)
          .putAll("nothingIsOutOfOrder", Offences.HasNoOrder.class)
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
      assertThat(rejects(rule, Offences.Counts.class)).as(rule).isFalse();
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

package dev.constat.transforms;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/** A test that is there is run: none is switched off or skips itself. */
@AnalyzeClasses(
    packages = "dev.constat.transforms",
    importOptions = ImportOption.OnlyIncludeTests.class)
final class NoTestIsSkippedTest {

  private static final String CONDITIONS =
      "org\\.junit\\.jupiter\\.api\\.(Disabled|condition\\..*)"
          + "|org\\.junit\\.jupiter\\.api\\.Assumptions|org\\.assertj\\.core\\.api\\.Assumptions";

  @ArchTest
  static final ArchRule noTestSkips =
      noClasses().should().dependOnClassesThat().haveNameMatching(CONDITIONS);
}

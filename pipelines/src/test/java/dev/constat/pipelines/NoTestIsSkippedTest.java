package dev.constat.pipelines;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.importer.ImportOption;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import com.tngtech.archunit.lang.ArchRule;

/**
 * A test that is there is run: none is switched off or skips itself. Only what needs a database
 * may, where there is none; see {@code Services}.
 */
@AnalyzeClasses(
    packages = "dev.constat.pipelines",
    importOptions = ImportOption.OnlyIncludeTests.class)
final class NoTestIsSkippedTest {

  private static final String CONDITIONS =
      "org\\.junit\\.jupiter\\.api\\.(Disabled|condition\\..*)"
          + "|org\\.junit\\.jupiter\\.api\\.Assumptions|org\\.assertj\\.core\\.api\\.Assumptions";

  @ArchTest
  static final ArchRule noTestSkips =
      noClasses()
          .that()
          .doNotHaveSimpleName("Services")
          .should()
          .dependOnClassesThat()
          .haveNameMatching(CONDITIONS);
}

package dev.mayfly.arch;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.jobs.JobAdmission;
import dev.mayfly.core.jobs.JobSubmission;
import org.junit.jupiter.api.Test;

/** A submission and its dry run refuse the same, because one class refuses. */
class AdmissionRulesTest {
  private static final String DRY_RUN = "dev.mayfly.cli.job.DryRun";

  @Test
  void submissionLeavesRefusalsToAdmission() {
    noClasses()
        .that()
        .belongToAnyOf(JobSubmission.class)
        .or()
        .haveNameMatching(DRY_RUN + "\\w*")
        .should()
        .callConstructor(InvalidInputException.class, String.class, String.class)
        .because("a refusal outside JobAdmission is one that a dry run does not know")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void submissionAndDryRunAskAdmission() {
    classes()
        .that()
        .belongToAnyOf(JobSubmission.class)
        .or()
        .haveFullyQualifiedName(DRY_RUN + "Admission")
        .should()
        .dependOnClassesThat()
        .belongToAnyOf(JobAdmission.class)
        .check(ProductionClasses.CLASSES);
  }
}

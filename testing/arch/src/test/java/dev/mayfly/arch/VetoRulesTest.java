package dev.mayfly.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.core.domain.JavaCall;
import dev.mayfly.core.plan.veto.Veto;
import org.junit.jupiter.api.Test;

/** Why something waits is said in one place's words. */
class VetoRulesTest {
  @Test
  void onlyPlansReadVetoes() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.mayfly.core.plan..", "dev.mayfly.sim..")
        .should()
        .callMethodWhere(describe("it reads the values of a veto", VetoRulesTest::reads))
        .because("who words a veto's values beside VetoText says another reason for one cause")
        .check(ProductionClasses.CLASSES);
  }

  private static boolean reads(JavaCall<?> call) {
    return call.getTargetOwner().isAssignableTo(Veto.class);
  }
}

package dev.mayfly.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaPackage;
import java.util.Set;
import org.jspecify.annotations.NullMarked;
import org.junit.jupiter.api.Test;

/** Rules for every module. */
class CommonRulesTest {
  private static final Set<String> MAKERS_OF_CLOCKS =
      Set.of("system", "systemUTC", "systemDefaultZone", "tick", "tickMillis", "tickSeconds");

  @Test
  void packagesFormNoCycle() {
    slices().matching("dev.mayfly.(**)").should().beFreeOfCycles().check(ProductionClasses.CLASSES);
  }

  @Test
  void onlyCliAndMainsWriteToTerminal() {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.mayfly.cli..")
        .and()
        .haveSimpleNameNotEndingWith("Main")
        .should()
        .accessTargetWhere(describe("it is a standard stream", CommonRulesTest::standardStream))
        .because("what runs as a service logs, and what decides returns a value")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void theTimeIsReadAtTheEdgesOnly() {
    noClasses()
        .that(not(ProductionClasses.edges()))
        .should()
        .accessTargetWhere(describe("it reads or makes a clock", CommonRulesTest::readsTheTime))
        .because("everything between a Main and its adapters also runs in virtual time")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void aNameSaysWhatTheThingIs() {
    noClasses()
        .should()
        .haveNameMatching(".*(Util|Utils|Manager|Helper|Impl)")
        .because("these words fit anything; name the concept, or the vendor that an adapter is for")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void everyPackageIsNullMarked() {
    assertThat(ProductionClasses.CLASSES.getPackage("dev.mayfly").getSubpackagesInTree())
        .filteredOn(it -> !it.getClasses().isEmpty())
        .allSatisfy(CommonRulesTest::assertNullMarked);
  }

  private static void assertNullMarked(JavaPackage it) {
    assertThat(it.isAnnotatedWith(NullMarked.class))
        .as("%s has a package-info.java with @NullMarked", it.getName())
        .isTrue();
  }

  private static boolean standardStream(JavaAccess<?> access) {
    var name = access.getTarget().getName();
    return access.getTargetOwner().isEquivalentTo(System.class)
        && (name.equals("out") || name.equals("err"));
  }

  private static boolean readsTheTime(JavaAccess<?> access) {
    var owner = access.getTargetOwner();
    var name = access.getTarget().getName();
    if (owner.isEquivalentTo(System.class)) return name.equals("currentTimeMillis");
    return owner.getPackageName().startsWith("java.time")
        && (name.equals("now") || MAKERS_OF_CLOCKS.contains(name));
  }
}

package dev.mayfly.arch;

import static com.tngtech.archunit.base.DescribedPredicate.describe;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaAccess;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.Context;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Rules that keep the core a set of pure functions with thin use cases over them. */
class CoreRulesTest {
  private static final String CORE = "dev.mayfly.core.";

  /** A package may import only those before it in this list. */
  private static final List<String> ORDER =
      List.of(
          "model",
          "lifecycle",
          "error",
          "text",
          "catalog",
          "plan",
          "port",
          "files",
          "sentinel",
          "state",
          "jobs",
          "clusters",
          "dispatch",
          "reconcile",
          "query",
          "sync",
          "control",
          "agent");

  /**
   * The catalog is not among them: it reads tables of its own archive once, the same each time.
   * Walks are: an adapter lists.
   */
  private static final String[] PURE =
      Stream.concat(ORDER.subList(0, ORDER.indexOf("port")).stream(), Stream.of("files"))
          .filter(name -> !name.equals("catalog"))
          .map(name -> CORE + name + "..")
          .toArray(String[]::new);

  private static final String[] USE_CASES =
      ORDER.subList(ORDER.indexOf("state"), ORDER.indexOf("agent")).stream()
          .map(name -> CORE + name + "..")
          .toArray(String[]::new);

  /** The methods of {@link System} that a pure function may call. */
  private static final Set<String> HARMLESS = Set.of("arraycopy", "lineSeparator");

  static Stream<String> order() {
    return ORDER.stream();
  }

  @ParameterizedTest
  @MethodSource("order")
  void aPackageImportsOnlyThoseToItsLeft(String name) {
    var later = ORDER.subList(ORDER.indexOf(name) + 1, ORDER.size());

    noClasses()
        .that()
        .resideInAPackage(CORE + name + "..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(later.stream().map(it -> CORE + it + "..").toArray(String[]::new))
        .because("the core reads from left to right: " + String.join(" < ", ORDER))
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void agentAndControlPlaneAreIndependent() {
    noClasses()
        .that()
        .resideInAPackage(CORE + "agent..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(USE_CASES)
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void onlyUseCasesChangeLedgerAndMachines() {
    noClasses()
        .that()
        .resideOutsideOfPackages(USE_CASES)
        .and()
        .resideOutsideOfPackages(
            // The meter counts and delegates.
            CORE + "port..",
            "dev.mayfly.sim..",
            "dev.mayfly.porttests..",
            // A benchmark prepares its cluster; the combined fleet delegates to that of TPUs or
            // machines.
            "dev.mayfly.bench..",
            "dev.mayfly.gcp.fleet..")
        .should()
        .callMethodWhere(describe("it writes the ledger or changes machines", CoreRulesTest::acts))
        .because("an effect is done where it was committed, and so is done again after a crash")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void pureCodeUsesNoClockRandomnessThreadsOrIo() {
    noClasses()
        .that()
        .resideInAnyPackage(PURE)
        .should()
        .dependOnClassesThat(impure())
        .because("a decision is a function of its arguments; time, ids and chance are among them")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void decisionsReadNothingMutable() {
    noClasses()
        .that()
        .resideInAnyPackage(PURE)
        .should()
        .accessTargetWhere(describe("it differs from call to call", CoreRulesTest::differs))
        .check(ProductionClasses.CLASSES);
  }

  /** It is as pure as a plan, but its values are ports' records. */
  @Test
  void decisionsOfCleanupReachNoPort() {
    noClasses()
        .that()
        .haveNameMatching(".*\\.Orphan(Planner|Facts|Decision)(\\$.*)?")
        .should()
        .dependOnClassesThat(impure())
        .orShould()
        .dependOnClassesThat()
        .belongToAnyOf(Context.class, Ledger.class)
        .orShould()
        .callMethodWhere(
            describe(
                "it calls the cloud",
                access -> access.getTargetOwner().isEquivalentTo(Fleet.class)))
        .because("a pass and its dry run share the decisions, and tables test them")
        .check(ProductionClasses.CLASSES);
  }

  private static DescribedPredicate<JavaClass> impure() {
    return describe(
        "reach the world",
        type ->
            isIn(
                    type,
                    "java.io",
                    "java.nio",
                    "java.net",
                    "java.util.concurrent",
                    "java.util.random")
                || isIn(type, "java.util.logging", "org.slf4j", "java.lang.foreign")
                || (isIn(type, "java.security") && !isDigest(type))
                || type.isEquivalentTo(java.time.Clock.class)
                || type.isEquivalentTo(java.time.InstantSource.class)
                || type.isEquivalentTo(java.util.Random.class)
                || type.isEquivalentTo(Process.class)
                || type.isEquivalentTo(ProcessBuilder.class)
                || type.isEquivalentTo(Runtime.class)
                || type.isAssignableTo(Thread.class)
                || type.isAssignableTo(System.Logger.class));
  }

  /** A digest is a pure function of its argument. */
  private static boolean isDigest(JavaClass type) {
    return type.isEquivalentTo(java.security.MessageDigest.class)
        || type.isEquivalentTo(java.security.NoSuchAlgorithmException.class);
  }

  private static boolean isIn(JavaClass type, String... roots) {
    var name = type.getPackageName();
    // Text encodings are values, though they live among the channels.
    return !name.equals("java.nio.charset")
        && Stream.of(roots).anyMatch(root -> name.equals(root) || name.startsWith(root + "."));
  }

  private static boolean acts(JavaAccess<?> access) {
    var owner = access.getTargetOwner();
    var name = access.getTarget().getName();
    return (owner.isEquivalentTo(Ledger.class) && name.equals("commit"))
        || (owner.isEquivalentTo(Fleet.class) && Set.of("order", "delete").contains(name));
  }

  private static boolean differs(JavaAccess<?> access) {
    var owner = access.getTargetOwner();
    var name = access.getTarget().getName();
    return (owner.isEquivalentTo(System.class) && !HARMLESS.contains(name))
        || (owner.isEquivalentTo(Math.class) && name.equals("random"))
        || (owner.isEquivalentTo(java.util.UUID.class) && name.equals("randomUUID"))
        || (owner.getPackageName().startsWith("java.time") && name.equals("now"));
  }
}

package dev.mayfly.arch;

import static com.tngtech.archunit.base.DescribedPredicate.not;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAPackage;
import static com.tngtech.archunit.core.domain.JavaClass.Predicates.resideInAnyPackage;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.classes;
import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.base.DescribedPredicate;
import com.tngtech.archunit.core.domain.JavaClass;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import java.util.Arrays;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Dependencies between modules, and the limits of Google's libraries. */
class ModuleRulesTest {
  private static final String[] JDK = {"java..", "javax..", "org.jspecify.."};
  private static final String[] JSON = {
    "tools.jackson..", "com.fasterxml.jackson.annotation..", "com.networknt..", "org.snakeyaml.."
  };
  private static final String[] GOOGLE = {
    "com.google.cloud..",
    "com.google.api..",
    "com.google.auth..",
    "com.google.protobuf..",
    "com.google.common..",
    "com.google.firestore..",
    "com.google.rpc..",
    "com.google.pubsub..",
    "com.google.longrunning..",
    "io.grpc..",
    "org.threeten.."
  };
  private static final String[] FUNCTIONS = {"com.google.cloud.functions..", "io.cloudevents.."};

  static Stream<String> modules() {
    return ProductionClasses.MODULES.stream();
  }

  @ParameterizedTest
  @MethodSource("modules")
  void theRulesSeeEveryModule(String root) {
    assertThat(ProductionClasses.CLASSES.that(resideInAPackage(root + ".."))).isNotEmpty();
  }

  @Test
  void theCoreKnowsTheJdkAndNothingElse() {
    only("dev.mayfly.core..", JDK, "dev.mayfly.core..");
  }

  @Test
  void theWireAddsJsonAndYaml() {
    only("dev.mayfly.wire..", join(JDK, JSON), "dev.mayfly.core..", "dev.mayfly.wire..");
  }

  @Test
  void theSimulationKnowsTheCoreAlone() {
    only("dev.mayfly.sim..", JDK, "dev.mayfly.core..", "dev.mayfly.sim..");
  }

  @Test
  void contractSuitesUseCoreAndTestLibrariesOnly() {
    only(
        "dev.mayfly.porttests..",
        join(JDK, "com.sun.net.httpserver..", "org.junit..", "org.assertj.."),
        "dev.mayfly.core..",
        "dev.mayfly.porttests..");
  }

  @Test
  void theObjectStoreAddsGooglesLibraries() {
    // JSON too: on plain files, an object's metadata is a hidden file beside it.
    only(
        "dev.mayfly.gcs..",
        join(JDK, join(JSON, join(GOOGLE, "org.slf4j.."))),
        "dev.mayfly.core..",
        "dev.mayfly.wire..",
        "dev.mayfly.gcs..");
  }

  @Test
  void theCloudAdaptersAddGooglesLibraries() {
    only(
        "dev.mayfly.gcp..",
        join(JDK, join(GOOGLE, "org.slf4j..")),
        "dev.mayfly.core..",
        "dev.mayfly.wire..",
        "dev.mayfly.gcp..");
  }

  /** Users name objects; a function's disk holds none of them. */
  @Test
  void theFunctionsReachNoFiles() {
    noClasses()
        .that()
        .resideInAPackage("dev.mayfly.functions..")
        .should()
        .callMethod(ObjectStores.class, "of", StoreSettings.class)
        .orShould()
        .callMethod(ObjectStores.class, "of", Map.class)
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void deployablesReachEachOtherOnlyThroughTheirMessages() {
    noClasses()
        .that()
        .resideInAnyPackage("dev.mayfly.agent..", "dev.mayfly.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage("dev.mayfly.functions..", "dev.mayfly.gcp..", "dev.mayfly.local..")
        .check(ProductionClasses.CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.mayfly.agent..", "dev.mayfly.fuzz..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.mayfly.agent..")
        .check(ProductionClasses.CLASSES);
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.mayfly.cli..", "dev.mayfly.fuzz..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.mayfly.cli..")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void cloudAdaptersAreNotPublic() {
    classes()
        .that()
        .resideInAnyPackage("dev.mayfly.gcp..", "dev.mayfly.gcs..")
        .and(implementAPort())
        .should()
        .notBePublic()
        .because("only a Wiring chooses an adapter, and it asks the package's factory for the port")
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void oneAdapterDoesNotKnowAnother() {
    slices()
        .matching("dev.mayfly.gcp.(*)..")
        .should()
        .notDependOnEachOther()
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void googlesLibrariesEndAtTheAdapters() {
    noClasses()
        .that()
        .resideOutsideOfPackages("dev.mayfly.gcp..", "dev.mayfly.gcs..", "dev.mayfly.local..")
        .and(not(wiringOfTheFunctions()))
        .should()
        .dependOnClassesThat(resideInAnyPackage(GOOGLE).and(not(resideInAnyPackage(FUNCTIONS))))
        .check(ProductionClasses.CLASSES);
  }

  @Test
  void theFunctionsFrameworkEndsAtTheEntryPoints() {
    noClasses()
        .that()
        .resideOutsideOfPackages(
            // The modules that deliver events to them.
            "dev.mayfly.functions..",
            "dev.mayfly.local..",
            "dev.mayfly.emulators..",
            "dev.mayfly.fuzz..")
        .should()
        .dependOnClassesThat()
        .resideInAnyPackage(FUNCTIONS)
        .check(ProductionClasses.CLASSES);
  }

  /** They prove the product: the laptop cloud starts them by a name, and runs without them. */
  @Test
  void theProductKnowsNoEmulators() throws ReflectiveOperationException {
    noClasses()
        .that()
        .resideOutsideOfPackage("dev.mayfly.emulators..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("dev.mayfly.emulators..")
        .check(ProductionClasses.CLASSES);
    noClasses()
        .that()
        .resideInAnyPackage("dev.mayfly.local..", "dev.mayfly.cli..")
        .should()
        .dependOnClassesThat()
        .resideInAPackage("com.google.cloud.functions.invoker..")
        .check(ProductionClasses.CLASSES);
    var name = Class.forName("dev.mayfly.local.EmulatorsModule").getDeclaredField("MAIN");
    name.setAccessible(true);
    assertThat(ProductionClasses.CLASSES.contain((String) name.get(null)))
        .as("the main class that the laptop cloud starts")
        .isTrue();
  }

  private static void only(String module, String[] libraries, String... own) {
    classes()
        .that()
        .resideInAPackage(module)
        .should()
        .onlyDependOnClassesThat()
        .resideInAnyPackage(join(libraries, own))
        .check(ProductionClasses.CLASSES);
  }

  private static DescribedPredicate<JavaClass> implementAPort() {
    return DescribedPredicate.describe(
        "implement a port",
        type ->
            type.getAllRawInterfaces().stream()
                .anyMatch(it -> it.getPackageName().equals("dev.mayfly.core.port")));
  }

  private static DescribedPredicate<JavaClass> wiringOfTheFunctions() {
    return resideInAPackage("dev.mayfly.functions..").and(ProductionClasses.edges());
  }

  private static String[] join(String[] some, String... more) {
    return Stream.concat(Arrays.stream(some), Arrays.stream(more)).toArray(String[]::new);
  }
}

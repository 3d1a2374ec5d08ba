package dev.mayfly.arch;

import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every port has a contract, and every adapter passes it. */
class PortRulesTest {
  /** Each port, and its contract suites. */
  private static final Map<String, List<String>> CONTRACTS =
      Map.of(
          "ScheduledExecutor", List.of("ScheduledExecutorContract"),
          "TriggerBus", List.of("TriggerBusContract"),
          "NotificationTopic", List.of("NotificationTopicContract"),
          "Codec", List.of("CodecContract"),
          "Fleet", List.of("FleetContract"),
          "IdGenerator", List.of("IdGeneratorContract"),
          "Ledger",
              List.of(
                  "LedgerContract",
                  "LedgerQueryContract",
                  "LedgerWatchContract",
                  "UnreadableDocumentContract"),
          "ObjectStore", List.of("ObjectStoreContract"),
          "TickScheduler", List.of("TickSchedulerContract"),
          "Secrets", List.of("SecretsContract"));

  /** Each adapter, and the test that runs its port's contract. */
  private static final Map<String, String> TESTS =
      Map.ofEntries(
          entry("gcs.secrets.GoogleSecrets", "local/secrets/GoogleSecretsTest"),
          entry("gcp.compute.ComputeFleet", "local/machines/compute/ComputeFleetTest"),
          entry("functions.os.RandomIdGenerator", "functions/os/RandomIdGeneratorTest"),
          entry("functions.os.ThreadExecutor", "functions/os/ThreadExecutorTest"),
          entry("gcp.firestore.FirestoreLedger", "local/ledger/FirestoreLedgerTest"),
          entry("gcp.scheduler.CloudTickScheduler", "local/scheduler/CloudSchedulerTest"),
          entry("gcp.tpu.TpuFleet", "local/machines/tpu/TpuFleetTest"),
          entry("local.control.TickPublisher", "local/control/TickPublisherTest"),
          entry("sim.fake.SimTickScheduler", "sim/fake/SimTickSchedulerTest"),
          entry("gcp.pubsub.TopicTriggerBus", "emulators/TopicTriggerBusTest"),
          entry("gcs.FileObjectStore", "local/storage/FileObjectStoreTest"),
          entry("gcs.GcsObjectStore", "local/storage/GcsObjectStoreTest"),
          entry("local.control.LocalTriggerBus", "local/control/LocalTriggerBusTest"),
          entry("local.ledger.SqliteLedger", "local/ledger/SqliteLedgerTest"),
          entry("gcp.pubsub.PubSubNotificationTopic", "emulators/PubSubNotificationTopicTest"),
          entry("local.control.LocalNotificationTopic", "local/control/LocalNotificationTopicTest"),
          entry("sim.fake.SimNotificationTopic", "sim/fake/SimNotificationTopicTest"),
          entry("sim.fake.SimTriggerBus", "sim/fake/SimTriggerBusTest"),
          entry("sim.fake.SimCodec", "sim/fake/SimCodecTest"),
          entry("sim.fake.SimFleet", "sim/fake/SimFleetTest"),
          entry("sim.fake.SimIdGenerator", "sim/fake/SimIdGeneratorTest"),
          entry("sim.fake.SimLedger", "sim/fake/SimLedgerTest"),
          entry("sim.fake.SimObjectStore", "sim/fake/SimObjectStoreTest"),
          entry("sim.engine.SimTime", "sim/engine/SimTimeTest"),
          entry("wire.Wire", "local/control/WireCodecTest"));

  /**
   * These delegate every call to an adapter: to route by URL, count, detect a stalled process, send
   * signals after their batch, or inject faults.
   */
  private static final Set<String> HAND_ON =
      Set.of(
          "core.control.SignallingLedger",
          "core.sync.StallDetector",
          "core.port.LedgerMeter$Counted",
          "gcp.fleet.CombinedFleet",
          "gcs.RoutedObjectStore",
          "sim.fake.HookedNotificationTopic",
          "sim.fake.HookedTriggerBus",
          "sim.fake.HookedFleet",
          "sim.fake.HookedLedger",
          "sim.fake.HookedObjectStore",
          "sim.mutant.ObjectStoreMutant");

  static Stream<JavaClass> adapters() {
    return ProductionClasses.CLASSES.stream()
        .filter(type -> ports(type).findAny().isPresent())
        .filter(type -> !type.isInterface() && !type.isAnonymousClass())
        .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
        .filter(type -> !HAND_ON.contains(name(type)) && !isMutant(type));
  }

  @Test
  void everyPortHasAContract() {
    var ports =
        ProductionClasses.CLASSES.stream()
            .filter(PortRulesTest::isPort)
            .map(JavaClass::getSimpleName)
            .toList();

    assertThat(ports).containsExactlyInAnyOrderElementsOf(CONTRACTS.keySet());
    for (var suite : CONTRACTS.values().stream().flatMap(List::stream).toList())
      assertThat(ProductionClasses.CLASSES.contain("dev.mayfly.porttests." + suite))
          .as(suite)
          .isTrue();
  }

  @ParameterizedTest
  @MethodSource("adapters")
  void anAdapterPassesTheContractOfItsPort(JavaClass adapter) throws IOException {
    assertThat(TESTS).containsKey(name(adapter));
    var test = TESTS.get(name(adapter));
    var source =
        Sources.all().stream()
            .filter(it -> it.path().endsWith("src/test/java/dev/mayfly/" + test + ".java"))
            .findFirst()
            .orElseThrow()
            .text();

    for (var port : ports(adapter).toList())
      for (var suite : CONTRACTS.get(port.getSimpleName()))
        assertThat(source).containsAnyOf(extensions(suite));
  }

  /** A suite may have a stricter extension. */
  private static String[] extensions(String suite) {
    var type = ProductionClasses.CLASSES.get("dev.mayfly.porttests." + suite);
    return Stream.concat(Stream.of(type), type.getAllSubclasses().stream())
        .filter(it -> it.getPackageName().equals("dev.mayfly.porttests"))
        .map(it -> "extends " + it.getSimpleName())
        .toArray(String[]::new);
  }

  @Test
  void everyAdapterOfTheListIsThere() {
    assertThat(adapters().map(PortRulesTest::name))
        .containsExactlyInAnyOrderElementsOf(TESTS.keySet());
  }

  /** Mutants are nested classes of the simulation that wrap an adapter. */
  private static boolean isMutant(JavaClass type) {
    return name(type).startsWith("sim.mutant.");
  }

  private static boolean isPort(JavaClass type) {
    return type.getPackageName().equals("dev.mayfly.core.port")
        && type.isInterface()
        && type.isTopLevelClass()
        && !type.getSimpleName().equals("package-info")
        && !type.reflect().isSealed();
  }

  private static Stream<JavaClass> ports(JavaClass type) {
    return type.getAllRawInterfaces().stream().filter(PortRulesTest::isPort);
  }

  private static String name(JavaClass type) {
    return type.getName().substring("dev.mayfly.".length());
  }
}

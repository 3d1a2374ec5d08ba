package dev.mayfly.arch;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Map.entry;
import static org.assertj.core.api.Assertions.assertThat;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaModifier;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Every port has a contract, and every adapter passes it. */
class PortRulesTest {
  /** Each port, and the suites that say what it owes. */
  private static final Map<String, List<String>> CONTRACTS =
      Map.of(
          "Alarms", List.of("AlarmsContract"),
          "Bus", List.of("BusContract"),
          "Codec", List.of("CodecContract"),
          "Fleet", List.of("FleetContract"),
          "Ids", List.of("IdsContract"),
          "Ledger",
              List.of(
                  "LedgerContract",
                  "LedgerQueryContract",
                  "LedgerWatchContract",
                  "UnreadableContract"),
          "Objects", List.of("ObjectsContract"),
          "Schedule", List.of("ScheduleContract"),
          "Secrets", List.of("SecretsContract"));

  /** Each adapter, and the test that holds it to the contract of its port. */
  private static final Map<String, String> TESTS =
      Map.ofEntries(
          entry("agent.GoogleSecrets", "local/cloud/secrets/GoogleSecretsTest"),
          entry("gcp.compute.ComputeFleet", "local/cloud/compute/ComputeFleetTest"),
          entry("functions.os.RandomIds", "functions/os/RandomIdsTest"),
          entry("functions.os.ThreadAlarms", "functions/os/ThreadAlarmsTest"),
          entry("gcp.firestore.FirestoreLedger", "local/ledger/FirestoreLedgerTest"),
          entry("gcp.scheduler.JobSchedule", "local/cloud/scheduler/CloudSchedulerTest"),
          entry("gcp.tpu.TpuFleet", "local/cloud/tpu/TpuFleetTest"),
          entry("local.control.Ticker", "local/control/TickerTest"),
          entry("sim.fake.SimSchedule", "sim/fake/SimScheduleTest"),
          entry("gcp.pubsub.TopicBus", "local/emulators/TopicBusTest"),
          entry("gcs.FileObjects", "local/cloud/storage/FileObjectsTest"),
          entry("gcs.GcsObjects", "local/cloud/storage/GcsObjectsTest"),
          entry("local.control.PubSubBus", "local/control/PubSubBusTest"),
          entry("local.ledger.SqliteLedger", "local/ledger/SqliteLedgerTest"),
          entry("sim.fake.SimBus", "sim/fake/SimBusTest"),
          entry("sim.fake.SimCodec", "sim/fake/SimCodecTest"),
          entry("sim.fake.SimFleet", "sim/fake/SimFleetTest"),
          entry("sim.fake.SimIds", "sim/fake/SimIdsTest"),
          entry("sim.fake.SimLedger", "sim/fake/SimLedgerTest"),
          entry("sim.fake.SimObjects", "sim/fake/SimObjectsTest"),
          entry("sim.fake.SimTime", "sim/fake/SimTimeTest"),
          entry("wire.JsonCodec", "local/control/JsonCodecTest"));

  /**
   * These hand every call on to an adapter: by the URL, to count, to rehearse, to notice a standing
   * process, to send signals apart from their batch, or to do harm.
   */
  private static final Set<String> HAND_ON =
      Set.of(
          "core.control.Rehearsal$Notes",
          "core.control.Rehearsal$Spared",
          "core.control.SignallingLedger",
          "core.control.StallDetector",
          "core.port.Meter$Counted",
          "gcp.tpu.Fleets",
          "gcs.RoutedObjects",
          "sim.fake.HookedBus",
          "sim.fake.HookedFleet",
          "sim.fake.HookedLedger",
          "sim.fake.HookedObjects",
          "sim.BuggyObjects");

  static Stream<JavaClass> adapters() {
    return Mayfly.CLASSES.stream()
        .filter(type -> ports(type).findAny().isPresent())
        .filter(type -> !type.isInterface() && !type.isAnonymousClass())
        .filter(type -> !type.getModifiers().contains(JavaModifier.ABSTRACT))
        .filter(type -> !HAND_ON.contains(name(type)) && !isPlantedBug(type));
  }

  @Test
  void everyPortHasAContract() {
    var ports =
        Mayfly.CLASSES.stream()
            .filter(PortRulesTest::isPort)
            .map(JavaClass::getSimpleName)
            .toList();

    assertThat(ports).containsExactlyInAnyOrderElementsOf(CONTRACTS.keySet());
    for (var suite : CONTRACTS.values().stream().flatMap(List::stream).toList())
      assertThat(Mayfly.CLASSES.contain("dev.mayfly.porttests." + suite)).as(suite).isTrue();
  }

  @ParameterizedTest
  @MethodSource("adapters")
  void anAdapterPassesTheContractOfItsPort(JavaClass adapter) throws IOException {
    assertThat(TESTS).containsKey(name(adapter));
    var test = TESTS.get(name(adapter));
    var module = test.substring(0, test.indexOf('/'));
    var source =
        Files.readString(Path.of("..", module, "src/test/java/dev/mayfly", test + ".java"), UTF_8);

    for (var port : ports(adapter).toList())
      for (var suite : CONTRACTS.get(port.getSimpleName()))
        assertThat(source).containsAnyOf(extensions(suite));
  }

  /** A suite may have another one that asks for more. */
  private static String[] extensions(String suite) {
    var type = Mayfly.CLASSES.get("dev.mayfly.porttests." + suite);
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

  /** Planted bugs are inner classes of the simulation's, around an adapter each. */
  private static boolean isPlantedBug(JavaClass type) {
    return name(type).matches("sim\\.Buggy.*");
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

package dev.mayfly.gcp.fleet;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.wire.UserDocuments;
import java.lang.reflect.Proxy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

class CombinedFleetTest {
  private static final Instant T0 = Instant.parse("2026-11-21T10:00:00Z");
  private static final Fleet.Leftover DISK =
      new Fleet.Leftover(Fleet.Leftover.Kind.DISK, "z", "d", Map.of(), T0);
  private static final PoolSpec POOL =
      new PoolSpec(
          "p",
          "n2-standard-2",
          Resources.ZERO,
          List.of("z"),
          Provisioning.SPOT,
          0,
          1,
          Duration.ofMinutes(1),
          Duration.ofHours(1),
          MachineSpec.PLAIN);

  private final RecordingFleet compute = new RecordingFleet("compute");
  private final RecordingFleet tpu = new RecordingFleet("tpu");
  private final Fleet combined = GoogleFleet.of(compute, tpu);

  @Test
  void failingServiceHidesOnlyItsMachines() {
    var sick = fleet(new IllegalStateException("no such field"));

    var all = GoogleFleet.of(sick, sick).list();

    assertThat(all.complete()).isFalse();
    assertThat(all.warnings()).hasSize(2).allMatch(w -> w.contains("no such field"));
  }

  @ParameterizedTest
  @EnumSource
  void aNamesKindSelectsTheService(CloudMachine.Kind kind) {
    var name = new CloudMachine.Name(kind, "z", "m");

    combined.order(new Fleet.Order(name, POOL, Map.of(), Map.of(), "r"));
    combined.progress(name, "o");
    combined.find(name);
    combined.delete(name);

    var asked =
        switch (kind) {
          case VM -> compute;
          case TPU -> tpu;
        };
    var other = asked == compute ? tpu : compute;
    assertThat(asked.calls).containsExactly("order m", "progress m", "find m", "delete m");
    assertThat(other.calls).isEmpty();
  }

  /** Of a pool that was stored before its document was refused for that. */
  @Test
  void bucketNeedsAnImageThatCanMountIt() {
    var document =
        """
        apiVersion: mayfly.dev/v1
        kind: Cluster
        name: lab
        bucket: gs://lab
        storage: [{name: data, bucket: lab-data, path: /mnt/data}]
        pools:
          - {name: p, machine: {type: n2-standard-4}, zones: [us-central1-a], workers: {max: 1}}
          - {name: v6e, tpu: {type: v6e-8, api: compute}, zones: [us-east5-b], workers: {max: 1}}
        """;
    var command = UserDocuments.parse(document.getBytes(UTF_8), "", Map.of()).getFirst().command();
    var spec = ((UserCommand.ApplyCluster) command).spec();
    var image = Optional.of("projects/rocky-linux-cloud/global/images/family/rocky-linux-9");
    Optional<String> none = Optional.empty();
    var plain =
        new MachineSpec(
            Optional.empty(), Optional.empty(), image, 0, none, none, none, none, false);

    for (var pool : spec.pools()) {
      assertThat(combined.whyUnmounted(spec, pool)).as(pool.name()).isEmpty();
      assertThat(combined.whyUnmounted(spec, pool.withMachine(plain)))
          .hasValueSatisfying(why -> assertThat(why).contains("rocky-linux-9 has no gcsfuse"));
    }
  }

  @Test
  void theListHasMachinesOfBothServices() {
    assertThat(combined.list().machines())
        .extracting(m -> m.name().name())
        .containsExactly("compute", "tpu");
  }

  /** A list without a warning may be incomplete all the same. */
  @ParameterizedTest
  @CsvSource({"true, true, true", "true, false, false", "false, true, false"})
  void theListIsCompleteOnlyIfBothAre(boolean first, boolean second, boolean both) {
    compute.complete = first;
    tpu.complete = second;

    assertThat(combined.list().complete()).isEqualTo(both);
  }

  @Test
  void harmlessWarningLeavesTheListComplete() {
    tpu.warnings = List.of("a region without TPUs");

    assertThat(combined.list().complete()).isTrue();
    assertThat(combined.list().warnings()).containsExactly("a region without TPUs");
  }

  @Test
  void leftoversAreThoseOfComputeEngine() {
    assertThat(combined.leftovers()).containsExactly(DISK);
    assertThat(combined.delete(DISK)).isTrue();
    assertThat(compute.calls).containsExactly("delete leftover d");
    assertThat(tpu.calls).isEmpty();
  }

  /** Answers everything, and records the calls that name a machine or a leftover. */
  private static final class RecordingFleet implements Fleet {
    private final String service;
    private final List<String> calls = new ArrayList<>();
    private boolean complete = true;
    private List<String> warnings = List.of();

    RecordingFleet(String service) {
      this.service = service;
    }

    @Override
    public Ordered order(Order order) {
      calls.add("order " + order.name().name());
      return new Ordered.Accepted("o");
    }

    @Override
    public Optional<Progress> progress(CloudMachine.Name name, String operation) {
      calls.add("progress " + name.name());
      return Optional.empty();
    }

    @Override
    public Optional<CloudMachine> find(CloudMachine.Name name) {
      calls.add("find " + name.name());
      return Optional.empty();
    }

    @Override
    public boolean delete(CloudMachine.Name name) {
      calls.add("delete " + name.name());
      return true;
    }

    @Override
    public Inventory list() {
      var machine =
          new CloudMachine(
              new CloudMachine.Name("z", service), "1", CloudMachine.Status.RUNNING, Map.of(), T0);
      return new Inventory(List.of(machine), complete, warnings);
    }

    @Override
    public List<Leftover> leftovers() {
      return List.of(DISK);
    }

    @Override
    public boolean delete(Leftover leftover) {
      calls.add("delete leftover " + leftover.name());
      return true;
    }
  }

  private static Fleet fleet(RuntimeException thrown) {
    return (Fleet)
        Proxy.newProxyInstance(
            Fleet.class.getClassLoader(),
            new Class<?>[] {Fleet.class},
            (_, _, _) -> {
              throw thrown;
            });
  }
}

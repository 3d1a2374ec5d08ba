package dev.mayfly.sim.clusters;

import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.sim.control.CoreControlPlane;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.spec.ClusterBuilder;
import java.time.Duration;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The warm machines of a cluster that nobody uses end, and come back. */
class UnusedClusterTest {
  private static ScriptedWorld world(long seed, Duration unusedAfter, PlannedJob... jobs) {
    var cluster =
        ClusterBuilder.like(ScriptedWorld.cluster(List.of(ScriptedWorld.small(2, 3))))
            .unusedAfter(unusedAfter)
            .build();
    return ScriptedWorld.of(CoreControlPlane::new, seed, 2, cluster, jobs);
  }

  private static PlannedJob work(Duration each) {
    return ScriptedWorld.job(0, 4, 1, each, false);
  }

  private static List<EventRecord> told(ScriptedWorld world) {
    return told(world, "unused");
  }

  private static List<EventRecord> told(ScriptedWorld world, String what) {
    return world.world.truth().all(EventRecord.class).stream()
        .filter(event -> event.what().equals(what))
        .sorted(Comparator.comparing(EventRecord::at))
        .toList();
  }

  private static int machines(ScriptedWorld world) {
    return world.world.truth().fleet().machines().size();
  }

  @Test
  void warmMachinesEndAndPeopleAreToldTwice() {
    var world = world(1, ofHours(6), work(ofMinutes(3)));
    world.advance(ofHours(2));
    assertThat(machines(world)).isEqualTo(2);
    assertThat(told(world)).isEmpty();

    world.advance(ofHours(3));
    assertThat(machines(world)).isEqualTo(2);
    assertThat(told(world))
        .singleElement()
        .satisfies(event ->
            assertThat(event.why())
                .contains("its warm machines end (unusedAfter of 6h)", "2 machines of it: $0."));

    world.advance(ofHours(3));
    assertThat(machines(world)).isZero();
    assertThat(told(world)).hasSize(2);
    assertThat(told(world).getLast().why())
        .contains("workers.min counts as 0", "mayfly up brings them back");

    world.advance(ofHours(30));
    assertThat(told(world)).hasSize(2);
    assertThat(machines(world)).isZero();
  }

  /** A pool without a minimum keeps its machines for long. */
  @Test
  void otherMachinesAreRemindedOf() {
    var small = ScriptedWorld.small(0, 3);
    var lasting =
        new PoolSpec(
            "lasting",
            small.machineType(),
            small.visible(),
            small.zones(),
            small.provisioning(),
            0,
            3,
            ofHours(100),
            small.life(),
            MachineSpec.PLAIN);
    var cluster =
        ClusterBuilder.like(ScriptedWorld.cluster(List.of(ScriptedWorld.small(2, 3), lasting)))
            .unusedAfter(ofHours(20))
            .build();
    var job = ScriptedWorld.on("lasting", 0, work(ofMinutes(3)));
    var world = ScriptedWorld.of(CoreControlPlane::new, 6, 3, cluster, job);

    world.advance(ofHours(15));

    assertThat(machines(world)).isEqualTo(3);
    assertThat(told(world)).hasSize(1);
    assertThat(told(world).getLast().why()).contains("2 machines of it");
    assertThat(told(world, "forgotten"))
        .singleElement()
        .satisfies(event ->
            assertThat(event.why())
                .contains("1 machine of it costs", "1 of pool lasting (until idleAfter)")
                .doesNotContain("small"));
  }

  /** Ticks are paused by then. */
  @Test
  void anyMessageBringsThemBack() {
    var world = world(2, ofHours(6), work(ofMinutes(3)));
    world.advance(ofHours(12));
    assertThat(machines(world)).isZero();

    world.world.users().publish(new UserCommand.StopJob("lab", "no-such-job"));
    world.advance(ofMinutes(10));

    assertThat(machines(world)).isEqualTo(2);
  }

  @Test
  void runningJobIsUse() {
    var world = world(3, ofHours(2), ScriptedWorld.job(0, 400, 1, ofMinutes(10), false));

    world.until(world::ended, ofHours(9));
    assertThat(told(world)).isEmpty();

    world.advance(ofMinutes(30));
    assertThat(machines(world)).isEqualTo(2);
  }

  @Test
  void neverKeepsThem() {
    var world = world(4, Duration.ZERO, work(ofMinutes(3)));

    world.advance(ofHours(24));

    assertThat(machines(world)).isEqualTo(2);
    assertThat(told(world)).isEmpty();
  }

  @Test
  void clusterOfBeforeIsUsedWhenItIsSeen() {
    var world = world(5, ofHours(6), work(ofMinutes(3)));
    world.advance(ofHours(5));
    var ledger = world.world.truth().ledger();
    var key = world.world.truth().all(Cluster.class).getFirst().key();
    var stored = ledger.read(key).orElseThrow();
    var was = stored.value();
    var old =
        new Cluster(
            was.uid(),
            was.spec(),
            was.phase(),
            was.generation(),
            was.launches(),
            was.createdAt(),
            Optional.empty());
    ledger.commit(List.of(new LedgerWrite.Update(old, stored.version())));

    world.advance(ofHours(5));
    assertThat(machines(world)).isEqualTo(2);

    world.advance(ofHours(3));
    assertThat(machines(world)).isZero();
  }
}

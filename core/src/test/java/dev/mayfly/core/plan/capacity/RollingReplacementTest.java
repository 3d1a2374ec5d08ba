package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.draining;
import static dev.mayfly.core.plan.PlanFixtures.idleFor;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.launching;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.cluster.RolloutSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.plan.PlanFixtures;
import dev.mayfly.core.plan.Planner;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.PlanDecision;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Workers of an older version of their pool are replaced, a few at a time. */
class RollingReplacementTest {
  private static final DrainReason CHANGED =
      new DrainReason(
          DrainCause.POOL_REPLACED,
          "pool replaced: it is of generation 1, and its pool changed in generation 2: machine");

  private static final Duration HOUR = Duration.ofHours(1);
  private static final PoolSpec POOL = pool("cpu").max(20).build();
  private static final Worker.Held HELD =
      SpecFixtures.held("uid-a", 0, Resources.cpu(1, GIB), List.of());

  /** A snapshot with a changed pool and workers of its first version only. */
  private static ClusterSnapshot changed(PlanFixtures.Of of, Duration ago) {
    var v = of.build();
    var c = v.cluster();
    var then = new Cluster.Version(2, NOW.minus(ago), "machine");
    var cluster = c.withSpec(c.spec(), 2, Map.of("cpu", then));
    return new ClusterSnapshot(v.now(), cluster, v.workers(), v.jobs(), v.stockouts());
  }

  private static PlanFixtures.Of eight() {
    var view = PlanFixtures.view(POOL);
    for (var i = 0; i < 8; i++) view.worker("cpu", busy(), HELD);
    return view.job(job("a", 1, 100));
  }

  private static List<String> drained(ClusterSnapshot clusterSnapshot) {
    return Planner.plan(clusterSnapshot).stream()
        .filter(d -> d instanceof PlanDecision.Drain)
        .map(d -> ((PlanDecision.Drain) d).worker())
        .toList();
  }

  @Test
  void quarterOfBusyPoolDrainsAtOnce() {
    var drains =
        Planner.plan(changed(eight(), Duration.ofMinutes(10))).stream()
            .filter(d -> d instanceof PlanDecision.Drain)
            .toList();

    assertThat(drains)
        .containsExactly(
            new PlanDecision.Drain("cpu-0", CHANGED, Optional.of(NOW.plus(Duration.ofMinutes(50)))),
            new PlanDecision.Drain(
                "cpu-1", CHANGED, Optional.of(NOW.plus(Duration.ofMinutes(50)))));
  }

  @Test
  void drainingWorkersCountTowardsTheQuarter() {
    var one = eight().worker("cpu", draining());
    assertThat(drained(changed(one, Duration.ZERO))).hasSize(1);

    var two = eight().worker("cpu", draining()).worker("cpu", draining());
    assertThat(drained(changed(two, Duration.ZERO))).isEmpty();
  }

  @Test
  void launchingOutdatedWorkerIsDrainedAtOnce() {
    assertThat(drained(changed(eight().worker("cpu", launching()), Duration.ZERO)))
        .contains("cpu-8");
  }

  @Test
  void idleOnesGoFirst() {
    var view =
        PlanFixtures.view(POOL)
            .worker("cpu", busy(), HELD)
            .worker("cpu", idleFor(Duration.ofSeconds(1)))
            .job(job("a", 1, 100));

    assertThat(drained(changed(view, Duration.ZERO))).containsExactly("cpu-1");
  }

  @Test
  void withNoJobsAllAreReplacedAtOnce() {
    var view =
        PlanFixtures.view(POOL)
            .worker("cpu", idleFor(Duration.ofSeconds(1)))
            .worker("cpu", idleFor(Duration.ofSeconds(1)));

    assertThat(drained(changed(view, Duration.ZERO))).containsExactly("cpu-0", "cpu-1");
  }

  @Test
  void irreplaceableWorkersDrainAtTheDeadline() {
    var none = stockout(ZONE, "n2-standard-2", Duration.ZERO);

    assertThat(drained(changed(eight().stockout(none), Duration.ofMinutes(59)))).isEmpty();
    assertThat(drained(changed(eight().stockout(none), HOUR))).hasSize(2);
  }

  @Test
  void currentWorkersStay() {
    assertThat(drained(eight().build())).isEmpty();
  }

  @Test
  void removedPoolWorkersFinishTheirWork() {
    var view = PlanFixtures.view(POOL).worker(pool("old").build(), ZONE, busy(), NOW, HELD);

    assertThat(Planner.plan(view.build()))
        .containsExactly(
            new PlanDecision.Drain("old-0", PoolVersions.REMOVED, Optional.of(NOW.plus(HOUR))));
  }

  @Test
  void removedZoneWorkersAreReplaced() {
    var view = PlanFixtures.view(POOL).worker(POOL, "us-away-1", busy(), NOW, HELD);

    assertThat(drained(view.build())).containsExactly("cpu-0");
  }

  private static Cluster cluster(ClusterSpec spec) {
    return new Cluster("u", spec, Cluster.Phase.UP, 1, 0, NOW, Optional.empty());
  }

  private static Map<String, Cluster.Version> after(PoolSpec was, PoolSpec now) {
    return PoolVersions.after(
        cluster(PlanFixtures.cluster(was)), PlanFixtures.cluster(now), 2, NOW);
  }

  @Test
  void machineChangesMakeNewVersionScalingDoesNot() {
    assertThat(after(POOL, pool("cpu").max(30).min(2).zones(ZONE, "us-b-1").build())).isEmpty();
    assertThat(after(POOL, pool("cpu").life(Duration.ofHours(2)).max(20).build())).isEmpty();
    assertThat(after(POOL, pool("cpu").cpus(4).build()).get("cpu"))
        .isEqualTo(new Cluster.Version(2, NOW, "machine type, visible"));
    assertThat(after(POOL, POOL.withProvisioning(Provisioning.ON_DEMAND)).get("cpu").what())
        .isEqualTo("provisioning");
  }

  @Test
  void mountChangesVersionAndOtherImageDoesNot() {
    var was = PlanFixtures.cluster(POOL);
    var mount = new Mount(Mount.Kind.NFS, "h:/v", "/mnt/v", false);
    var image = with(was, Optional.of("lab/job:2"), List.of());
    var mounted = with(was, Optional.empty(), List.of(mount));

    assertThat(
            PoolVersions.after(
                cluster(image), with(was, Optional.of("lab/job:3"), List.of()), 2, NOW))
        .isEmpty();
    assertThat(PoolVersions.after(cluster(image), was, 2, NOW)).isEmpty();
    assertThat(PoolVersions.after(cluster(was), mounted, 2, NOW).get("cpu").what())
        .isEqualTo("mounts");
  }

  @Test
  void firstImageReplacesMachinesWithoutEngine() {
    var own = POOL.withProvisioning(Provisioning.STATIC);
    var gpus = pool("gpu").max(2).gpus(1).build();
    var tpus = tpus("ct6e-standard-8t", "tpus");
    var node = tpus("v6e-8", "node").withMachine(MachineSpec.tpu("v6e-8", "v2-alpha-tpuv6e"));
    var was = SpecFixtures.cluster(POOL, gpus, tpus, node);
    var image = Optional.of("lab/job:2");

    var after = PoolVersions.after(cluster(was), with(was, image, List.of()), 2, NOW);

    assertThat(after).containsOnlyKeys("cpu", "tpus");
    assertThat(after.values()).allMatch(it -> it.what().equals("container engine"));
    var by = PlanFixtures.cluster(own);
    assertThat(PoolVersions.after(cluster(by), with(by, image, List.of()), 2, NOW)).isEmpty();
  }

  private static PoolSpec tpus(String type, String name) {
    return new PoolSpec(
        name,
        type,
        new Resources(180_000, 1440 * GIB, 0, 8),
        List.of(ZONE),
        Provisioning.SPOT,
        0,
        2,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static ClusterSpec with(ClusterSpec was, Optional<String> image, List<Mount> mounts) {
    return new ClusterSpec(
        was.name(),
        was.bucket(),
        was.env(),
        was.pools(),
        was.owner(),
        Map.of(),
        image,
        Map.of(),
        mounts,
        RolloutSpec.DEFAULT,
        TaskRights.NONE,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void machinesOfOnesOwnAreNeverReplaced() {
    var own = POOL.withProvisioning(Provisioning.STATIC);
    var view = PlanFixtures.view(own).worker(own, ZONE, busy(), NOW, HELD);

    assertThat(drained(changed(view, HOUR))).isEmpty();
  }
}

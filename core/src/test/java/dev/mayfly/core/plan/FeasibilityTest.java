package dev.mayfly.core.plan;

import static dev.mayfly.core.plan.PlanFixtures.GIB;
import static dev.mayfly.core.plan.PlanFixtures.cluster;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.plan.veto.InfeasibleReason;
import dev.mayfly.core.plan.veto.VetoText;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class FeasibilityTest {
  @Test
  void aTaskThatFitsInAnyPoolIsFeasible() {
    var spec = cluster(pool("small").cpus(1).build(), pool("large").cpus(8).build());

    assertThat(Feasibility.check(Resources.cpu(4, GIB), Placement.ANYWHERE, spec)).isEmpty();
    assertThat(Feasibility.check(Resources.ZERO, Placement.ANYWHERE, spec)).isEmpty();
  }

  @Test
  void oversizedTaskGetsNearestShape() {
    var spec = cluster(pool("cpu").cpus(2).build());

    var refused = Feasibility.check(Resources.cpu(4, GIB), Placement.ANYWHERE, spec).orElseThrow();

    assertThat(refused.message())
        .isEqualTo(
            "asks for 4 CPU a task; the largest worker of cluster us-central2 has 2 CPU (pool cpu:"
                + " n2-standard-2, 2 CPU, 8 GiB); ask for at most 2 CPU and 8 GiB, or add a pool"
                + " with a larger machine, n2-standard-4 for example");
    assertThat(considered(refused)).containsExactly("cpu: n2-standard-2 has 2 CPU, not 4 CPU");
  }

  @Test
  void memoryOfGpuIsThatOfOneDevice() {
    var spec =
        cluster(
            pool("cpu").cpus(8).build(),
            pool("t4").cpus(8).gpus(4).gpuMemory(15 * GIB).build(),
            pool("l4").cpus(8).gpus(1).gpuMemory(22 * GIB).build());
    var fits = new Resources(0, 0, 250, 0, 22 * GIB);

    assertThat(Feasibility.check(fits, Placement.ANYWHERE, spec)).isEmpty();
    // Four devices of 15 GiB are no device of 24.
    var refused =
        Feasibility.check(fits.withGpuMemory(24 * GIB), Placement.ANYWHERE, spec).orElseThrow();
    assertThat(refused.message())
        .startsWith(
            "asks for 24 GiB of memory a GPU a task; the nearest worker of cluster us-central2 has"
                + " 22 GiB of memory a GPU (pool l4: ")
        .contains("cpu (n2-standard-8 has 0 GPU, not 0.25 GPU and no known GPU memory, not 24 GiB");
    assertThat(considered(refused))
        .contains("t4: n2-standard-8 has 15 GiB of memory a GPU, not 24 GiB of memory a GPU");
  }

  private static List<String> considered(InfeasibleReason refused) {
    return refused.pools().stream()
        .map(c -> c.pool() + ": " + VetoText.of(c.why(), PlanFixtures.NOW).text())
        .toList();
  }

  @Test
  void nearestPoolIsExceededLeast() {
    var spec =
        cluster(pool("a").cpus(2).build(), pool("b").cpus(8).build(), pool("c").cpus(4).build());

    var refused =
        Feasibility.check(Resources.cpu(16, 40 * GIB), Placement.ANYWHERE, spec).orElseThrow();

    assertThat(refused.message())
        .contains("asks for 16 CPU and 40 GiB a task", "(pool b: n2-standard-8, 8 CPU, 32 GiB)")
        .endsWith(
            "also considered: a (n2-standard-2 has 2 CPU, not 16 CPU and 8 GiB, not 40 GiB), c"
                + " (n2-standard-4 has 4 CPU, not 16 CPU and 16 GiB, not 40 GiB)");
    assertThat(refused.pools())
        .extracting(InfeasibleReason.Considered::pool)
        .containsExactly("a", "b", "c");
  }

  @Test
  void multiHostSliceCannotRunSingleHostTask() {
    var pod = pool("pod").cpus(240).build();
    var slice =
        new PoolSpec(
            "pod",
            "v4-32",
            pod.visible(),
            pod.zones(),
            pod.provisioning(),
            pod.min(),
            pod.max(),
            pod.idleAfter(),
            pod.life(),
            MachineSpec.PLAIN);

    var refused =
        Feasibility.check(Resources.cpu(1, GIB), Placement.ANYWHERE, cluster(slice)).orElseThrow();
    assertThat(refused.message())
        .isEqualTo(
            "has no pool of single machines to run in on cluster us-central2; on pod each task"
                + " would run on all hosts of a slice at once: write pools: [pod] if that is meant,"
                + " or add another pool");
    var meant = Placement.inPools(List.of("pod"));
    assertThat(Feasibility.check(Resources.cpu(1, GIB), meant, cluster(slice))).isEmpty();
    var small = cluster(slice, pool("small").cpus(1).build());
    assertThat(Feasibility.check(Resources.cpu(1, GIB), Placement.ANYWHERE, small)).isEmpty();
    assertThat(Feasibility.check(Resources.cpu(9, GIB), Placement.ANYWHERE, small)).isPresent();
  }

  @Test
  void gangNeedsEnoughMachinesInOnePool() {
    var small = pool("cpu").cpus(2).max(3).build();
    var pod =
        new PoolSpec(
            "pod",
            "v4-32",
            Resources.cpu(240, 400 * GIB),
            small.zones(),
            small.provisioning(),
            0,
            9,
            small.idleAfter(),
            small.life(),
            MachineSpec.PLAIN);

    assertThat(Feasibility.check(gang(3, Placement.ANYWHERE), cluster(small))).isEmpty();
    assertThat(
            Feasibility.check(
                    gang(4, Placement.inPools(List.of("cpu", "pod"))), cluster(small, pod))
                .orElseThrow()
                .message())
        .isEqualTo(
            "asks for gang: 4, and no pool that it may use may have 4 single machines at once: cpu"
                + " has at most 3, pod has slices of several hosts, which are gangs themselves;"
                + " raise workers.max to 4 or more, or ask for a smaller gang");
    assertThat(Feasibility.check(gang(1, Placement.ANYWHERE), cluster(small))).isEmpty();
  }

  @Test
  void aGangThatFitsNoBatchIsRefused() {
    var large = cluster(pool("cpu").cpus(4).max(1_000).build());

    assertThat(Feasibility.check(gang(BatchSize.GANG, Placement.ANYWHERE), large)).isEmpty();
    assertThat(Feasibility.check(gang(BatchSize.GANG + 1, Placement.ANYWHERE), large).orElseThrow())
        .extracting(InfeasibleReason::message)
        .asString()
        .contains("gang: 391", "at most 390 machines together");
  }

  private static JobSpec gang(int gang, Placement placement) {
    return job(SpecFixtures.retries(3), placement, gang);
  }

  private static JobSpec urgent(Placement placement) {
    var wish = new OnDemandRules(3, Optional.empty(), Duration.ZERO);
    return job(new RetryRules(3, 100, wish, List.of()), placement, 0);
  }

  private static JobSpec job(RetryRules retries, Placement placement, int gang) {
    return new JobSpec(
        "train",
        "us-central2",
        Optional.empty(),
        new TaskSource.Count(1),
        SpecFixtures.uploads(Optional.empty()),
        SpecFixtures.run("true"),
        Resources.cpu(1, GIB),
        retries,
        50,
        placement,
        false,
        gang,
        false,
        Optional.empty(),
        Optional.empty());
  }

  @Test
  void onDemandJobNeedsOnDemandPool() {
    var spot = pool("cpu").cpus(2).build();
    var other = pool("other").cpus(2).build();
    var spec = cluster(spot, spot.fallback(2), other);

    assertThat(Feasibility.check(urgent(Placement.ANYWHERE), spec)).isEmpty();
    assertThat(Feasibility.check(urgent(Placement.inPools(List.of("cpu"))), spec)).isEmpty();
    assertThat(Feasibility.check(urgent(Placement.inPools(List.of("other"))), spec))
        .get()
        .extracting(InfeasibleReason::message)
        .asString()
        .contains("asks for onDemand", "write onDemand: {max: 4} in a spot pool");
    assertThat(Feasibility.check(urgent(Placement.ANYWHERE), cluster(spot.fallback(2))))
        .isPresent();
  }

  @Test
  void unnamedPoolIsNotConsidered() {
    var spec = cluster(pool("small").cpus(2).build(), pool("large").cpus(8).build());

    var refused =
        Feasibility.check(Resources.cpu(4, GIB), Placement.inPools(List.of("small")), spec)
            .orElseThrow();

    assertThat(refused.message()).contains("where the job may run has 2 CPU (pool small");
    assertThat(considered(refused)).contains("large: the job's pools do not name it");
  }

  @Test
  void unknownPoolsAreReportedWithKnownOnes() {
    var spec = cluster(pool("small").build());

    assertThat(
            Feasibility.check(Resources.ZERO, Placement.inPools(List.of("v4")), spec)
                .orElseThrow()
                .message())
        .isEqualTo(
            "names the pools v4, and cluster us-central2 has none of them; its pools are small");
  }

  @Test
  void poolWithoutWorkersIsInfeasible() {
    var spec = cluster(pool("closed").cpus(8).max(0).build());

    assertThat(
            Feasibility.check(Resources.cpu(4, GIB), Placement.ANYWHERE, spec)
                .orElseThrow()
                .message())
        .isEqualTo(
            "fits in pool closed of cluster us-central2 alone, where workers.max is 0; raise"
                + " workers.max to 1 or more");
  }

  @Test
  void acceleratorsAreNotSuggestedAsOrdinaryMachines() {
    var spec = cluster(pool("cpu").build());

    var refused =
        Feasibility.check(new Resources(1000, GIB, 250, 0), Placement.ANYWHERE, spec).orElseThrow();

    assertThat(refused.message())
        .startsWith("asks for 0.25 GPU a task; the largest worker of cluster us-central2 has 0 GPU")
        .endsWith("a larger machine");
  }

  @Test
  void poolOutsideJobZonesIsRefused() {
    var spec = cluster(pool("cpu").cpus(2).build());
    var there = new Placement(List.of(), spec.pools().getFirst().zones(), List.of());
    var region =
        new Placement(
            List.of(), List.of(StorageLocation.region(there.zones().getFirst())), List.of());
    var away = new Placement(List.of(), List.of("europe-west4"), List.of());

    assertThat(Feasibility.check(Resources.cpu(1, GIB), there, spec)).isEmpty();
    assertThat(Feasibility.check(Resources.cpu(1, GIB), region, spec)).isEmpty();
    assertThat(Feasibility.check(Resources.cpu(1, GIB), away, spec).orElseThrow().message())
        .isEqualTo(
            "may run in europe-west4 alone, and no pool of cluster us-central2 that it may use is"
                + " there: cpu is in "
                + String.join(", ", there.zones()));
  }

  @Test
  void labelThatNoPoolHasIsRefused() {
    var ssd = Placement.ANYWHERE.withLabels(Map.of("disk", "ssd"));
    var plain = pool("cpu").cpus(2).build();
    var with = plain.withLabels(Map.of("disk", "ssd", "team", "nlp"));
    var own = plain.withProvisioning(Provisioning.STATIC);

    assertThat(Feasibility.check(Resources.cpu(1, GIB), ssd, cluster(with))).isEmpty();
    assertThat(Feasibility.check(Resources.cpu(1, GIB), ssd, cluster(own)))
        .as("a machine brings its own")
        .isEmpty();
    assertThat(field(Resources.ZERO, ssd, cluster(plain))).isEqualTo("labels");
    assertThat(
            Feasibility.check(
                    Resources.ZERO,
                    Placement.ANYWHERE.withLabels(Map.of("disk", "hdd")),
                    cluster(with))
                .orElseThrow()
                .message())
        .isEqualTo(
            "asks for disk: hdd, and no pool of cluster us-central2 that it may use has that: cpu"
                + " has disk: ssd, team: nlp; write labels: {disk: hdd} in a pool, or ask for"
                + " others");
  }

  @Test
  void rejectionNamesFieldToFix() {
    var spec = cluster(pool("small").cpus(2).build());
    var away = new Placement(List.of(), List.of("europe-west4"), List.of());
    var unknown = Placement.inPools(List.of("v4"));

    assertThat(field(Resources.ZERO, unknown, spec)).isEqualTo("pools");
    assertThat(field(Resources.ZERO, away, spec)).isEqualTo("zones");
    assertThat(field(Resources.cpu(4, GIB), Placement.ANYWHERE, spec)).isEqualTo("resources");
  }

  private static String field(Resources need, Placement placement, ClusterSpec cluster) {
    return Feasibility.check(need, placement, cluster).orElseThrow().field();
  }
}

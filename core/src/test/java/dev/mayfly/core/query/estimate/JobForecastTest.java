package dev.mayfly.core.query.estimate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.HourlyBudget;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class JobForecastTest {
  private static final DurationSample TEN_MINUTES = DurationSample.said(Duration.ofMinutes(10));

  /** Machines of four CPUs; the job's tasks take one each. */
  private static PoolSpec pool(String name, String type, Provisioning how, int max) {
    return new PoolSpec(
        name,
        type,
        Resources.cpu(4, 16L << 30),
        List.of("us-a"),
        how,
        0,
        max,
        Duration.ofMinutes(10),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static ClusterSpec cluster(double budget, PoolSpec... pools) {
    var prices = Map.of("cheap", 1.0, "cheap.on-demand", 3.0, "dear", 8.0, "n2-standard-4", 36.0);
    return SpecFixtures.cluster(pools).withBudget(new HourlyBudget(budget, prices));
  }

  private static JobForecast.Run run(ClusterSpec cluster, long tasks) {
    return forecast(cluster, tasks).run().orElseThrow();
  }

  private static JobForecast forecast(ClusterSpec cluster, long tasks) {
    JobSpec job = SpecFixtures.job(1, SpecFixtures.run("true"));
    return JobForecast.of(job, tasks, cluster, TEN_MINUTES, "if each takes 10m");
  }

  @Test
  void machinesThatTasksFillGiveTimeAndPrice() {
    var cluster = cluster(1_000, pool("a", "cheap", Provisioning.SPOT, 10));

    var run = run(cluster, 80);

    assertThat(run.atOnce()).isEqualTo(40);
    assertThat(run.machines()).isEqualTo(10);
    assertThat(run.leastSeconds()).isBetween(1_000.0, 1_200.0);
    assertThat(run.mostSeconds()).isBetween(1_200.0, 1_400.0);
    // 80 tasks of ten minutes on a quarter of a dollar an hour each; fewer minutes are rare.
    assertThat(80 / 6.0 / 4).isBetween(run.leastUsd().orElseThrow(), run.mostUsd().orElseThrow());
    assertThat((run.leastUsd().orElseThrow() + run.mostUsd().orElseThrow()) / 2)
        .isCloseTo(80 / 6.0 / 4, within(0.2));
    assertThat(run.leastUsdOnDemand().orElseThrow())
        .isCloseTo(3 * run.leastUsd().orElseThrow(), within(1e-9));
    assertThat(forecast(cluster, 80).text())
        .matches(
            "\\d+m to \\d+m for \\$[0-9.]+ to \\$[0-9.]+ once its machines run, 40 tasks at once"
                + " on 10 machines, if each takes 10m; on demand \\$[0-9.]+ to \\$[0-9.]+");
  }

  @Test
  void cheapMachinesComeFirst() {
    var cluster =
        cluster(
            1_000,
            pool("dear", "dear", Provisioning.SPOT, 10),
            pool("cheap", "cheap", Provisioning.SPOT, 10));

    assertThat(run(cluster, 40).leastUsd().orElseThrow()).isLessThan(40 / 6.0 / 4 * 1.1);
    assertThat(run(cluster, 80).machines()).isEqualTo(20);
  }

  @Test
  void typesOfOnePoolHaveOneMaximum() {
    var cluster =
        cluster(
            1_000,
            pool(PoolSpec.choice("a", "dear"), "dear", Provisioning.SPOT, 10),
            pool(PoolSpec.choice("a", "cheap"), "cheap", Provisioning.SPOT, 10));

    assertThat(run(cluster, 80).machines()).isEqualTo(10);
  }

  @Test
  void budgetLimitsMachines() {
    var cluster = cluster(3.5, pool("a", "cheap", Provisioning.SPOT, 10));
    assertThat(run(cluster, 80).machines()).isEqualTo(3);
    assertThat(run(cluster, 80).atOnce()).isEqualTo(12);

    var nothing = cluster(0.5, pool("a", "cheap", Provisioning.SPOT, 10));
    assertThat(forecast(nothing, 80).text()).startsWith("unknown: no pool has room");
  }

  @Test
  void concurrencyAndGangsLimitTasks() {
    var cluster = cluster(1_000, pool("a", "cheap", Provisioning.SPOT, 10));
    var job = SpecFixtures.job(1, SpecFixtures.run("true"));
    var few = job.withAdmission(new AdmissionRules(List.of(), 6, Optional.empty()));

    assertThat(run(few, cluster).atOnce()).isEqualTo(6);
    assertThat(run(few, cluster).machines()).isEqualTo(2);
    assertThat(run(gang(job), cluster).atOnce()).isEqualTo(2);
    assertThat(run(gang(job), cluster).machines()).isEqualTo(8);
  }

  /** The same on four machines each. */
  private static JobSpec gang(JobSpec job) {
    return new JobSpec(
        job.name(),
        job.cluster(),
        job.owner(),
        job.tasks(),
        job.data(),
        job.run(),
        job.resources(),
        job.retries(),
        job.priority(),
        job.place(),
        job.exclusive(),
        4,
        false,
        Optional.empty(),
        Optional.empty());
  }

  private static JobForecast.Run run(JobSpec job, ClusterSpec cluster) {
    return JobForecast.of(job, 80, cluster, TEN_MINUTES, "").run().orElseThrow();
  }

  @Test
  void unknownPriceIsNoPrice() {
    var cluster = SpecFixtures.cluster(pool("a", "new-1", Provisioning.SPOT, 2));

    assertThat(run(cluster, 8).leastUsd()).isEmpty();
    assertThat(forecast(cluster, 8).text()).doesNotContain("$");
  }

  @Test
  void onlySpotMachinesAreComparedWithOnDemand() {
    var cluster = cluster(1_000, pool("a", "cheap", Provisioning.ON_DEMAND, 2));

    assertThat(run(cluster, 8).leastUsdOnDemand()).isEmpty();
  }

  /** The list has a price of it on demand, and it is no price of the same list. */
  @Test
  void budgetsPriceIsComparedWithNoListPrice() {
    var run = run(cluster(1_000, pool("a", "n2-standard-4", Provisioning.SPOT, 2)), 8);

    assertThat(run.leastUsd()).isPresent();
    assertThat(run.leastUsdOnDemand()).isEmpty();
  }

  @Test
  void basisNamesTheJob() {
    var day = Instant.parse("2026-11-20T10:00:00Z");
    assertThat(new DurationSample(List.of(1.0), 1).basis("ada/sweep", day))
        .isEqualTo("each as the one task of job ada/sweep of 2026-11-20");
    assertThat(new DurationSample(List.of(1.0), 1_200).basis("sweep", day))
        .isEqualTo("each as the 1,200 tasks of job sweep of 2026-11-20");
  }
}

package dev.mayfly.cli.doctor;

import static dev.mayfly.cli.doctor.FakeGoogleApis.find;
import static dev.mayfly.cli.doctor.FakeGoogleApis.projects;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.doctor.CheckResult.Verdict;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.porttests.DocumentFixtures;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What doctor says of quotas, and of clusters for which they are too small. */
class QuotaChecksTest {
  private FakeGoogleApis google;

  @BeforeEach
  void start() throws IOException {
    google = new FakeGoogleApis();
  }

  @AfterEach
  void stop() {
    google.close();
  }

  @Test
  void zeroGpusOfTheProjectIsNote() {
    google.answers.put(
        projects("/compute/compute/v1", ""),
        "{\"quotas\": [{\"metric\": \"GPUS_ALL_REGIONS\", \"limit\": 0.0, \"usage\": 0.0}]}");

    var checkResult = find(google.checks(), "quota project");

    assertThat(checkResult.verdict()).isEqualTo(Verdict.NOTE);
    assertThat(checkResult.text())
        .isEqualTo("GPUS_ALL_REGIONS 0 of 0: no machine with a GPU starts until you have some");
  }

  @Test
  void fewCpusForTheFirstJobIsNote() {
    google.answers.put(
        projects("/compute/compute/v1", "/regions/us-central1"),
        "{\"quotas\": [{\"metric\": \"CPUS\", \"limit\": 2.0, \"usage\": 2.0}]}");

    assertThat(find(google.checks(), "quota us-central1"))
        .matches(c -> c.verdict() == Verdict.NOTE)
        .matches(c -> c.text().contains("the first job takes 4 CPUs, and fewer are free"));
  }

  @Test
  void fullQuotaIsNote() {
    google.answers.put(
        projects("/compute/compute/v1", "/regions/us-central1"),
        """
        {"quotas": [{"metric": "CPUS", "limit": 24.0, "usage": 2.0},
          {"metric": "SSD_TOTAL_GB", "limit": 500.0, "usage": 500.0}]}
        """);

    assertThat(find(google.checks(), "quota us-central1"))
        .matches(c -> c.verdict() == Verdict.NOTE)
        .matches(c -> c.text().endsWith("nothing is left of SSD_TOTAL_GB"));
  }

  @Test
  void fewCpusOfCloudRunAreNote() {
    google.answers.put(
        projects("/serviceusage/v1beta1", "/services/run.googleapis.com/consumerQuotaMetrics"),
        """
        {"metrics": [{"consumerQuotaLimits": [{
          "name": "projects/123/services/run.googleapis.com/consumerQuotaMetrics/cpu/limits/CpuAllocPerProjectRegion",
          "quotaBuckets": [{"effectiveLimit": "10000"}, {"effectiveLimit": "40000", "dimensions": {"region": "us-east1"}}]}]}]}
        """);

    assertThat(find(google.checks(), "Cloud Run us-central1").text())
        .contains("allows 10000 thousandths of a CPU, and function workers asks for 20000");
  }

  @Test
  void zeroCpuQuotaIsReported() {
    google.answers.put(
        projects("/compute/compute/v1", "/regions/us-central1"),
        "{\"quotas\": [{\"metric\": \"CPUS\", \"limit\": 0.0}]}");

    assertThat(find(google.checks(), "quota us-central1").verdict()).isEqualTo(Verdict.WRONG);
  }

  @Test
  void poolIsComparedWithWhatIsLeft() {
    // 50 GB of pd-balanced each, and 150 GB are left.
    var pool = pool("e2-standard-2", Provisioning.SPOT, 10, MachineSpec.PLAIN);

    assertThat(of(pool))
        .matches(c -> c.verdict() == Verdict.NOTE)
        .matches(c ->
            c.text()
                .equals(
                    "the quotas allow 3 of 10 workers: SSD_TOTAL_GB 350 of 500, and one takes 50"));
    assertThat(of(pool("e2-standard-2", Provisioning.SPOT, 3, MachineSpec.PLAIN)).verdict())
        .isEqualTo(Verdict.OK);
  }

  @Test
  void gpusOfAllRegionsBoundAPool() {
    google.answers.put(
        projects("/compute/compute/v1", ""),
        "{\"quotas\": [{\"metric\": \"GPUS_ALL_REGIONS\", \"limit\": 0.0, \"usage\": 0.0}]}");
    var t4 = MachineSpec.PLAIN.with(new MachineSpec.Gpu("nvidia-tesla-t4", 1));

    assertThat(of(pool("n1-standard-4", Provisioning.ON_DEMAND, 1, t4)))
        .matches(c -> c.verdict() == Verdict.WRONG)
        .matches(c -> c.text().endsWith("GPUS_ALL_REGIONS 0 of 0, and one takes 1"));
  }

  @Test
  void spotTakesItsOwnQuotaWhereThereIsOne() {
    google.answers.put(
        projects("/compute/compute/v1", "/regions/us-central1"),
        """
        {"quotas": [{"metric": "CPUS", "limit": 500.0, "usage": 0.0},
          {"metric": "PREEMPTIBLE_CPUS", "limit": 8.0, "usage": 4.0},
          {"metric": "NVIDIA_L4_GPUS", "limit": 1.0, "usage": 0.0},
          {"metric": "PREEMPTIBLE_NVIDIA_L4_GPUS", "limit": 0.0, "usage": 0.0}]}
        """);

    assertThat(of(pool("e2-standard-2", Provisioning.SPOT, 10, MachineSpec.PLAIN)).text())
        .isEqualTo("the quotas allow 2 of 10 workers: PREEMPTIBLE_CPUS 4 of 8, and one takes 2");
    assertThat(of(pool("g2-standard-4", Provisioning.SPOT, 10, MachineSpec.PLAIN)).text())
        .contains("1 of 10 workers");
  }

  @Test
  void hyperdiskHasItsOwnQuota() {
    google.answers.put(
        projects("/compute/compute/v1", "/regions/us-central1"),
        """
        {"quotas": [{"metric": "CPUS", "limit": 500.0, "usage": 0.0},
          {"metric": "SSD_TOTAL_GB", "limit": 0.0, "usage": 0.0},
          {"metric": "HDB_TOTAL_GB", "limit": 100.0, "usage": 0.0}]}
        """);

    assertThat(of(pool("n4-standard-2", Provisioning.ON_DEMAND, 3, MachineSpec.PLAIN)).text())
        .isEqualTo("the quotas allow 2 of 3 workers: HDB_TOTAL_GB 0 of 100, and one takes 50");
  }

  @Test
  void chipsOfComputeEngineHaveQuotaOfTheirOwn() {
    google.answers.put(
        projects("/compute/compute/v1", "/regions/us-central1"),
        """
        {"quotas": [{"metric": "CPUS", "limit": 500.0, "usage": 0.0},
          {"metric": "PREEMPTIBLE_CPUS", "limit": 8.0, "usage": 4.0},
          {"metric": "HDB_TOTAL_GB", "limit": 100.0, "usage": 0.0}]}
        """);

    var told = of(pool("ct6e-standard-8t", Provisioning.FLEX_START, 1, MachineSpec.PLAIN));
    assertThat(told.verdict()).isEqualTo(Verdict.NOTE);
    assertThat(told.text())
        .contains(
            "PREEMPTIBLE-TPU-V6E-per-project-region, then TPUS-PER-TPU-FAMILY-per-project-region, which is apart from Cloud TPU's");
    assertThat(told.remedy().orElseThrow()).contains("--service=compute.googleapis.com");
    assertThat(of(pool("ct6e-standard-8t", Provisioning.SPOT, 2, MachineSpec.PLAIN)).text())
        .as("its disk is of a quota that is read")
        .isEqualTo("the quotas allow 1 of 2 workers: HDB_TOTAL_GB 0 of 100, and one takes 100");
  }

  @Test
  void regionsOfAClusterAreReadToo() {
    var checkResults = google.checks(cluster(pool("e2-standard-2", "us-west4-a")));

    assertThat(find(checkResults, "quota us-west4").text()).isEqualTo("unknown region us-west4");
  }

  private CheckResult of(PoolSpec pool) {
    return find(google.checks(cluster(pool)), "pool cpu");
  }

  private static ClusterSpec cluster(PoolSpec pool) {
    return DocumentFixtures.clusterSpec("lab").with(List.of(pool));
  }

  private static PoolSpec pool(String type, String zone) {
    return new PoolSpec(
        "cpu",
        type,
        Resources.cpu(2, 8L << 30),
        List.of(zone),
        Provisioning.SPOT,
        0,
        1,
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        MachineSpec.PLAIN);
  }

  private static PoolSpec pool(String type, Provisioning how, int max, MachineSpec machine) {
    return new PoolSpec(
        "cpu",
        type,
        Resources.cpu(2, 8L << 30),
        List.of("us-central1-a", "us-central1-b"),
        how,
        0,
        max,
        Duration.ofMinutes(10),
        Duration.ofHours(1),
        machine);
  }
}

package dev.mayfly.cli.output;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.sync.GpuUse;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MachineUse;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class StatusPageTest {
  private static final List<WorkerStatus> WORKERS =
      List.of(
          ViewFixtures.worker("lab-cpu-a", "ready", 6, Optional.empty()),
          ViewFixtures.worker("lab-cpu-b", "ready", -12, Optional.empty()),
          ViewFixtures.worker("lab-cpu-c", "booting", 0, Optional.empty()),
          ViewFixtures.worker("lab-cpu-d", "gone", 0, Optional.of("its boot deadline passed")));

  @Test
  void wideTerminalShowsEveryField() {
    assertThat(page(200))
        .isEqualTo(
            """
            lab  up for 2h, generation 3, bucket gs://lab, 1 live job
              workers    1 booting, 2 ready
              no boot    1 in the last hour; lab-cpu-d: its boot deadline passed
              in use     cpu 3/4, memory 2.5/16 GiB, gpu 0/1
              cost       $0.30 an hour for 3 machines; $1.20 today, $12.80 of $500.00 this month (UTC)
              kept idle  1 machine for workers.min: 1 of pool cpu; $0.10 an hour
              trouble    lab-cpu-b: disk nearly full

              POOL  MACHINE        PROVISIONING  LIVE  WANTED  MIN  MAX
              cpu   n2-standard-2  spot             3       4    0    5

              WORKER     POOL  STATE    AGE  HEARTBEAT  IDLE  TASKS  NEXT      $/H     COST  MACHINE                      NOTE
              lab-cpu-a  cpu   ready     5m  in 6s         -      2     2  $0.0971  $0.0081  n2-standard-2 us-central1-a  reddit
              lab-cpu-b  cpu   ready     5m  12s late    45s      0     0  $0.0971  $0.0081  n2-standard-2 us-central1-a
              lab-cpu-c  cpu   booting   5m  -             -      0     0  $0.0971  $0.0081  n2-standard-2 us-central1-a

              JOB     STATE    DONE  FAILED  AGE  TOOK    COST  OWNER  WHY
              reddit  running  5/12       0  95s     -  $10.50  -
            """);
  }

  @Test
  void narrowTerminalLinesFit() {
    var page = page(80);

    assertThat(page.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    assertThat(page)
        .contains(
            """
              WORKER     POOL  STATE    AGE  HEARTBEAT  IDLE  TASKS  NEXT     COST  NOTE
            """);
  }

  @Test
  void gpusShowUseAndMemory() {
    var page = gpuPage(200);

    assertThat(page)
        .contains("  gpus       40% busy, memory 8.2/45 GiB (mean and sum of 3)\n")
        .contains("TASKS  NEXT  GPU/MEM      $/H     COST  MACHINE ")
        .contains(" 2     2  40%/18%  $0.0971  $0.0081  n2-standard-2 us-central1-a  reddit\n")
        // Of a device in parts the driver says no use; a worker that says nothing has none.
        .containsPattern(" 2     2 +-/- +\\$0.0971  \\$0.0081  n2-standard-2")
        .containsPattern(" 2     2 +- +\\$0.0971  \\$0.0081  n2-standard-2");
  }

  @Test
  void useOfMachinesIsShownWhereItIsKnown() {
    var gib = 1L << 30;
    var workers =
        List.of(
            MeasuredWorkers.worker("lab-cpu-a", new MachineUse(37, 6 * gib, 32 * gib)),
            MeasuredWorkers.worker("lab-cpu-b", List.of()));

    assertThat(WorkerLines.table(workers, ViewFixtures.NOW).lines(screen(200)))
        .satisfies(
            lines -> assertThat(lines.get(0)).contains("NEXT  CPU/MEM      $/H     COST  MACHINE"))
        .satisfies(lines ->
            assertThat(lines.get(1)).contains(" 2  37%/18%  $0.0971  $0.0081  n2-standard-2"))
        .satisfies(lines ->
            assertThat(lines.get(2)).contains(" 2        -  $0.0971  $0.0081  n2-standard-2"));
  }

  @Test
  void narrowTerminalShowsGpusToo() {
    var page = gpuPage(80);

    assertThat(page.lines()).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    assertThat(page).contains("40% busy, memory 8.2/45 GiB").contains("40%/18%");
  }

  private static String gpuPage(int width) {
    var gib = 1L << 30;
    var busy = new GpuUse(0, Optional.of(80), Optional.of(8 * gib), Optional.of(45 * gib / 2));
    var idle = new GpuUse(1, Optional.of(0), Optional.of(gib / 5), Optional.of(45 * gib / 2));
    var parts = new GpuUse(0, Optional.empty(), Optional.empty(), Optional.of(40 * gib));
    var workers =
        List.of(
            MeasuredWorkers.worker("lab-gpu-a", List.of(busy, idle)),
            MeasuredWorkers.worker("lab-gpu-b", List.of(parts)),
            MeasuredWorkers.worker("lab-gpu-c", List.of()));
    var lines =
        StatusPage.lines(
            ViewFixtures.cluster(),
            workers,
            List.of(),
            Optional.empty(),
            false,
            ViewFixtures.NOW,
            screen(width));
    return String.join("\n", lines) + "\n";
  }

  @Test
  void truncatedNamesRemainDistinct() {
    var workers =
        List.of(
            ViewFixtures.worker("us-central2-v4-preemptible-7f3a", "ready", 6, Optional.empty()),
            ViewFixtures.worker(
                "us-central2-v4-preemptible-9c1d", "unfit", 6, Optional.of("no GPU")),
            ViewFixtures.worker("us-central2-cpu-5b2e", "ready", 6, Optional.empty()));

    var lines = WorkerLines.table(workers, ViewFixtures.NOW).lines(screen(80));
    assertThat(lines).allSatisfy(line -> assertThat(line.length()).isLessThanOrEqualTo(80));
    assertThat(lines.stream().map(line -> line.split(" ")[0]).distinct()).hasSize(4);
    assertThat(lines.get(1)).contains("7f3a");
    assertThat(lines.get(2)).contains("9c1d").contains("unfit");
    assertThat(lines.get(3)).contains("5b2e");
  }

  @Test
  void everyJobHasOneLine() {
    var why = "stockout: zone us-central1-a has no g2-standard-4: ZONE_RESOURCE_POOL_EXHAUSTED";
    var waits = ViewFixtures.job(ViewFixtures.jobSpec()).totals(0, 0, 12, 0).because(why).view();
    var other = ViewFixtures.jobSpec(ViewFixtures.JOB.replace("reddit", "tokens"));
    var runs = ViewFixtures.job(other).view();
    var table = JobLines.table(List.of(waits, runs), Map.of(), false, ViewFixtures.NOW);

    assertThat(table.lines(screen(80)))
        .containsExactly(
            "JOB     STATE    DONE  WHY",
            "reddit  waiting  0/12  stockout: zone us-central1-a has no g2-standard-4:…",
            "tokens  running  5/12");
    assertThat(table.lines(screen(200))).hasSize(3).anyMatch(line -> line.endsWith(why));
  }

  @Test
  void jobsOfOneNameAreToldApartByUid() {
    var newer = ViewFixtures.job(ViewFixtures.jobSpec()).uid("j2").view();
    var older = ViewFixtures.job(ViewFixtures.jobSpec()).uid("j1").view();

    assertThat(jobs(false, newer, older).lines(screen(80)))
        .first()
        .asString()
        .startsWith("JOB     UID  STATE");
    assertThat(jobs(false, newer).lines(screen(80)).getFirst()).doesNotContain("UID");
    assertThat(jobs(true, newer).lines(screen(80)).getFirst()).contains("UID");
    assertThat(JobLines.namesakes(List.of(newer, older))).containsExactly(older);
  }

  private static Table jobs(boolean withUids, JobStatus... jobs) {
    return JobLines.table(List.of(jobs), Map.of(), withUids, ViewFixtures.NOW);
  }

  @Test
  void commonProblemDoesNotHideNotes() {
    var worker =
        ViewFixtures.troubled(
            "lab-cpu-a", MachineProblem.Kind.UNLIMITED.of("limits of CPU and memory"));

    assertThat(WorkerLines.table(List.of(worker), ViewFixtures.NOW).lines(screen(200)).get(1))
        .endsWith("reddit");
  }

  @Test
  void jobWithoutRunningTasksIsWaiting() {
    var job =
        ViewFixtures.job(ViewFixtures.jobSpec()).totals(0, 0, 12, 0).because("room: none").view();

    assertThat(
            JobLines.table(List.of(job), Map.of(), false, ViewFixtures.NOW)
                .lines(screen(200))
                .get(1))
        .contains("waiting")
        .endsWith("room: none");
  }

  @Test
  void listOfJobsSaysWhyAndNoNumbersTwice() {
    var job =
        ViewFixtures.job(ViewFixtures.jobSpec())
            .state("failed")
            .totals(11, 1, 0, 0)
            .because("KeyError: 'score' (user error, exit code 1); 11 done, 1 failed for good")
            .view();

    assertThat(
            JobLines.table(List.of(job), Map.of(), false, ViewFixtures.NOW)
                .lines(screen(200))
                .get(1))
        .endsWith("  KeyError: 'score' (user error, exit code 1)");
  }

  @Test
  void timeOfPredecessorsIsNoneOfTheJobs() {
    var job =
        ViewFixtures.job(ViewFixtures.jobSpec())
            .state("succeeded")
            .totals(12, 0, 0, 0)
            .mayRunSince(ViewFixtures.NOW.minusSeconds(11))
            .view();

    assertThat(JobLines.ending(job)).startsWith("job reddit succeeded in 1s: ");
    assertThat(
            JobLines.table(List.of(job), Map.of(), false, ViewFixtures.NOW)
                .lines(screen(200))
                .get(1))
        .contains(" 95s    1s ");
  }

  @Test
  void endedJobIsSummarizedInOneLine() {
    var job =
        ViewFixtures.job(ViewFixtures.jobSpec())
            .state("failed")
            .totals(11, 1, 0, 0)
            .attempts(Map.of(FailureCause.PREEMPTED, 3L))
            .view();

    assertThat(JobLines.ending(job))
        .isEqualTo(
            "job reddit failed in 85s: 11 of 12 tasks done, 1 failed; attempts without a"
                + " result: 3 preempted");
  }

  @Test
  void endOfJobNamesItsReason() {
    var stopped = ended("stopped", "0 done, 12 not finished; stopped by bob (claimed)");
    var unstarted = ended("failed", "did not start: its predecessor extract failed");
    var late = ended("failed", "no task started in its queueTimeout of 10m");

    assertThat(JobLines.ending(stopped))
        .isEqualTo(
            "job reddit stopped, and never began: 0 of 12 tasks done\n  stopped by bob (claimed)");
    assertThat(JobLines.ending(unstarted))
        .endsWith("\n  did not start: its predecessor extract failed");
    assertThat(JobLines.ending(late)).endsWith("\n  no task started in its queueTimeout of 10m");
  }

  /** What it waited is not what it took. */
  @Test
  void jobThatNeverBeganTookNoTime() {
    var never = ended("stopped", "stopped by bob (claimed)");
    var began =
        ViewFixtures.job(ViewFixtures.jobSpec())
            .state("stopped")
            .totals(0, 0, 12, 0)
            .attempts(Map.of(FailureCause.STOPPED, 1L, FailureCause.RETURNED, 3L))
            .view();

    assertThat(jobs(false, never).lines(screen(200)).get(1)).contains(" 95s     - ");
    assertThat(jobs(false, began).lines(screen(200)).get(1)).contains(" 95s   85s ");
    assertThat(JobLines.ending(began)).startsWith("job reddit stopped in 85s: ");
  }

  private static JobStatus ended(String state, String reason) {
    var job = ViewFixtures.job(ViewFixtures.jobSpec()).state(state).totals(0, 0, 12, 0);
    return job.because(reason).view();
  }

  private static Screen screen(int width) {
    return TestScreen.of(System.out, System.err, true, false, width);
  }

  private static String page(int width) {
    var screen = screen(width);
    var jobs = List.of(ViewFixtures.job(ViewFixtures.jobSpec()).view());
    var lines =
        StatusPage.lines(
            ViewFixtures.cluster(),
            WORKERS,
            jobs,
            Optional.of(CostFixtures.cost()),
            false,
            ViewFixtures.NOW,
            screen);
    return String.join("\n", lines) + "\n";
  }
}

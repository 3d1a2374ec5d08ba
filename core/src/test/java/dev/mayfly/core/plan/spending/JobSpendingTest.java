package dev.mayfly.core.plan.spending;

import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.JobTasks;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.plan.PlanFixtures;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** When a job has cost what it may; its grace is 30 seconds. */
class JobSpendingTest {
  private static final Offset<Double> EXACTLY = Offset.offset(1e-9);
  private static final Duration HOUR = Duration.ofHours(1);

  private static Job job(double maxUsd) {
    var rules =
        new AdmissionRules(
            List.of(),
            0,
            Optional.empty(),
            Optional.empty(),
            Optional.of(maxUsd),
            Optional.empty());
    return new Job(
        "u1",
        "j",
        SpecFixtures.job(4, SpecFixtures.run("train")).withAdmission(rules),
        "h",
        new JobState.Running(NOW),
        new JobTasks(4, Optional.empty(), 4),
        NOW,
        NOW,
        Optional.empty(),
        Optional.empty());
  }

  /** A machine of $40 an hour, of whose four CPUs the job has so many since an hour ago. */
  private static Worker worker(long tasks) {
    var running = List.of(0L, 1L, 2L, 3L).subList(0, (int) tasks);
    var held = SpecFixtures.held("j", 0, Resources.cpu(1, PlanFixtures.GIB), running);
    var usage = MachineUsage.from(Optional.of(40.0), NOW.minus(HOUR));
    return PlanFixtures.view(PlanFixtures.pool("cpu").cpus(4).build())
        .worker("cpu", PlanFixtures.busy(), held)
        .with(it -> it.withUsage(usage))
        .build()
        .workers()
        .getFirst();
  }

  private static Usage moved(String job, Purpose purpose, Optional<Double> usd) {
    var row =
        new Usage.Row(
            LocalDate.ofInstant(NOW, ZoneOffset.UTC),
            "cpu",
            "z",
            "n2-standard-4",
            Provisioning.SPOT,
            purpose,
            Optional.of(job),
            1_000,
            usd);
    return new Usage("u1", Usage.ENDED + "w.1", List.of(row));
  }

  private static JobSpending spending(double spent, double untilEnd) {
    return new JobSpending("ann/train", 25, spent, untilEnd);
  }

  @Test
  void partsOfMachinesAreAddedToWhatHasEnded() {
    var spending =
        JobSpending.of(
            job(100).withEndedUsd(3),
            List.of(
                moved("j", Purpose.TASKS, Optional.of(2.0)),
                moved("j", Purpose.LOST, Optional.of(1.0)),
                moved("other", Purpose.TASKS, Optional.of(50.0))),
            List.of(worker(2), worker(1)),
            NOW);

    assertThat(spending.spent()).isEqualTo(3 + 2 + 1 + 20 + 10, EXACTLY);
    assertThat(spending.untilEnd())
        .as("a minute and its grace")
        .isEqualTo(30 * 90 / 3600.0, EXACTLY);
  }

  @Test
  void lossForAHigherPriorityDoesNotCount() {
    var moved = List.of(moved("j", Purpose.OUTRANKED, Optional.of(2.0)));
    var preempted = worker(4).counted(NOW);
    var usage = preempted.usage().orElseThrow().wasted(Purpose.OUTRANKED, "j", HOUR.toMillis() / 4);

    var spending = JobSpending.of(job(100), moved, List.of(preempted.withUsage(usage)), NOW);

    assertThat(spending.spent()).as("45 of 60 minutes of one machine").isEqualTo(30, EXACTLY);
  }

  @Test
  void machinesWithoutPriceCountAsNothing() {
    var spending =
        JobSpending.of(
            job(1), List.of(moved("j", Purpose.TASKS, Optional.empty())), List.of(), NOW);

    assertThat(spending.spent()).isZero();
    assertThat(spending.isReached()).isFalse();
  }

  @Test
  void retryRaisesTheLimit() {
    assertThat(JobSpending.of(job(1).withMaxUsd(50), List.of(), List.of(), NOW).maxUsd())
        .isEqualTo(50);
  }

  @ParameterizedTest
  @CsvSource({
    "0, 0, false, false",
    "19.9, 5, false, false",
    "20, 0, true, false",
    "20, 4.99, true, false",
    "20, 5, true, true",
    "0, 25, false, true",
    "24.99, 0, true, false",
    "25, 0, true, true",
    "30, 1, true, true"
  })
  void limitIsReachedBeforeItIsPassed(double spent, double more, boolean near, boolean reached) {
    assertThat(spending(spent, more).isNear()).isEqualTo(near);
    assertThat(spending(spent, more).isReached()).isEqualTo(reached);
  }

  @Test
  void reasonsNameLimitSpendingAndRemedy() {
    assertThat(new JobSpending("a", 0.8, 0.04, 0.9).whyStopped())
        .as("twice the limit would be less than what is kept for the end")
        .endsWith("mayfly retry a --max-usd 2.74");
    assertThat(spending(24.6, 0.413).whyStopped())
        .isEqualTo(
            "its maxUsd of $25.00 is reached: its tasks cost $24.60, and up to $0.41 more until they have ended; what is done stays done, and with more money the others run: mayfly retry ann/train --max-usd 50");
    assertThat(spending(24.998, 0.001787).whyStopped())
        .contains(", and less than $0.01 more until they have ended; ");
    assertThat(spending(25.1, 0).whyStopped())
        .startsWith("its maxUsd of $25.00 is reached: its tasks cost $25.10; what is done")
        .endsWith("mayfly retry ann/train --max-usd 50.20");
    assertThat(spending(20.5, 0).whyTold())
        .isEqualTo(
            "its tasks cost $20.50 of its maxUsd of $25.00, at which it is stopped; to let it go on: mayfly retry ann/train --max-usd 50");
    assertThat(spending(26, 0).whyNotRetried())
        .isEqualTo(
            "of $25.00 is used up: the tasks of job ann/train cost $26.00; write more: mayfly retry ann/train --max-usd 52");
    assertThat(new JobSpending("a", 0.0002, 0.00012, 0.00009).whyStopped())
        .contains("and up to $0.00009 more");
    assertThat(new JobSpending("a", 0.0002, 0.00012, 0).whyTold())
        .startsWith("its tasks cost $0.00012 of its maxUsd of $0.0002");
  }
}

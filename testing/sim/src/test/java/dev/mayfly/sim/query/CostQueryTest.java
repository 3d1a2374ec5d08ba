package dev.mayfly.sim.query;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.worker.Ending;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.cost.CostReader;
import dev.mayfly.core.query.cost.CostRequest;
import dev.mayfly.core.query.cost.Waste;
import dev.mayfly.core.query.cost.Waste.Cause;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import org.assertj.core.data.Offset;
import org.junit.jupiter.api.Test;

class CostQueryTest {
  private static final Offset<Double> EXACTLY = Offset.offset(1e-9);
  private static final long HOUR = Duration.ofHours(1).toMillis();

  private final LabCluster lab = new LabCluster(8);
  private final LocalDate today = LocalDate.ofInstant(lab.time.instant(), ZoneOffset.UTC);

  @Test
  void endedAndLivingMachinesAddUp() {
    lab.submit(LabCluster.count("one", 1));
    var job = lab.job("one").uid();
    ended(
        "old",
        row(Purpose.TASKS, Optional.of(job), 2 * HOUR),
        row(Purpose.LOST, Optional.of(job), HOUR / 4),
        row(Purpose.PREEMPTED, Optional.of(job), HOUR / 2),
        row(Purpose.DRAINED, Optional.of(job), HOUR / 4),
        row(Purpose.FAILED, Optional.of(job), HOUR / 4),
        row(Purpose.STOPPED, Optional.of(job), HOUR * 3 / 4));
    living("w");
    lab.time.advance(Duration.ofHours(1));

    var cost = cost(CostBy.JOB, Optional.empty());

    assertThat(cost.total().total().hours()).isEqualTo(5, EXACTLY);
    assertThat(cost.total().total().usd()).isEqualTo(2.5, EXACTLY);
    assertThat(cost.groups()).extracting(CostGroup::name).containsExactly("one", "(no job)");
    assertThat(cost.groups().getFirst().uid()).contains(job);
    assertThat(cost.groups().getFirst().lost().usd()).isEqualTo(0.5, EXACTLY);
    assertThat(cost.groups().getFirst().failedOrNone().usd()).isEqualTo(0.5, EXACTLY);
    assertThat(cost.total().waste().orElseThrow())
        .extracting(Waste::cause)
        .containsExactly(
            Cause.IDLE, Cause.STOPPED, Cause.PREEMPTED, Cause.FAILED, Cause.DRAINED, Cause.LOST);
    assertThat(cost.inWords(false).title().getLast())
        .startsWith(
            "waste: $1.50, 60 % of all cost: $0.50 unused machines or parts of them, $0.38 stopped attempts, ");
    assertThat(cost.groups().getLast().idle().usd()).isEqualTo(0.5, EXACTLY);
    assertThat(cost.usdPerHour()).isEqualTo(0.5);
    assertThat(cost.machines()).isEqualTo(1);
    assertThat(cost.today().usd()).isEqualTo(2.5, EXACTLY);
  }

  @Test
  void refusedOrderCostsNothing() {
    assertThat(gone("lost", Ending.LOST)).hasValue(0.5);
    assertThat(gone("refused", Ending.REFUSED)).isEmpty();
  }

  /** What the list of machines says of one that is gone an hour after its order. */
  private Optional<Double> gone(String name, Ending ending) {
    living(name);
    lab.time.advance(Duration.ofHours(1));
    var gone = new WorkerState.Gone(lab.now(), "a reason", Optional.of(ending));
    lab.change(name, false, worker -> worker.with(gone));
    return lab.controlPlane.statusQueries().workers("lab", true).stream()
        .filter(worker -> worker.name().equals(name))
        .findFirst()
        .orElseThrow()
        .usd();
  }

  /** The same words for the command line and the page. */
  @Test
  void answerSaysWhatItMeans() {
    lab.submit(LabCluster.count("one", 1));
    living("w");
    lab.time.advance(Duration.ofHours(1));

    var all = worded(Optional.empty());
    assertThat(all.title())
        .containsExactly(
            "cluster lab since %s (UTC): $0.50 for 1 machine hour".formatted(all.since()),
            "now $0.50 an hour for 1 machine",
            "waste: $0.50, 100 % of all cost: $0.50 unused machines or parts of them");
    assertThat(all.notes().getFirst()).startsWith("the laptop cloud charges");
    assertThat(all.notes().getLast())
        .contains("parts of others that no task takes")
        .endsWith("has whole machines alone");
    assertThat(worded(Optional.of("one")).title())
        .containsExactly(
            "job one of cluster lab since %s (UTC): $0.00 for 0 machine hours".formatted(today));
  }

  private ClusterCost worded(Optional<String> job) {
    return lab.controlPlane.statusQueries().cost("lab", CostBy.DAY, Optional.empty(), job);
  }

  @Test
  void machineThatEndsMeanwhileCountsOnce() {
    living("w");
    lab.time.advance(Duration.ofHours(1));
    // Its usage is read, then it, and then its usage again.
    lab.ledger.beforeRead(
        3,
        () -> {
          var worker = lab.worker("w").counted(lab.time.instant());
          lab.change("w", false, it -> worker.withUsage(worker.usage().orElseThrow().moved()));
          lab.store.commit(List.of(new LedgerWrite.Put(Usage.of(worker, lab.time.instant()))));
        });

    assertThat(cost(CostBy.DAY, Optional.empty()).total().total().hours()).isEqualTo(1, EXACTLY);
  }

  @Test
  void ownersAndDeletedJobsHaveGroups() {
    lab.submit(LabCluster.count("ann/mine", 1));
    lab.submit(LabCluster.count("open", 1));
    ended(
        "old",
        row(Purpose.TASKS, Optional.of(lab.job("ann/mine").uid()), 3 * HOUR),
        row(Purpose.TASKS, Optional.of(lab.job("open").uid()), 2 * HOUR),
        row(Purpose.TASKS, Optional.of("j0"), HOUR));

    assertThat(cost(CostBy.OWNER, Optional.empty()).groups())
        .extracting(CostGroup::name)
        .containsExactly("ann", "(no owner)", "(deleted jobs)");
  }

  @Test
  void jobCostsWhatItsTasksCost() {
    lab.submit(LabCluster.count("one", 1));
    ended(
        "old",
        row(Purpose.TASKS, Optional.of(lab.job("one").uid()), HOUR),
        row(Purpose.IDLE, Optional.empty(), 5 * HOUR));

    var cost =
        lab.controlPlane
            .statusQueries()
            .cost("lab", CostBy.DAY, Optional.empty(), Optional.of("one"));

    assertThat(cost.job()).isEqualTo("one");
    assertThat(cost.total().total().hours()).isEqualTo(1, EXACTLY);
    assertThat(cost.groups()).extracting(CostGroup::name).containsExactly(today.toString());
  }

  @Test
  void daysBeforeFirstAreLeftOut() {
    ended(
        "old",
        on(today.minusDays(1), row(Purpose.IDLE, Optional.empty(), HOUR)),
        row(Purpose.IDLE, Optional.empty(), HOUR));

    assertThat(cost(CostBy.DAY, Optional.empty()).total().total().hours()).isEqualTo(1, EXACTLY);
  }

  private ClusterCost cost(CostBy by, Optional<String> job) {
    return new CostReader(lab.ledger, lab.time)
        .read(lab.cluster(), new CostRequest(by, today, job.map(lab::job)));
  }

  @Test
  void machineSaysWhatItCostUntilItWasGone() {
    living("w");
    lab.time.advance(Duration.ofHours(3));
    var gone = new WorkerState.Gone(lab.time.instant(), "idle");
    assertThat(machineUsd()).isEqualTo(1.5, EXACTLY);

    lab.change("w", false, it -> it.with(gone));
    lab.time.advance(Duration.ofHours(1));

    assertThat(machineUsd()).isEqualTo(1.5, EXACTLY);
  }

  private double machineUsd() {
    var machines = lab.controlPlane.statusQueries().workers("lab", true);
    return machines.getFirst().usd().orElseThrow();
  }

  private void ended(String worker, Usage.Row... rows) {
    lab.store.commit(
        List.of(
            new LedgerWrite.Put(new Usage(lab.uid, Usage.ENDED + worker + ".1", List.of(rows)))));
  }

  /** Half a dollar an hour. */
  private Usage.Row row(Purpose purpose, Optional<String> job, long millis) {
    return new Usage.Row(
        today,
        "cpu",
        "us-a",
        "n2-standard-2",
        Provisioning.SPOT,
        purpose,
        job,
        millis,
        Optional.of(0.5 * millis / HOUR));
  }

  private static Usage.Row on(LocalDate day, Usage.Row row) {
    return new Usage.Row(
        day,
        row.pool(),
        row.zone(),
        row.machineType(),
        row.provisioning(),
        row.purpose(),
        row.job(),
        row.millis(),
        row.usd());
  }

  /** A machine that does nothing from now on. */
  private void living(String name) {
    var now = lab.time.instant();
    lab.machine(name);
    lab.change(
        name,
        false,
        it ->
            it.with(new WorkerState.Ready(now, Optional.of(now)))
                .withUsage(MachineUsage.from(Optional.of(0.5), now)));
  }
}

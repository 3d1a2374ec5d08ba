package dev.mayfly.sim.check;

import dev.mayfly.core.catalog.CatalogEntry;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.TpuCreateQuota;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.model.PlanDecision;
import dev.mayfly.core.state.job.JobDemands;
import dev.mayfly.core.state.job.TaskTimeReader;
import dev.mayfly.core.state.worker.MonthReader;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Optional;

/**
 * I26: no launch waits for longer than two ticks after room came back. Two ticks after a machine of
 * a cluster is gone, no refusal of before keeps the cluster from launching one like it there. After
 * the storm what may be launched then is launched within two more ticks.
 */
final class RoomIsUsed implements Invariant {
  private static final String ID = "I26";
  private static final Duration TICKS = Duration.ofMinutes(2);

  /** From the end of the faults until every instance works as ever. */
  private static final Duration SETTLED = Duration.ofMinutes(15);

  /**
   * A machine that is gone.
   *
   * @param due when to look
   * @param launchable whether the first look found that the next machine may be launched
   */
  private record Gone(Worker worker, boolean taken, Instant at, Instant due, boolean launchable) {
    boolean isLike(Provisioning how, String machineType) {
      return worker.provisioning() == how
          && family(worker.machineType()).equals(family(machineType));
    }

    String region() {
      return StorageLocation.region(worker.zone());
    }

    /** Whether its end makes refusals remembered under this key groundless. */
    boolean ends(Stockout memory) {
      var place = memory.zone();
      if (!place.equals(region()) && (taken || !place.equals(worker.zone()))) return false;
      var how = worker.provisioning();
      return family(memory.machineType())
              .equals(family(ZoneAvailability.kind(how, worker.machineType())))
          && memory.machineType().equals(ZoneAvailability.kind(how, type(memory.machineType())));
    }

    private static String type(String kind) {
      var dot = kind.indexOf('.');
      return dot < 0 ? kind : kind.substring(0, dot);
    }

    private static String family(String type) {
      return CatalogEntry.familyOf(type);
    }
  }

  private final GroundTruth groundTruth;
  private final Deque<Gone> open = new ArrayDeque<>();
  private Optional<Instant> calm = Optional.empty();

  RoomIsUsed(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  /** Faults have ended. */
  void faultsEnded() {
    calm = Optional.of(groundTruth.now());
  }

  @Override
  public void restored() {
    open.clear();
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.after().orElse(null) instanceof Worker after
          && after.state() instanceof WorkerState.Gone
          && change.before().orElse(null) instanceof Worker before
          && !(before.state() instanceof WorkerState.Gone)) gone(before);
  }

  private void gone(Worker worker) {
    if (worker.incarnation().isEmpty() || worker.provisioning() == Provisioning.STATIC) return;
    var taken =
        worker.notice().isPresent()
            || (worker.state() instanceof WorkerState.Lost lost
                && lost.cause() == FailureCause.PREEMPTED);
    var now = groundTruth.now();
    open.add(new Gone(worker, taken, now, now.plus(TICKS), false));
  }

  @Override
  public void step() {
    while (!open.isEmpty() && !open.peek().due().isAfter(groundTruth.now())) look(open.remove());
  }

  private void look(Gone gone) {
    var cluster = groundTruth.cluster(gone.worker.cluster());
    var refused =
        groundTruth.all(Stockout.class).stream()
            // One of the same instant may have been given after the room came back.
            .filter(
                s -> gone.ends(s) && !s.seen().isEmpty() && s.seen().getLast().isBefore(gone.at))
            .toList();
    if (refused.isEmpty()
        || cluster.isEmpty()
        || cluster.get().phase() != Cluster.Phase.UP
        || groundTruth.disturbed(cluster.get().uid(), TICKS.multipliedBy(2))
        || isOrdered(gone)) return;
    var stored = groundTruth.all(Stockout.class);
    var may = launches(cluster.get(), stored, gone);
    var would = launches(cluster.get(), without(refused, stored, gone.at), gone);
    if (would && !may) throw new InvariantViolation(ID, text(gone, "is not used for " + refused));
    if (!may || calm.filter(at -> at.plus(SETTLED).isBefore(gone.at)).isEmpty()) return;
    if (gone.launchable) throw new InvariantViolation(ID, text(gone, "is planned and not ordered"));
    var next = groundTruth.now().plus(TICKS);
    open.add(new Gone(gone.worker, gone.taken, gone.at, next, true));
  }

  private String text(Gone gone, String what) {
    return "the room of %s, which is gone since %s, %s"
        .formatted(gone.worker.name(), gone.at, what);
  }

  private static boolean isComing(Worker worker) {
    return worker.state() instanceof WorkerState.Launching
        || worker.state() instanceof WorkerState.Booting;
  }

  /** Whether a machine like it was ordered in its region since, or is on its way. */
  private boolean isOrdered(Gone gone) {
    return groundTruth.all(Worker.class).stream()
        .anyMatch(w ->
            (w.createdAt().isAfter(gone.at) || isComing(w))
                && gone.isLike(w.provisioning(), w.machineType())
                && StorageLocation.region(w.zone()).equals(gone.region()));
  }

  /** The refusals of before are long past: they pause nothing, but the zone has refused lately. */
  private static List<Stockout> without(List<Stockout> refused, List<Stockout> all, Instant at) {
    var rest = new ArrayList<>(all);
    rest.removeAll(refused);
    for (var s : refused)
      rest.add(
          new Stockout(
              s.zone(),
              s.machineType(),
              s.code(),
              List.of(at.minus(Duration.ofMinutes(20))),
              Optional.empty()));
    return rest;
  }

  private boolean launches(Cluster cluster, List<Stockout> stockouts, Gone gone) {
    var workers =
        groundTruth.all(Worker.class).stream()
            .filter(w -> w.cluster().equals(cluster.uid()))
            .filter(w -> !(w.state() instanceof WorkerState.Gone))
            .toList();
    var snapshot =
        new ClusterSnapshot(
                groundTruth.now(),
                cluster,
                workers,
                demands(cluster),
                stockouts,
                TpuCreateQuota.A_MINUTE)
            .withSpentThisMonth(
                new MonthReader(groundTruth.ledger()).atMost(cluster, workers, groundTruth.now()));
    var plan = new TaskTimeReader(groundTruth.ledger()).plan(snapshot).plan();
    return plan.decisions().stream()
        .anyMatch(d ->
            d instanceof PlanDecision.Launch launch
                && StorageLocation.region(launch.zone()).equals(gone.region())
                && (!gone.taken || refusedByQuota(gone, stockouts))
                && cluster
                    .spec()
                    .pool(launch.pool())
                    .filter(p -> gone.isLike(p.provisioning(), p.machineType()))
                    .isPresent());
  }

  private static boolean refusedByQuota(Gone gone, List<Stockout> stockouts) {
    return stockouts.stream().anyMatch(s -> s.zone().equals(gone.region()) && gone.ends(s));
  }

  private List<JobDemand> demands(Cluster cluster) {
    var demands = new JobDemands(groundTruth.ledger(), groundTruth::now);
    var all = new ArrayList<JobDemand>();
    for (var queue : groundTruth.all(JobQueue.class))
      if (queue.cluster().equals(cluster.uid()))
        for (var row : queue.rows())
          groundTruth
              .job(cluster.uid(), row.job())
              .filter(job -> job.running())
              .ifPresent(job ->
                  all.add(demands.of(job, groundTruth.ledger().totals(job.key()), row.kept())));
    return all;
  }
}

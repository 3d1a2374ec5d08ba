package dev.mayfly.sim.check;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.Feasibility;
import dev.mayfly.core.plan.capacity.Cordons;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.StoredSnapshot;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.BiFunction;

/**
 * I27: no reason names a pool that could never run the job. I28: every job with ready tasks has a
 * reason, and what it says of the cluster is so. Both are looked at now and then, of what is
 * stored.
 */
final class ReasonsHold implements Invariant {
  private static final Duration PAUSE = Duration.ofMinutes(3);

  private final GroundTruth groundTruth;
  private final BiFunction<ClusterSnapshot, String, List<Veto>> reasons;
  private final ReportsGiveWork reports;
  private Instant next = Instant.MIN;

  ReasonsHold(GroundTruth groundTruth, BiFunction<ClusterSnapshot, String, List<Veto>> reasons) {
    this.groundTruth = groundTruth;
    this.reasons = reasons;
    reports = new ReportsGiveWork(groundTruth);
  }

  @Override
  public void step() {
    if (groundTruth.now().isBefore(next)) return;
    next = groundTruth.now().plus(PAUSE);
    for (var cluster : groundTruth.all(Cluster.class)) check(cluster);
  }

  private void check(Cluster cluster) {
    if (groundTruth.all(Job.class).stream().noneMatch(j -> isOf(j, cluster))) return;
    var snapshot = StoredSnapshot.of(groundTruth, cluster);
    for (var job : snapshot.jobs())
      if (job.ready() > 0) check(snapshot, job, reasons.apply(snapshot, job.job()));
  }

  private static boolean isOf(Job job, Cluster cluster) {
    return job.running() && job.cluster().equals(cluster.uid());
  }

  private void check(ClusterSnapshot snapshot, JobDemand job, List<Veto> vetoes) {
    if (vetoes.isEmpty())
      throw new InvariantViolation("I28", job.job() + " waits without a reason: " + job);
    reports.told(snapshot, job, vetoes);
    for (var veto : vetoes) {
      pool(veto)
          .flatMap(name -> refused(snapshot, job, name))
          .ifPresent(why -> {
            throw new InvariantViolation("I27", "%s is told %s: %s".formatted(job, veto, why));
          });
      if (!holds(snapshot, job, veto) && !willHold(snapshot, veto, vetoes))
        throw new InvariantViolation("I28", "%s is told %s, and it is not so".formatted(job, veto));
    }
  }

  /** Whether machines have work, and it is done before another is ready. */
  private static boolean isNext(ClusterSnapshot snapshot, ComingVeto.DoneSooner veto) {
    return veto.machines() > 0
        && veto.about().compareTo(veto.usual()) < 0
        && snapshot.workers().stream().anyMatch(worker -> !worker.held().isEmpty());
  }

  private static Optional<String> pool(Veto veto) {
    return switch (veto) {
      case PoolVeto v -> Optional.of(v.pool());
      case ZoneVeto v -> Optional.of(v.pool());
      case WorkerVeto.MoreFull v -> Optional.of(v.pool());
      case ComingVeto.Booting v -> Optional.of(v.pool());
      case ComingVeto.Late v -> Optional.of(v.pool());
      case ComingVeto.Queued v -> Optional.of(v.pool());
      case ComingVeto.Requested v -> Optional.of(v.pool());
      case ComingVeto.OrderDelayed v -> Optional.of(v.pool());
      case ComingVeto.Ordering v -> Optional.of(v.pool());
      case JobVeto.Gathering v -> Optional.of(v.pool());
      default -> Optional.empty();
    };
  }

  /** Urgent work may use fallback pools that its job does not name. */
  private static Optional<String> refused(ClusterSnapshot snapshot, JobDemand job, String name) {
    var family =
        snapshot.cluster().spec().pools().stream()
            .filter(pool -> PoolSpec.isNamed(name, pool.name()))
            .toList();
    if (family.isEmpty()) return Optional.of("there is no such pool");
    if (family.stream().anyMatch(pool -> isFallbackFor(job, pool))) return Optional.empty();
    var refusals =
        family.stream()
            .map(pool -> Feasibility.why(job.need(), job.place(), pool).map(Veto::toString))
            .toList();
    return refusals.stream().anyMatch(Optional::isEmpty) ? Optional.empty() : refusals.getFirst();
  }

  private static boolean isFallbackFor(JobDemand job, PoolSpec pool) {
    return PoolSpec.isFallback(pool.name())
        && job.place().allowsFallbackPool(pool.name())
        && pool.visible().fits(job.need());
  }

  private boolean holds(ClusterSnapshot snapshot, JobDemand job, Veto veto) {
    var truth = new ReasonTruth(groundTruth, snapshot);
    return switch (veto) {
      case ClusterVeto.GoingDown _ -> snapshot.cluster().phase() != Cluster.Phase.UP;
      case PoolVeto.AtMaximum v -> of(snapshot, v.pool()).size() >= v.max();
      case PoolVeto.OwnMachines v ->
          of(snapshot, v.pool()).stream().filter(w -> w.state().live()).count() == v.live();
      case WorkerVeto.Full v -> isReady(snapshot, v.worker());
      case WorkerVeto.HoldsMost v -> isReady(snapshot, v.worker());
      case WorkerVeto.Unfit v -> v.workers().stream().allMatch(w -> isReady(snapshot, w));
      case WorkerVeto.Cordoned v -> v.workers().stream().allMatch(w -> isCordoned(snapshot, w));
      case PoolVeto.Cordoned v -> snapshot.cluster().cordon(v.pool(), snapshot.now()).isPresent();
      case ComingVeto.NextReport v -> truth.holds(v, job);
      case ComingVeto.DoneSooner v -> isNext(snapshot, v);
      case ComingVeto.GangForms v -> v.workers().stream().allMatch(w -> isReady(snapshot, w));
      case ComingVeto.Booting v -> coming(snapshot, v.pool()) >= v.machines();
      case ComingVeto.Late v -> coming(snapshot, v.pool()) >= v.machines();
      case ComingVeto.Queued v -> coming(snapshot, v.pool()) >= v.machines();
      case ComingVeto.Requested v -> coming(snapshot, v.pool()) >= v.machines();
      case ComingVeto.OrderDelayed v -> coming(snapshot, v.pool()) >= v.machines();
      case ZoneVeto.Refused v -> truth.holds(v);
      case PoolVeto.OverBudget v -> truth.holds(v);
      case PoolVeto.OverMonth v -> truth.holds(v);
      case ClusterVeto.MonthUnknown v -> truth.holds(v);
      case PoolVeto.GangAtMaximum v -> truth.holds(v, job);
      case LimitVeto.OfJob v -> truth.holds(v, job);
      case LimitVeto.OfOwner v -> truth.holds(v);
      case JobVeto.Shares v -> truth.holds(v);
      case JobVeto.Gathering v -> truth.holds(v, job);
      case JobVeto.UnknownWorker v -> worker(snapshot, v.worker()).isEmpty();
      case JobVeto.KeptForOther v -> isReady(snapshot, v.worker());
      case JobVeto.Kept v -> worker(snapshot, v.worker()).isPresent();
      case JobVeto.Impossible _ ->
          job.gang() > 1
              || snapshot.cluster().spec().pools().stream()
                  .noneMatch(p -> refused(snapshot, job, p.name()).isEmpty());
      default -> true;
    };
  }

  /** The plan that makes a reason fills a pool in the same pass. */
  private static boolean willHold(ClusterSnapshot snapshot, Veto veto, List<Veto> all) {
    return veto instanceof PoolVeto.AtMaximum full
        && (full.counted() > of(snapshot, full.pool()).size()
            || all.stream()
                .anyMatch(v ->
                    v instanceof ComingVeto.Ordering o && PoolSpec.isNamed(full.pool(), o.pool())));
  }

  private static List<Worker> of(ClusterSnapshot snapshot, String pool) {
    return snapshot.workers().stream().filter(w -> PoolSpec.isNamed(pool, w.pool())).toList();
  }

  private static long coming(ClusterSnapshot snapshot, String pool) {
    return of(snapshot, pool).stream()
        .filter(w -> !(w.state() instanceof WorkerState.Ready) && w.state().live())
        .count();
  }

  private static Optional<Worker> worker(ClusterSnapshot snapshot, String name) {
    return snapshot.workers().stream().filter(w -> w.name().equals(name)).findFirst();
  }

  private static boolean isCordoned(ClusterSnapshot snapshot, String name) {
    return worker(snapshot, name).flatMap(w -> Cordons.of(w, snapshot.now())).isPresent();
  }

  private static boolean isReady(ClusterSnapshot snapshot, String name) {
    return worker(snapshot, name).filter(w -> w.state() instanceof WorkerState.Ready).isPresent();
  }
}

package dev.mayfly.sim.remedy;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Remedy;
import dev.mayfly.core.plan.veto.ShapeVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import dev.mayfly.core.plan.waiting.WaitingFacts;
import dev.mayfly.core.plan.waiting.WaitingPlan;
import dev.mayfly.sim.observation.StoredSnapshot;
import dev.mayfly.sim.world.World;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Applies the remedy of a job's first reason, then that of the reason which holds it after that,
 * and so on, until a task of it is granted.
 */
final class RemedyChain {
  /** More reasons than these hold no job one after the other. */
  private static final int MOST = 6;

  private static final Duration LOOK = Duration.ofSeconds(5);

  private final World world;
  private final Function<Veto, Remedy> remedies;
  private final RemedyActions actions;
  private final String address;
  private final List<Step> steps = new ArrayList<>();

  /** A reason, and the remedy that was applied. */
  record Step(Instant at, Veto veto, Remedy remedy) {
    /** Whether somebody did something. */
    boolean isDone() {
      return !(remedy instanceof Remedy.Nothing);
    }

    /** What it proves, without numbers. */
    String kind() {
      return veto.getClass().getSimpleName() + ": " + remedy.getClass().getSimpleName();
    }
  }

  RemedyChain(World world, Function<Veto, Remedy> remedies, String address) {
    this.world = world;
    this.remedies = remedies;
    this.address = address;
    actions = new RemedyActions(world);
  }

  /** Addresses of the jobs that wait, with a reason or without. */
  static List<String> waiting(World world) {
    return world.truth().all(Job.class).stream()
        .filter(j -> j.running() && ready(world, j) > 0)
        .map(j -> j.spec().address())
        .distinct()
        .toList();
  }

  /** Returns the reasons and remedies in order. */
  List<Step> run() {
    while (steps.stream().filter(Step::isDone).count() < MOST) if (helps()) return steps;
    throw lied("after %d remedies no task is granted".formatted(MOST));
  }

  private boolean helps() {
    var job = job();
    var leases = leases(job);
    var all = leases();
    var first = first().orElseThrow(() -> lied("it waits without a reason"));
    var remedy = remedies.apply(first);
    steps.add(new Step(world.time().instant(), first, remedy));
    var end = world.time().instant().plus(actions.apply(remedy, job, longest()));
    while (world.time().instant().isBefore(end)) {
      world.advanceTo(world.time().instant().plus(LOOK));
      if (isStarted(leases)) return true;
      if (first().filter(then -> !isSame(then, first)).isPresent()) return false;
    }
    // What has ended meanwhile may have let others before the job ask for more.
    if (!leases().containsAll(all) && !first().equals(Optional.of(first))) return false;
    throw lied("the remedy did not help");
  }

  private AssertionError lied(String what) {
    return new AssertionError("%s: %s; now %s, after %s".formatted(address, what, all(), steps));
  }

  /** Whether a task was granted since, or the job has ended. */
  private boolean isStarted(Set<LeaseRef> before) {
    var job = job();
    return !job.running() || !before.containsAll(leases(job));
  }

  private Set<LeaseRef> leases(Job job) {
    return leases().stream()
        .filter(lease -> lease.job().equals(job.uid()))
        .collect(Collectors.toSet());
  }

  private Set<LeaseRef> leases() {
    return world.truth().all(Worker.class).stream()
        .flatMap(w -> w.held().stream())
        .map(Worker.Held::ref)
        .collect(Collectors.toSet());
  }

  private static long ready(World world, Job job) {
    return world.ledger().totals(job.key()).ready();
  }

  /** The newest one of the name. */
  private Job job() {
    return world.truth().all(Job.class).stream()
        .filter(j -> j.spec().address().equals(address))
        .max(Comparator.comparing(Job::acceptedAt))
        .orElseThrow();
  }

  private Duration longest() {
    return world.scenario().jobs().stream()
        .filter(j -> j.spec().address().equals(address))
        .map(job -> job.tasks().runs().longest())
        .findFirst()
        .orElseThrow();
  }

  private Optional<Veto> first() {
    return all().stream().findFirst();
  }

  private List<Veto> all() {
    var cluster = world.truth().all(Cluster.class).getFirst();
    var snapshot = StoredSnapshot.of(world.truth(), cluster);
    return new WaitingPlan(snapshot, WaitingFacts.NONE).of(job().uid());
  }

  private boolean isSame(Veto then, Veto first) {
    return cause(then).equals(cause(first))
        && remedies.apply(then).getClass().equals(remedies.apply(first).getClass());
  }

  /** What a reason is, without its numbers and times. */
  private static String cause(Veto veto) {
    return switch (veto) {
      case ComingVeto _ -> "coming";
      case PoolVeto v -> v.getClass().getSimpleName() + " " + v.pool();
      case ZoneVeto v -> v.getClass().getSimpleName() + " " + v.pool() + " " + v.zone();
      case ShapeVeto _, ClusterVeto _, WorkerVeto _, LimitVeto _, JobVeto _ ->
          veto.getClass().getSimpleName();
    };
  }
}

package dev.mayfly.sim.check;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.sim.check.ends.DeletionJustified;
import dev.mayfly.sim.check.ends.GraceGiven;
import dev.mayfly.sim.check.ends.KillJustified;
import dev.mayfly.sim.check.ends.LossJustified;
import dev.mayfly.sim.check.ends.OutrankedJustified;
import dev.mayfly.sim.check.ends.RunTimeWithinLimits;
import dev.mayfly.sim.check.money.KeptMachinesAreFew;
import dev.mayfly.sim.check.money.MonthWithinBudget;
import dev.mayfly.sim.check.money.SpareWithinWish;
import dev.mayfly.sim.check.money.SpendingWithinLimits;
import dev.mayfly.sim.check.money.UsageAddsUp;
import dev.mayfly.sim.check.money.WithinBudget;
import dev.mayfly.sim.check.sentinel.DoneHasSentinel;
import dev.mayfly.sim.check.sentinel.ResultWasComputed;
import dev.mayfly.sim.check.sentinel.SentinelWrittenOnce;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.observation.EndOrder;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.PublishedCommand;
import dev.mayfly.sim.observation.TaskProcess;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BiFunction;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** All invariants of a world, as one. */
public final class InvariantSet implements Invariant {
  private final List<Invariant> all;
  private final EverythingEnds end;
  private final SteadyProgress moving;
  private final BoundedRetries repeats;
  private final GraceGiven graceGiven;
  private final RoomIsUsed roomIsUsed;
  private final SpendingWithinLimits spendingWithinLimits;
  private final RunTimeWithinLimits runTimeWithinLimits;

  /**
   * @param expected the world's own expectations, beyond the protocol
   */
  public InvariantSet(GroundTruth groundTruth, Expected expected) {
    end = new EverythingEnds(groundTruth, expected.jobs());
    moving = new SteadyProgress(groundTruth);
    repeats = new BoundedRetries(groundTruth);
    graceGiven = new GraceGiven(groundTruth, expected.silenceMemory());
    roomIsUsed = new RoomIsUsed(groundTruth);
    spendingWithinLimits = new SpendingWithinLimits(groundTruth);
    runTimeWithinLimits = new RunTimeWithinLimits(groundTruth);
    all =
        List.of(
            new NoTaskLost(groundTruth),
            new ShardsCoverTasks(groundTruth),
            new SentinelWrittenOnce(groundTruth),
            new DoneHasSentinel(groundTruth),
            new ResultWasComputed(groundTruth),
            new OneLeaseOwner(groundTruth),
            new UniqueSubmission(groundTruth, expected.submissions()),
            new NewestCommandWins(groundTruth, expected.published()),
            new NoOrphans(groundTruth, expected.orphans(), expected.hindered()),
            new StopIsFinal(groundTruth, expected.stopped()),
            new EpochFencing(groundTruth),
            new ExclusiveTaskRunsOnce(groundTruth),
            new AdmissionRulesKept(groundTruth),
            new GangAllOrNothing(groundTruth),
            new WithinBudget(groundTruth),
            new CordonsHold(groundTruth),
            new KeptMachinesAreFew(groundTruth),
            new SpareWithinWish(groundTruth),
            new MonthWithinBudget(groundTruth),
            new NoOvercommit(groundTruth, expected.room()),
            new LossJustified(groundTruth, expected.troubleMemory()),
            new DeletionJustified(groundTruth),
            new KillJustified(groundTruth, expected.silenceMemory()),
            new OutrankedJustified(groundTruth),
            new EveryEndIsTold(groundTruth),
            new UsageAddsUp(groundTruth),
            new ReasonsHold(groundTruth, expected.reasons()),
            new EstimatesAreSound(groundTruth, expected.estimates()),
            graceGiven,
            roomIsUsed,
            spendingWithinLimits,
            runTimeWithinLimits,
            repeats,
            end);
  }

  /**
   * @param submissions every submission published, by id; grows
   * @param published every command, once, in order; grows
   * @param jobs names of jobs whose messages must have an effect; grows
   * @param orphans the longest time that a machine may outlive its worker
   * @param hindered whether anything hindered cleanup since the last call
   * @param stopped the longest time that a task may run after a stop
   * @param troubleMemory how long after a fault a worker may be lost for it
   * @param silenceMemory how long after a fault an agent may still kill for it
   * @param room the resources that a worker's tasks may use
   * @param reasons why a job of a snapshot waits
   * @param estimates when a job is done, by the name of its cluster and its uid
   */
  public record Expected(
      Set<String> submissions,
      List<PublishedCommand> published,
      Set<String> jobs,
      Duration orphans,
      BooleanSupplier hindered,
      Duration stopped,
      Duration troubleMemory,
      Duration silenceMemory,
      Function<String, Resources> room,
      BiFunction<ClusterSnapshot, String, List<Veto>> reasons,
      BiFunction<String, String, JobEstimate> estimates) {}

  /** The first thing that has not ended yet. */
  public Optional<String> unfinished() {
    return end.unfinished();
  }

  /** The same for all clusters but one. */
  public Optional<String> unfinishedExcept(String cluster) {
    return end.unfinishedExcept(cluster);
  }

  /** Faults have ended. */
  public void faultsEnded() {
    repeats.faultsEnded();
    graceGiven.faultsEnded();
    roomIsUsed.faultsEnded();
    spendingWithinLimits.faultsEnded();
    runTimeWithinLimits.faultsEnded();
  }

  /**
   * After the storm: checks for progress.
   *
   * @param except the uid of a cluster that cannot be served, or empty
   */
  public void checkProgress(String except) {
    moving.check(except);
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    each(c -> c.committed(batch));
  }

  @Override
  public void object(Optional<ObjectInfo> before, Optional<ObjectInfo> after) {
    each(c -> c.object(before, after));
  }

  @Override
  public void began(TaskProcess process) {
    each(c -> c.began(process));
  }

  @Override
  public void ended(TaskProcess process) {
    each(c -> c.ended(process));
  }

  @Override
  public void prepared(TaskProcess process) {
    each(c -> c.prepared(process));
  }

  @Override
  public void spoiled(TaskProcess process) {
    each(c -> c.spoiled(process));
  }

  @Override
  public void exited(TaskProcess process, int code) {
    each(c -> c.exited(process, code));
  }

  @Override
  public void killAsked(TaskProcess process, boolean overdue) {
    each(c -> c.killAsked(process, overdue));
  }

  @Override
  public void endOrdered(EndOrder order) {
    each(c -> c.endOrdered(order));
  }

  @Override
  public void told(Notification notification) {
    each(c -> c.told(notification));
  }

  @Override
  public void deleteAsked(SimMachine machine) {
    each(c -> c.deleteAsked(machine));
  }

  @Override
  public void expired(SimMachine machine) {
    each(c -> c.expired(machine));
  }

  @Override
  public void step() {
    each(Invariant::step);
  }

  @Override
  public void restored() {
    each(Invariant::restored);
  }

  @Override
  public void atRest() {
    each(Invariant::atRest);
  }

  private void each(Consumer<Invariant> told) {
    for (var invariant : all) told.accept(invariant);
  }
}

package dev.mayfly.core.plan.remedy;

import dev.mayfly.core.plan.capacity.BootTime;
import dev.mayfly.core.plan.veto.ClusterVeto;
import dev.mayfly.core.plan.veto.ComingVeto;
import dev.mayfly.core.plan.veto.JobVeto;
import dev.mayfly.core.plan.veto.LimitVeto;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.ShapeVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.plan.veto.ZoneVeto;
import dev.mayfly.core.text.HumanDuration;
import java.util.Optional;

/**
 * Words what a person does about the root of a wait. Many vetoes say it as the end of their own
 * sentence; of the others it is said here, also that there is nothing to do.
 */
public final class WaitingRemedy {
  private static final String ASKED_AGAIN =
      "nothing, the zone is asked again by itself; another zone or machine type in the pool, or onDemand, may find a machine sooner";
  private static final String ITS_TURN =
      "nothing, its tasks start when there is room; a higher workers.max, or mayfly stop of other jobs, makes room sooner";

  private static final String COMES =
      "nothing, its tasks start there by themselves; a machine that has not reported %s after its order is given up, and another is ordered"
          .formatted(HumanDuration.format(BootTime.LONGEST));

  private static final String ELSEWHERE =
      "nothing, another machine is tried by itself; another zone or machine type in the pool may start sooner";

  private WaitingRemedy() {}

  /**
   * The same where zones accepted orders lately and started no machine: that the next one comes is
   * not certain.
   */
  public static Optional<String> afterUnbooted(Veto root) {
    return of(root).map(it -> it.equals(COMES) ? ELSEWHERE : it);
  }

  /** Empty if the sentence about the veto says it. */
  public static Optional<String> of(Veto root) {
    return switch (root) {
      case ShapeVeto _ -> Optional.empty();
      case ClusterVeto.GoingDown _ -> Optional.of(FailureRemedy.UP_AGAIN);
      case ClusterVeto _ -> Optional.empty();
      case PoolVeto v -> of(v);
      case ZoneVeto v -> of(v);
      case WorkerVeto.Unfit _ ->
          Optional.of(
              "mend what it lacks, in the pool and with mayfly up; a new machine tries again by itself");
      case WorkerVeto.Cordoned _ -> Optional.empty();
      case WorkerVeto _ -> Optional.of(ITS_TURN);
      case ComingVeto.Requested _ ->
          Optional.of(
              "nothing, its tasks start there by themselves, or where the zone is asked that is next; a job that names another pool (pools), spot or on-demand, does not wait for it");
      case ComingVeto.NextReport _,
          ComingVeto.GangForms _,
          ComingVeto.RoomMade _,
          ComingVeto.DoneSooner _ ->
          Optional.of("nothing, its tasks start there by themselves");
      case ComingVeto.Late late when late.started() ->
          Optional.of(
              "nothing, another machine is tried by itself; if none reports, look at its serial console: its image, its network or the rights of its service account may be wrong");
      case ComingVeto.Late _ -> Optional.of(ELSEWHERE);
      case ComingVeto _ -> Optional.of(COMES);
      case LimitVeto.OfJob _ ->
          Optional.of(
              "nothing, the next one starts when one ends; a job that is submitted with a higher concurrency runs more at once");
      case LimitVeto.OfOwner _ -> Optional.empty();
      case JobVeto v -> of(v);
    };
  }

  private static Optional<String> of(PoolVeto veto) {
    return switch (veto) {
      case PoolVeto.Unfit _ ->
          Optional.of(
              "mend what they lack, in the image or the pool, and mayfly up: a changed pool is tried at once");
      case PoolVeto.ChipsInUse _, PoolVeto.CreationRate _, PoolVeto.PlanFull _ ->
          Optional.of("nothing, its machines are ordered by themselves");
      case PoolVeto.AtMaximum _,
          PoolVeto.GangAtMaximum _,
          PoolVeto.OwnMachines _,
          PoolVeto.GangOfOwn _,
          PoolVeto.GangOfSlice _,
          PoolVeto.OverBudget _,
          PoolVeto.OverMonth _,
          PoolVeto.NoPrice _,
          PoolVeto.Cordoned _ ->
          Optional.empty();
    };
  }

  private static Optional<String> of(ZoneVeto veto) {
    return switch (veto) {
      case ZoneVeto.Refused v ->
          switch (v.cause()) {
            case STOCK, UNCLEAR -> Optional.of(ASKED_AGAIN);
            case QUOTA, SPEC -> Optional.empty();
          };
      case ZoneVeto.ShortLived _, ZoneVeto.NeverBooted _ -> Optional.of(ASKED_AGAIN);
      case ZoneVeto.GangIncomplete _ ->
          Optional.of(
              "nothing, the zone is asked again by itself; another zone in the pool, or a smaller gang, may find machines sooner");
    };
  }

  private static Optional<String> of(JobVeto veto) {
    return switch (veto) {
      case JobVeto.Pinned _ ->
          Optional.of(
              "nothing, its tasks start when there is room; without workers it may run on others");
      case JobVeto.KeptForOther _,
          JobVeto.Kept _,
          JobVeto.Ahead _,
          JobVeto.Shares _,
          JobVeto.Gathering _ ->
          Optional.of(ITS_TURN);
      case JobVeto.Interrupted v -> Optional.of(FailureRemedy.runsAgain(v.last().cause()));
      case JobVeto.HolderSilent _, JobVeto.HolderLost _ ->
          Optional.of(
              "nothing; mayfly ssh shows whether the machine or Mayfly's agent on it hangs");
      case JobVeto.Stalled _ ->
          Optional.of("mend what it names; it goes on by itself, or fails after that time");
      case JobVeto.AdditionsAwaited _ -> Optional.of("nothing, it ends by itself then");
      case JobVeto.Impossible _,
          JobVeto.UnknownWorker _,
          JobVeto.NoOnDemandPool _,
          JobVeto.CrashLoop _,
          JobVeto.Untold _ ->
          Optional.empty();
    };
  }
}

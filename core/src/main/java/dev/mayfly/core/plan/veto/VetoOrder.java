package dev.mayfly.core.plan.veto;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The order in which causes are told: the root first.
 *
 * <p>What a job has already, and only comes later, stands before what keeps more from it: that is
 * what its first task waits for. So do, after it, the machines that are there for a gang and do
 * other work: no zone must be asked for others. Without these, causes of the cluster and its pools
 * come before the job's own limits, and these before its turn: a place in the queue hides no cause
 * that holds the jobs before it as well.
 */
public final class VetoOrder {
  private VetoOrder() {}

  /** Lower is nearer to the root. */
  private enum Rank {
    NEVER,
    CLUSTER,
    BUDGET,
    UNFIT,
    RIGHTS,
    QUOTA,
    STOCK,
    COMING,
    LIMIT,
    ROOM,
    TURN,
    PAST
  }

  /** A copy in order; causes of one rank keep theirs. */
  public static List<Veto> sorted(List<Veto> vetoes) {
    var sorted = new ArrayList<>(vetoes);
    sorted.sort(
        Comparator.comparing((Veto v) -> rank(v).compareTo(Rank.CLUSTER) > 0)
            .thenComparing(v -> !failsAgain(v))
            .thenComparing(v -> !(v instanceof ComingVeto))
            .thenComparing(v -> !(v instanceof WorkerVeto.GangBusy))
            .thenComparing(v -> !hasAll(v))
            .thenComparing(VetoOrder::rank));
    return sorted;
  }

  /** Whether accepted orders end again and again: then the next one may not come either. */
  private static boolean failsAgain(Veto veto) {
    return veto instanceof ZoneVeto.Refused refused
        && refused.cause() == ZoneVeto.Cause.UNCLEAR
        && refused.times() > 1;
  }

  /** Whether machines gather of which each is there or on its way: none must be bought. */
  private static boolean hasAll(Veto veto) {
    return veto instanceof JobVeto.Gathering gathering
        && gathering.free() + gathering.coming() + gathering.busy() >= gathering.machines();
  }

  /** Whether it is a cause of the cluster, its pools or the cloud, which holds every job. */
  public static boolean isCause(Veto veto) {
    return switch (rank(veto)) {
      case CLUSTER, BUDGET, UNFIT, RIGHTS, QUOTA, STOCK -> true;
      case NEVER, COMING, LIMIT, ROOM, TURN, PAST -> false;
    };
  }

  private static Rank rank(Veto veto) {
    return switch (veto) {
      case ShapeVeto _ -> Rank.NEVER;
      case ClusterVeto.GoingDown _ -> Rank.CLUSTER;
      case ClusterVeto.AboveBudget _, ClusterVeto.MonthUsedUp _, ClusterVeto.MonthUnknown _ ->
          Rank.BUDGET;
      case PoolVeto v -> rank(v);
      case ZoneVeto v -> rank(v);
      case WorkerVeto.Unfit _ -> Rank.UNFIT;
      case WorkerVeto.Full _,
          WorkerVeto.HoldsMost _,
          WorkerVeto.GangBusy _,
          WorkerVeto.NoneEnds _,
          WorkerVeto.MoreFull _ ->
          Rank.ROOM;
      case WorkerVeto.Cordoned _ -> Rank.UNFIT;
      case ComingVeto _ -> Rank.COMING;
      case LimitVeto _ -> Rank.LIMIT;
      case JobVeto v -> rank(v);
    };
  }

  private static Rank rank(PoolVeto veto) {
    return switch (veto) {
      case PoolVeto.OverBudget _, PoolVeto.OverMonth _, PoolVeto.NoPrice _ -> Rank.BUDGET;
      case PoolVeto.Unfit _, PoolVeto.Cordoned _ -> Rank.UNFIT;
      case PoolVeto.ChipsInUse _, PoolVeto.CreationRate _, PoolVeto.PlanFull _ -> Rank.COMING;
      case PoolVeto.AtMaximum _,
          PoolVeto.GangAtMaximum _,
          PoolVeto.GangOfOwn _,
          PoolVeto.GangOfSlice _,
          PoolVeto.OwnMachines _ ->
          Rank.ROOM;
    };
  }

  private static Rank rank(ZoneVeto veto) {
    return switch (veto) {
      case ZoneVeto.Refused v when v.next().isEmpty() -> Rank.PAST;
      case ZoneVeto.ShortLived v when v.next().isEmpty() -> Rank.PAST;
      case ZoneVeto.NeverBooted v when v.next().isEmpty() -> Rank.PAST;
      case ZoneVeto.Refused v ->
          switch (v.cause()) {
            case SPEC -> Rank.RIGHTS;
            case QUOTA -> Rank.QUOTA;
            case STOCK, UNCLEAR -> Rank.STOCK;
          };
      case ZoneVeto.ShortLived _, ZoneVeto.NeverBooted _, ZoneVeto.GangIncomplete _ -> Rank.STOCK;
    };
  }

  private static Rank rank(JobVeto veto) {
    return switch (veto) {
      case JobVeto.Impossible _, JobVeto.NoOnDemandPool _, JobVeto.CrashLoop _ -> Rank.NEVER;
      case JobVeto.Gathering _,
          JobVeto.HolderLost _,
          JobVeto.HolderSilent _,
          JobVeto.Stalled _,
          JobVeto.Untold _,
          JobVeto.Interrupted _,
          JobVeto.AdditionsAwaited _ ->
          Rank.COMING;
      case JobVeto.UnknownWorker _, JobVeto.Pinned _ -> Rank.ROOM;
      case JobVeto.KeptForOther _, JobVeto.Kept _, JobVeto.Ahead _, JobVeto.Shares _ -> Rank.TURN;
    };
  }
}

package dev.mayfly.core.plan.veto;

import java.time.Instant;
import java.util.Optional;

/** Which remedy helps against which veto. */
public final class Remedies {
  private static final Remedy NOTHING = new Remedy.Nothing();

  private Remedies() {}

  /** What ends the veto; another one may hold the job then. */
  public static Remedy of(Veto veto) {
    return switch (veto) {
      // Only whole jobs are impossible, not single pools.
      case ShapeVeto _, ComingVeto _ -> NOTHING;
      case ClusterVeto.GoingDown _ -> NOTHING;
      case ClusterVeto.AboveBudget _ -> new Remedy.EndMachines();
      case ClusterVeto.MonthUsedUp v -> new Remedy.RaiseMonth(v.enough(), v.next());
      case ClusterVeto.MonthUnknown _ -> new Remedy.MendDocument();
      case PoolVeto v -> of(v);
      case ZoneVeto v -> of(v);
      case WorkerVeto.Unfit v -> new Remedy.MendMachines(v.lacks(), Optional.empty());
      case WorkerVeto.Cordoned v -> new Remedy.Uncordon(v.workers().getFirst(), v.until());
      case WorkerVeto.Full _,
          WorkerVeto.HoldsMost _,
          WorkerVeto.GangBusy _,
          WorkerVeto.NoneEnds _,
          WorkerVeto.MoreFull _ ->
          new Remedy.WorkEnds();
      case LimitVeto.OfJob _ -> new Remedy.WorkEnds();
      case LimitVeto.OfOwner v -> new Remedy.RaiseOwnerLimit(v.owner(), v.enough());
      case JobVeto v -> of(v);
    };
  }

  private static Remedy of(PoolVeto veto) {
    return switch (veto) {
      case PoolVeto.AtMaximum v -> new Remedy.RaiseMaximum(v.pool(), v.enough());
      case PoolVeto.GangAtMaximum v -> new Remedy.RaiseMaximum(v.pool(), v.enough());
      case PoolVeto.OwnMachines v when v.enough() > v.max() ->
          new Remedy.RaiseMaximum(v.pool(), v.enough());
      case PoolVeto.OwnMachines v -> new Remedy.JoinMachines(v.pool(), v.enough() - v.live());
      case PoolVeto.GangOfOwn v when v.live() >= v.max() -> new Remedy.WorkEnds();
      case PoolVeto.GangOfOwn v ->
          new Remedy.JoinMachines(v.pool(), Math.min(v.gang() - v.has(), v.max() - v.live()));
      case PoolVeto.GangOfSlice _ -> new Remedy.WorkEnds();
      case PoolVeto.Unfit v -> new Remedy.MendMachines(v.lacks(), v.next());
      case PoolVeto.Cordoned v -> new Remedy.Uncordon(v.pool(), v.until());
      case PoolVeto.OverBudget v -> new Remedy.RaiseBudget(v.enough());
      case PoolVeto.OverMonth v -> new Remedy.RaiseMonth(v.enough(), v.next());
      case PoolVeto.NoPrice v -> new Remedy.GivePrice(v.machineType());
      case PoolVeto.ChipsInUse _, PoolVeto.CreationRate _, PoolVeto.PlanFull _ -> NOTHING;
    };
  }

  private static Remedy of(ZoneVeto veto) {
    return switch (veto) {
      case ZoneVeto.Refused v ->
          switch (v.cause()) {
            case STOCK, UNCLEAR -> again(v.next());
            case QUOTA -> new Remedy.AskForQuota(v.place(), v.machineType(), v.next());
            case SPEC -> new Remedy.MendPool(v.pool(), v.next());
          };
      case ZoneVeto.ShortLived v -> again(v.next());
      case ZoneVeto.NeverBooted v -> again(v.next());
      case ZoneVeto.GangIncomplete v -> new Remedy.TriedAgain(v.until());
    };
  }

  /** What may be asked now holds nothing up. */
  private static Remedy again(Optional<Instant> next) {
    return next.<Remedy>map(Remedy.TriedAgain::new).orElse(NOTHING);
  }

  private static Remedy of(JobVeto veto) {
    return switch (veto) {
      case JobVeto.Impossible v -> v.why().remedy();
      case JobVeto.UnknownWorker _ -> new Remedy.NameNoWorkers();
      case JobVeto.NoOnDemandPool _ -> new Remedy.AddOnDemand();
      case JobVeto.CrashLoop v -> v.isCertain() ? new Remedy.MendCommand() : new Remedy.ReadLogs();
      case JobVeto.HolderLost _,
          JobVeto.HolderSilent _,
          JobVeto.Stalled _,
          JobVeto.Untold _,
          JobVeto.Interrupted _,
          JobVeto.AdditionsAwaited _ ->
          NOTHING;
      case JobVeto.Gathering v -> v.busy() > 0 ? new Remedy.WorkEnds() : NOTHING;
      case JobVeto.Pinned _,
          JobVeto.KeptForOther _,
          JobVeto.Kept _,
          JobVeto.Ahead _,
          JobVeto.Shares _ ->
          new Remedy.WorkEnds();
    };
  }
}

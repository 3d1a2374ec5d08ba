package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.plan.budget.MonthlySpending;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.MonthSpent;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.ClusterUse;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.FailureLog;
import dev.mayfly.core.state.job.limit.SpendingLimits;
import dev.mayfly.core.text.HumanAmounts;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Tells people when four fifths of what a cluster's machines may cost in a month are spent, or the
 * rest is for their end, once for each month and limit; and of machines that cost while there is no
 * job.
 */
public final class MoneyWatch {
  private final Context context;
  private final MonthReader monthReader;
  private final IdleReminder idleReminder;
  private final ClusterUse clusterUse;

  /** By cluster, what this process has told of last; another process finds the event. */
  private final Map<String, String> told = new ConcurrentHashMap<>();

  public MoneyWatch(Context context) {
    this.context = context;
    monthReader = new MonthReader(context.ledger());
    idleReminder = new IdleReminder(context);
    clusterUse = new ClusterUse(context);
  }

  /**
   * What was spent in this month, or more for a moment; people are told if it is near the limit.
   * Empty without a limit, and for a cluster that needs no machines and has none.
   *
   * @param workers those that were read
   * @param live whether there are jobs that have not ended
   */
  public Optional<MonthSpent> spent(
      Cluster cluster, List<Worker> workers, boolean live, boolean tick, FailureLog failureLog) {
    if (tick) failureLog.guard("use", () -> clusterUse.seen(cluster, live));
    if (tick) failureLog.guard("reminder", () -> idleReminder.check(cluster, workers, live));
    var warm = cluster.spec().pools().stream().anyMatch(pool -> pool.min() > 0);
    if (workers.isEmpty() && !warm && !mayKeep(cluster, live)) return Optional.empty();
    var spent = monthReader.atMost(cluster, workers, context.clock().instant());
    if (tick && spent.isPresent())
      failureLog.guard("budget.usdPerMonth", () -> tell(cluster, workers, spent.get()));
    return spent;
  }

  /** Whether the month's sum may keep machines from jobs. */
  public static boolean mayKeep(Cluster cluster, boolean live) {
    return live && cluster.spec().usdPerMonth().isPresent();
  }

  /** Near the limit it is read again. */
  private void tell(Cluster cluster, List<Worker> workers, MonthSpent atMost) {
    var most = cluster.spec().usdPerMonth().orElse(Double.POSITIVE_INFINITY);
    var now = context.clock().instant();
    var month = Usage.Month.id(LocalDate.ofInstant(now, ZoneOffset.UTC));
    var id = cluster.uid() + "/" + month + "/" + most;
    var snapshot = new ClusterSnapshot(now, cluster, workers, List.of(), List.of());
    if (!isNear(snapshot, atMost) || id.equals(told.get(cluster.uid()))) return;
    var spent = monthReader.exactly(cluster, now);
    if (spent.isEmpty() || !isNear(snapshot, spent.get())) return;
    var event =
        new EventRecord(
                cluster.uid(),
                EventRecord.repeatableId(cluster.createdAt(), SpendingLimits.KIND, id),
                now,
                "cluster/" + cluster.spec().name(),
                SpendingLimits.KIND,
                "in %s (UTC) its machines cost %s of its budget of %s a month; before that is spent no machine is launched any more, and all that run are drained; to let it go on, raise budget.usdPerMonth in its file and mayfly up it"
                    .formatted(month, HumanAmounts.usd(spent.get().usd()), HumanAmounts.usd(most)))
            .with(new PendingNotification(NotificationKind.SPENDING));
    // A repeat changes nothing.
    var _ = context.ledger().commit(List.of(new LedgerWrite.Create(event)));
    told.put(cluster.uid(), id);
  }

  private static boolean isNear(ClusterSnapshot snapshot, MonthSpent spent) {
    return new MonthlySpending(snapshot.withSpentThisMonth(Optional.of(spent))).isNear();
  }
}

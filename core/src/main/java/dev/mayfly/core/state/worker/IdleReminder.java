package dev.mayfly.core.state.worker;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.plan.budget.ForgottenMachines;
import dev.mayfly.core.plan.model.UnusedCluster;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/** Reminds people once a day of machines that cost money while there is no job. */
final class IdleReminder {
  static final String KIND = "forgotten";
  static final String UNUSED = "unused";

  /** The newest jobs, of which the last end is looked for. */
  private static final int JOBS = 100;

  private final Context context;

  /** By cluster, when it is worth a look again: it reads jobs. */
  private final Map<String, Instant> next = new ConcurrentHashMap<>();

  /** By cluster, what this process has told of its end; another process finds the event. */
  private final Map<String, String> told = new ConcurrentHashMap<>();

  IdleReminder(Context context) {
    this.context = context;
  }

  /**
   * @param live whether there are jobs that have not ended
   */
  void check(Cluster cluster, Collection<Worker> workers, boolean live) {
    var now = context.clock().instant();
    var machines = ForgottenMachines.among(workers);
    if (live || machines.isEmpty() || cluster.phase() != Cluster.Phase.UP) return;
    var unused = UnusedCluster.of(cluster).filter(it -> it.isNear(now));
    var warm = machines.stream().filter(it -> unused.filter(u -> u.ends(it)).isPresent()).toList();
    var others = machines.stream().filter(it -> unused.filter(u -> u.ends(it)).isEmpty()).toList();
    unused.filter(_ -> !warm.isEmpty()).ifPresent(it -> tellOfEnd(it, warm, now));
    if (!others.isEmpty()) remind(cluster, others, now);
  }

  private void remind(Cluster cluster, List<Worker> machines, Instant now) {
    var earliest = cluster.newestCommandAt().plus(ForgottenMachines.QUIET);
    if (now.isBefore(earliest)) return;
    if (now.isBefore(next.getOrDefault(cluster.uid(), earliest))) return;
    var forgotten = new ForgottenMachines(cluster, machines, quietSince(cluster));
    if (forgotten.times(now) > 0) {
      var cause = "%s %s %d".formatted(KIND, forgotten.quietSince(), forgotten.times(now));
      tell(cluster, KIND, cause, forgotten.text(now), now);
    }
    next.put(cluster.uid(), forgotten.next(now));
  }

  /** In place of the daily reminder of these: that warm machines will end, and when they do. */
  private void tellOfEnd(UnusedCluster unused, List<Worker> machines, Instant now) {
    var cause = "unused %s %s".formatted(unused.usedAt(), unused.isOver(now) ? "over" : "near");
    if (cause.equals(told.get(unused.cluster().uid()))) return;
    var cost = new ForgottenMachines(unused.cluster(), machines, unused.usedAt()).cost(now);
    tell(unused.cluster(), UNUSED, cause, unused.text(now).orElseThrow() + "; " + cost, now);
    told.put(unused.cluster().uid(), cause);
  }

  private Instant quietSince(Cluster cluster) {
    var since = cluster.newestCommandAt();
    for (var at : cluster.slices().values()) if (at.isAfter(since)) since = at;
    var jobs = context.ledger().query(new LedgerQuery.Jobs(cluster.uid(), JOBS)).readableOnly();
    for (var job : jobs) {
      var end = job.value().state().end();
      if (end.isPresent() && end.get().since().isAfter(since)) since = end.get().since();
    }
    return since;
  }

  /** A repeat changes nothing: another process may have told it. */
  private void tell(Cluster cluster, String kind, String cause, String why, Instant now) {
    var event =
        new EventRecord(
                cluster.uid(),
                EventRecord.repeatableId(cluster.createdAt(), kind, cause),
                now,
                "cluster/" + cluster.spec().name(),
                kind,
                why)
            .with(new PendingNotification(NotificationKind.FORGOTTEN));
    var _ = context.ledger().commit(List.of(new LedgerWrite.Create(event)));
  }
}

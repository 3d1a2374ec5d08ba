package dev.mayfly.core.reconcile;

import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.core.state.FailureLog;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Orders the machines of a reconcile's launches in parallel. */
final class MachineOrders {
  private final ScheduledExecutor executor;
  private final MachineLauncher machineLauncher;

  MachineOrders(ScheduledExecutor executor, MachineLauncher machineLauncher) {
    this.executor = executor;
    this.machineLauncher = machineLauncher;
  }

  /**
   * The first machine of each kind is ordered before the others: a zone that refused one is not
   * asked for the rest.
   */
  void order(Cluster cluster, List<MachineLauncher.Intent> intents, FailureLog failureLog) {
    var refused = new ConcurrentHashMap<String, Fleet.Refusal>();
    var first = new ArrayList<Runnable>();
    var rest = new ArrayList<Runnable>();
    var kinds = new HashSet<String>();
    for (var intent : intents) {
      var worker = intent.worker().value();
      var kind = worker.zone() + "+" + worker.machineType() + "+" + worker.pool();
      Runnable order =
          () ->
              failureLog.guard(
                  "worker " + worker.name(), () -> order(cluster, intent, kind, refused));
      (kinds.add(kind) ? first : rest).add(order);
    }
    CloudCallRunner.run(executor, first);
    CloudCallRunner.run(executor, rest);
  }

  private void order(
      Cluster cluster,
      MachineLauncher.Intent intent,
      String kind,
      Map<String, Fleet.Refusal> refused) {
    var before = Optional.ofNullable(refused.get(kind));
    if (before.isPresent()) machineLauncher.abandon(cluster, intent, before.get());
    else machineLauncher.order(cluster, intent).ifPresent(r -> refused.put(kind, r));
  }
}

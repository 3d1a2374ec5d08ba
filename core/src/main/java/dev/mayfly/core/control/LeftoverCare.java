package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Fleet.Leftover;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * Deletes the disks and addresses that machines left behind.
 *
 * <p><b>Must:</b> touch nothing that does not carry the labels of a cluster and a worker that could
 * be this deployment's; keep what belongs to a worker that is not over, for its machine may be on
 * its way.
 */
final class LeftoverCare {
  private final Ports ports;
  private final Rules rules;
  private final Lives lives;

  LeftoverCare(Ports ports, Rules rules, Lives lives) {
    this.ports = ports;
    this.rules = rules;
    this.lives = lives;
  }

  void sweep(Map<String, Cluster> clusters, Troubles troubles) {
    for (var leftover : ports.fleet().leftovers())
      troubles.guard(what(leftover), () -> look(leftover, clusters, troubles));
  }

  private void look(Leftover leftover, Map<String, Cluster> clusters, Troubles troubles) {
    var cluster = clusters.get(leftover.labels().getOrDefault(Machine.CLUSTER, ""));
    var worker = leftover.labels().getOrDefault(Machine.WORKER, "");
    if (cluster == null || worker.isEmpty()) {
      troubles.add(
          what(leftover),
          "left alone: its labels are of no cluster and worker that can be read here");
      return;
    }
    why(cluster, worker, leftover).ifPresent(why -> delete(cluster, leftover, why));
  }

  /** Why it is to be deleted; empty while somebody may need it. */
  private Optional<String> why(Cluster cluster, String worker, Leftover leftover) {
    var stored = ports.ledger().read(new Key.OfWorker(cluster.uid(), worker));
    if (stored.map(Stored::value).map(Worker::state).filter(LeftoverCare::over).isPresent())
      return Optional.of("its worker " + worker + " is gone");
    var young = leftover.createdAt().plus(rules.orphanGrace()).isAfter(ports.clock().instant());
    return stored.isPresent() || young
        ? Optional.empty()
        : Optional.of("no worker of this cluster has it");
  }

  private static boolean over(WorkerState state) {
    return state instanceof WorkerState.Gone;
  }

  private void delete(Cluster cluster, Leftover leftover, String why) {
    if (!ports.fleet().delete(leftover)) return;
    var event = lives.event(cluster.uid(), about(leftover), "swept", why);
    ports.ledger().commit(List.of(new Write.Put(event)));
  }

  private static String about(Leftover leftover) {
    return word(leftover) + "/" + leftover.name();
  }

  private static String what(Leftover leftover) {
    return word(leftover) + " " + leftover.name();
  }

  private static String word(Leftover leftover) {
    return leftover.kind().name().toLowerCase(Locale.ROOT);
  }
}

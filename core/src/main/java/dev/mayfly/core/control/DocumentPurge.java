package dev.mayfly.core.control;

import dev.mayfly.core.model.BatchSize;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/**
 * Deletes the documents of workers that have been gone for long, with those of their hosts, and
 * what only a living cluster needs. Jobs and their shards stay: people ask for them.
 */
final class DocumentPurge {
  private static final Duration PAUSE = Duration.ofHours(1);

  private final Ports ports;
  private final Rules rules;
  private Instant last = Instant.MIN;

  DocumentPurge(Ports ports, Rules rules) {
    this.ports = ports;
    this.rules = rules;
  }

  /** Once an hour. */
  void run(Collection<Cluster> clusters, Troubles troubles) {
    var now = ports.clock().instant();
    if (!last.equals(Instant.MIN) && last.plus(PAUSE).isAfter(now)) return;
    last = now;
    for (var cluster : clusters) {
      var end = cluster.endedAt().map(at -> at.plus(rules.goneKept().multipliedBy(2)));
      if (end.isPresent() && end.get().isBefore(now)) continue;
      troubles.guard("cluster " + cluster.spec().name(), () -> purge(cluster, now));
    }
  }

  private void purge(Cluster cluster, Instant now) {
    var old = new ArrayList<Write>();
    var workers = ports.ledger().query(new Query.Workers(cluster.uid(), true, Round.WORKERS));
    for (var stored : workers.some())
      if (isOld(stored.value(), now)) {
        // The hosts first: a batch that fails leaves the worker, by which they are found again.
        Hosts.others(stored.value()).forEach(host -> old.add(new Write.Delete(host)));
        old.add(new Write.Delete(stored.value().key()));
      }
    if (cluster.endedAt().filter(at -> at.plus(rules.goneKept()).isBefore(now)).isPresent())
      control(cluster.uid()).forEach(key -> old.add(new Write.Delete(key)));
    for (var from = 0; from < old.size(); from += BatchSize.MOST)
      ports.ledger().commit(old.subList(from, Math.min(old.size(), from + BatchSize.MOST)));
  }

  private boolean isOld(Worker worker, Instant now) {
    return worker.state() instanceof WorkerState.Gone gone
        && gone.since().plus(rules.goneKept()).isBefore(now);
  }

  /** The documents that function instances left for a cluster that is gone. */
  private List<Key<?>> control(String cluster) {
    var keys = new ArrayList<Key<?>>();
    var one =
        List.<Key<? extends Document>>of(
            new Key.OfPulse(cluster), new Key.OfServed(cluster), new Key.OfTurns(cluster));
    for (var key : one) if (ports.ledger().read(key).isPresent()) keys.add(key);
    for (var beats : ports.ledger().query(new Query.AllBeats(cluster)).some())
      keys.add(beats.value().key());
    return keys;
  }
}

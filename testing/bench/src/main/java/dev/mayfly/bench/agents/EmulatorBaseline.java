package dev.mayfly.bench.agents;

import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.gcp.firestore.FirestoreDatabase;
import dev.mayfly.gcp.firestore.FirestoreSettings;
import dev.mayfly.porttests.GoogleEmulator;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;

/**
 * The emulator's lower bound, on this machine and now: bare commits of a worker and a shard, one
 * for each agent, by one client with the same concurrency as the instances.
 */
final class EmulatorBaseline {
  private static final int LANES = 96;
  private static final int BATCH = 100;
  private static final String PREFIX = "floor: ";

  private EmulatorBaseline() {}

  static String line(String host, int commits) throws InterruptedException, ExecutionException {
    var database = FirestoreSettings.of(GoogleEmulator.freshProject()).withEmulator(host);
    try (var state = FirestoreDatabase.open(database)) {
      var pairs = pairs(state.ledger(), commits);
      var from = System.nanoTime();
      commit(state.ledger(), pairs);
      var seconds = (System.nanoTime() - from) / 1e9;
      return String.format(
          Locale.ROOT,
          PREFIX + "%,d bare commits of a worker and a shard take %.2f s, %,.0f/s",
          commits,
          seconds,
          commits / seconds);
    }
  }

  /** The same commits one after another. */
  static String alone(String host, int commits) {
    var database = FirestoreSettings.of(GoogleEmulator.freshProject()).withEmulator(host);
    try (var state = FirestoreDatabase.open(database)) {
      var took = new ArrayList<Double>();
      for (var pair : pairs(state.ledger(), commits)) {
        var from = System.nanoTime();
        state.ledger().commit(pair);
        took.add((System.nanoTime() - from) / 1e6);
      }
      took.sort(null);
      return String.format(
          Locale.ROOT,
          PREFIX + "one bare commit of a worker and a shard: median %.1f ms of %d",
          took.get(commits / 2),
          commits);
    }
  }

  /** The seconds in a line of {@link #line}. */
  static double seconds(String line) {
    return Double.parseDouble(line.replaceFirst(".* take ([0-9.]+) s.*", "$1"));
  }

  static boolean isLine(String line) {
    return line.startsWith(PREFIX);
  }

  private static List<List<LedgerWrite>> pairs(Ledger ledger, int commits) {
    var pairs = new ArrayList<List<LedgerWrite>>();
    for (var from = 0; from < commits; from += BATCH) {
      var creates = new ArrayList<LedgerWrite>();
      for (var i = from; i < Math.min(commits, from + BATCH); i++) {
        var key = new DocumentKey.OfShard(BenchCluster.CLUSTER, "j-floor", 2L * i);
        creates.add(new LedgerWrite.Create(WaitingAgent.stored(i, Instant.EPOCH)));
        creates.add(new LedgerWrite.Create(Shard.of(key, 2L * i + 2, TaskSet.none(2L * i))));
      }
      if (!(ledger.commit(creates) instanceof CommitResult.Done done))
        throw new IllegalStateException("a fresh project has documents");
      for (var i = 0; i < creates.size(); i += 2)
        pairs.add(List.of(update(creates, done, i), update(creates, done, i + 1)));
    }
    return pairs;
  }

  private static LedgerWrite update(List<LedgerWrite> creates, CommitResult.Done done, int at) {
    var ledgerDocument = ((LedgerWrite.Create) creates.get(at)).document();
    return new LedgerWrite.Update(ledgerDocument, done.versions().get(at));
  }

  private static void commit(Ledger ledger, List<List<LedgerWrite>> pairs)
      throws InterruptedException, ExecutionException {
    try (var lanes = Executors.newFixedThreadPool(LANES)) {
      var calls = pairs.stream().<Callable<CommitResult>>map(p -> () -> ledger.commit(p)).toList();
      for (var call : lanes.invokeAll(calls))
        if (!call.get().done()) throw new IllegalStateException("a commit of one client conflicts");
    }
  }
}

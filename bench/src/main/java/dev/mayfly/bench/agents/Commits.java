package dev.mayfly.bench.agents;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Counts the commits of several ledgers, those in vain by what they lost. */
final class Commits {
  private final Map<String, Integer> counts = new TreeMap<>();

  /** Counts at a moment, or between two. */
  record Reading(Map<String, Integer> counts) {
    Reading since(Reading before) {
      var more = new TreeMap<>(counts);
      before.counts.forEach((kind, n) -> more.merge(kind, -n, Integer::sum));
      return new Reading(more);
    }

    List<String> lines() {
      var done = counts.getOrDefault("done", 0);
      var all = counts.values().stream().mapToInt(n -> n).sum();
      return List.of(
          "  commits of the instances: %,d, of which failed %.1f %% %s"
              .formatted(all, all == 0 ? 0 : 100.0 * (all - done) / all, counts));
    }
  }

  synchronized Reading read() {
    return new Reading(new TreeMap<>(counts));
  }

  private synchronized void add(String kind) {
    counts.merge(kind, 1, Integer::sum);
  }

  Ledger around(Ledger ledger) {
    return new Counting(ledger);
  }

  /** Hands every call on. */
  private final class Counting implements Ledger {
    private final Ledger ledger;

    Counting(Ledger ledger) {
      this.ledger = ledger;
    }

    @Override
    public Committed commit(List<Write> writes) {
      try {
        var committed = ledger.commit(writes);
        add(
            committed instanceof Committed.Conflict c
                ? "lost a " + c.key().type().getSimpleName()
                : "done");
        return committed;
      } catch (Unavailable e) {
        add("unknown");
        throw e;
      }
    }

    @Override
    public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
      return ledger.read(key);
    }

    @Override
    public <D extends Document> List<Stored<D>> readAll(Collection<? extends Key<D>> keys) {
      return ledger.readAll(keys);
    }

    @Override
    public <D extends Document> List<Stored<D>> query(Query<D> query) {
      return ledger.query(query);
    }

    @Override
    public Totals totals(Key.OfJob job) {
      return ledger.totals(job);
    }

    @Override
    public Watch watch(String cluster, Consumer<Pulse> listener) {
      return ledger.watch(cluster, listener);
    }
  }
}

package dev.mayfly.sim;

import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.GangPhase;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Served;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Ledgers with a mistake in them. */
final class BuggyLedgers {
  private BuggyLedgers() {}

  /** Everything as the real one does it. */
  private abstract static class Same implements Ledger {
    final Ledger real;

    Same(Ledger real) {
      this.real = real;
    }

    @Override
    public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
      return real.read(key);
    }

    @Override
    public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
      return real.readAll(keys);
    }

    @Override
    public <D extends Document> Listing<D> query(Query<D> query) {
      return real.query(query);
    }

    @Override
    public Totals totals(Key.OfJob job) {
      return real.totals(job);
    }

    @Override
    public Committed commit(List<Write> writes) {
      return real.commit(writes);
    }

    @Override
    public Watch watch(String cluster, Consumer<Pulse> listener) {
      return real.watch(cluster, listener);
    }
  }

  /** Updates without looking at the version. */
  static final class Unfenced extends Same {
    Unfenced(Ledger real) {
      super(real);
    }

    @Override
    public Committed commit(List<Write> writes) {
      return real.commit(writes.stream().map(Unfenced::blind).toList());
    }

    private static Write blind(Write write) {
      return write instanceof Write.Update u ? new Write.Put(u.document()) : write;
    }
  }

  /** Says that syncs could be served all the time. */
  static final class AlwaysServed extends Same {
    private final InstantSource clock;

    AlwaysServed(Ledger real, InstantSource clock) {
      super(real);
      this.clock = clock;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
      return real.read(key)
          .map(s ->
              s.value() instanceof Served served
                  ? new Stored<>((D) joined(served), s.version())
                  : s);
    }

    private Served joined(Served served) {
      if (served.intervals().isEmpty()) return served;
      var from = served.intervals().getFirst().from();
      var to = clock.instant();
      return new Served(served.cluster(), List.of(new Served.Interval(from, to)));
    }
  }

  /** A batch that gives a task to several workers at once has too many writes. */
  static final class SmallBatches extends Same {
    private static final int MOST = 3;

    SmallBatches(Ledger real) {
      super(real);
    }

    @Override
    public Committed commit(List<Write> writes) {
      var gathers = writes.stream().anyMatch(SmallBatches::gathers);
      if (gathers && writes.size() > MOST)
        throw new IllegalArgumentException(writes.size() + " writes in a batch");
      return real.commit(writes);
    }

    private static boolean gathers(Write write) {
      return write instanceof Write.Update u
          && u.document() instanceof Shard s
          && s.gang().filter(g -> g.phase() instanceof GangPhase.Prepare).isPresent();
    }
  }

  /** Does not tell of workers whose machine is on its way. */
  static final class Impatient extends Same {
    Impatient(Ledger real) {
      super(real);
    }

    @Override
    public <D extends Document> Listing<D> query(Query<D> query) {
      var all = real.query(query);
      if (!(query instanceof Query.Workers q) || q.gone()) return all;
      var known = new Listing.Builder<D>();
      for (var stored : all.some())
        if (stored.value() instanceof Worker w && !comes(w))
          known.add(w.key().path(), "the simulation", () -> stored);
      return known.build();
    }

    private static boolean comes(Worker worker) {
      return worker.state() instanceof WorkerState.Launching
          || worker.state() instanceof WorkerState.Booting;
    }
  }

  /** Remembers a job for ten minutes. */
  static final class StaleJobs extends Same {
    private record Seen(Stored<?> job, Instant at) {}

    private final InstantSource clock;
    private final Map<String, Seen> jobs = new TreeMap<>();

    StaleJobs(Ledger real, InstantSource clock) {
      super(real);
      this.clock = clock;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
      if (!(key instanceof Key.OfJob || key instanceof Key.OfTurns)) return real.read(key);
      var seen = jobs.get(key.path());
      if (seen != null && seen.at.plus(Duration.ofMinutes(10)).isAfter(clock.instant()))
        return Optional.of((Stored<D>) seen.job);
      var read = real.read(key);
      read.ifPresent(job -> jobs.put(key.path(), new Seen(job, clock.instant())));
      return read;
    }
  }
}

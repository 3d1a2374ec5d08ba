package dev.mayfly.sim.mutant;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.ServingHistory;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Usage;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.gang.GangPhase;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.plan.capacity.ReturnedRoom;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.QueryResult;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Consumer;

/** Ledgers with a mistake. */
final class LedgerMutants {
  private LedgerMutants() {}

  /** Delegates everything to the real one. */
  private abstract static class Delegate implements Ledger {
    final Ledger real;

    Delegate(Ledger real) {
      this.real = real;
    }

    @Override
    public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
        DocumentKey<D> documentKey) {
      return real.read(documentKey);
    }

    @Override
    public <D extends LedgerDocument> QueryResult<D> readAll(
        Collection<? extends DocumentKey<D>> keys) {
      return real.readAll(keys);
    }

    @Override
    public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
      return real.query(ledgerQuery);
    }

    @Override
    public TaskTotals totals(DocumentKey.OfJob job) {
      return real.totals(job);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      return real.commit(ledgerWrites);
    }

    @Override
    public Watch watch(String cluster, Consumer<ChangeSignal> listener) {
      return real.watch(cluster, listener);
    }
  }

  /** Updates without a check of the version. */
  static final class Unfenced extends Delegate {
    Unfenced(Ledger real) {
      super(real);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      return real.commit(ledgerWrites.stream().map(Unfenced::blind).toList());
    }

    private static LedgerWrite blind(LedgerWrite ledgerWrite) {
      return ledgerWrite instanceof LedgerWrite.Update u
          ? new LedgerWrite.Put(u.document())
          : ledgerWrite;
    }
  }

  /** An ended machine stays to be added up after it was. */
  static final class KeepsEnded extends Delegate {
    KeepsEnded(Ledger real) {
      super(real);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      return real.commit(
          ledgerWrites.stream()
              .filter(it -> !(it.key() instanceof DocumentKey.OfUsage && isDelete(it)))
              .toList());
    }

    private static boolean isDelete(LedgerWrite ledgerWrite) {
      return ledgerWrite instanceof LedgerWrite.Delete;
    }
  }

  /** A machine is added to its day, and not to its month. */
  static final class ForgetsMonth extends Delegate {
    ForgetsMonth(Ledger real) {
      super(real);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      return real.commit(ledgerWrites.stream().map(ForgetsMonth::unspent).toList());
    }

    private static LedgerWrite unspent(LedgerWrite write) {
      return write instanceof LedgerWrite.Update(Usage.Month month, String version)
          ? new LedgerWrite.Update(new Usage.Month(month.cluster(), month.id(), 0), version)
          : write;
    }
  }

  /** A machine is added to its day, and not to the jobs that it served. */
  static final class ForgetsSpending extends Delegate {
    ForgetsSpending(Ledger real) {
      super(real);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      return real.commit(ledgerWrites.stream().map(ForgetsSpending::unspent).toList());
    }

    private static LedgerWrite unspent(LedgerWrite write) {
      return write instanceof LedgerWrite.Update(Job job, String version)
              && job.spending().filter(it -> it.endedUsd() > 0).isPresent()
          ? new LedgerWrite.Update(job.withEndedUsd(-job.spent().endedUsd()), version)
          : write;
    }
  }

  /** Claims that syncs were served all the time. */
  static final class AlwaysServed extends Delegate {
    private final InstantSource clock;

    AlwaysServed(Ledger real, InstantSource clock) {
      super(real);
      this.clock = clock;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
        DocumentKey<D> documentKey) {
      return real.read(documentKey)
          .map(s ->
              s.value() instanceof ServingHistory servingHistory
                  ? new VersionedDocument<>((D) joined(servingHistory), s.version())
                  : s);
    }

    private ServingHistory joined(ServingHistory servingHistory) {
      if (servingHistory.intervals().isEmpty()) return servingHistory;
      var from = servingHistory.intervals().getFirst().from();
      var to = clock.instant();
      return new ServingHistory(
          servingHistory.cluster(), List.of(new ServingHistory.Interval(from, to)));
    }
  }

  /** Rejects a batch that grants a task to several workers, as too large. */
  static final class SmallBatches extends Delegate {
    private static final int MAX_WRITES = 3;

    SmallBatches(Ledger real) {
      super(real);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      var gathers = ledgerWrites.stream().anyMatch(SmallBatches::gathers);
      if (gathers && ledgerWrites.size() > MAX_WRITES)
        throw new IllegalArgumentException(ledgerWrites.size() + " writes in a batch");
      return real.commit(ledgerWrites);
    }

    private static boolean gathers(LedgerWrite ledgerWrite) {
      return ledgerWrite instanceof LedgerWrite.Update u
          && u.document() instanceof Shard s
          && s.gang().filter(g -> g.phase() instanceof GangPhase.Prepare).isPresent();
    }
  }

  /** Plans the end of a machine's life for after its machine is gone. */
  static final class LateEnds extends Delegate {
    private static final Duration LATE = Duration.ofMinutes(10);

    LateEnds(Ledger real) {
      super(real);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      return real.commit(ledgerWrites.stream().map(LateEnds::late).toList());
    }

    private static LedgerWrite late(LedgerWrite ledgerWrite) {
      if (!(ledgerWrite instanceof LedgerWrite.Update u
          && u.document() instanceof Worker w
          && w.state() instanceof WorkerState.Draining d
          && d.why().cause() == DrainCause.END_OF_LIFE)) return ledgerWrite;
      var later = new WorkerState.Draining(d.since(), d.why(), d.since().plus(LATE));
      return new LedgerWrite.Update(w.with(later), u.version());
    }
  }

  /** Stores a job that waits for others as one that has started. */
  static final class StartsAtOnce extends Delegate {
    StartsAtOnce(Ledger real) {
      super(real);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      return real.commit(ledgerWrites.stream().map(StartsAtOnce::started).toList());
    }

    private static LedgerWrite started(LedgerWrite ledgerWrite) {
      return ledgerWrite instanceof LedgerWrite.Create c
              && c.document() instanceof Job j
              && j.state() instanceof JobState.Waiting
          ? new LedgerWrite.Create(j.with(new JobState.Expanding("", 0, -1)))
          : ledgerWrite;
    }
  }

  /** Stores that machines gave room back as if that were long ago. */
  static final class ForgetsRoom extends Delegate {
    ForgetsRoom(Ledger real) {
      super(real);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      return real.commit(ledgerWrites.stream().map(ForgetsRoom::old).toList());
    }

    private static LedgerWrite old(LedgerWrite ledgerWrite) {
      return ledgerWrite instanceof LedgerWrite.Put p
              && p.document() instanceof Stockout s
              && ReturnedRoom.isMemory(s)
          ? new LedgerWrite.Put(
              new Stockout(
                  s.zone(), s.machineType(), s.code(), List.of(Instant.EPOCH), Optional.empty()))
          : ledgerWrite;
    }
  }

  /** Hides workers whose machine is ordered or boots. */
  static final class HidesOrderedWorkers extends Delegate {
    HidesOrderedWorkers(Ledger real) {
      super(real);
    }

    @Override
    public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
      var all = real.query(ledgerQuery);
      if (!(ledgerQuery instanceof LedgerQuery.Workers q) || q.gone()) return all;
      var known = new QueryResult.Builder<D>();
      for (var stored : all.readableOnly())
        if (stored.value() instanceof Worker w && !comes(w))
          known.add(w.key().path(), "the simulation", () -> stored);
      return known.build();
    }

    private static boolean comes(Worker worker) {
      return worker.state() instanceof WorkerState.Launching
          || worker.state() instanceof WorkerState.Booting;
    }
  }

  /** Caches a job for ten minutes. */
  static final class StaleJobs extends Delegate {
    private record Seen(VersionedDocument<?> job, Instant at) {}

    private final InstantSource clock;
    private final Map<String, Seen> jobs = new TreeMap<>();

    StaleJobs(Ledger real, InstantSource clock) {
      super(real);
      this.clock = clock;
    }

    @Override
    @SuppressWarnings("unchecked")
    public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
        DocumentKey<D> documentKey) {
      if (!(documentKey instanceof DocumentKey.OfJob
          || documentKey instanceof DocumentKey.OfJobQueue)) return real.read(documentKey);
      var seen = jobs.get(documentKey.path());
      if (seen != null && seen.at.plus(Duration.ofMinutes(10)).isAfter(clock.instant()))
        return Optional.of((VersionedDocument<D>) seen.job);
      var read = real.read(documentKey);
      read.ifPresent(job -> jobs.put(documentKey.path(), new Seen(job, clock.instant())));
      return read;
    }
  }
}

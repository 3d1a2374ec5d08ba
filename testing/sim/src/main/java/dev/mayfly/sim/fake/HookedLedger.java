package dev.mayfly.sim.fake;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.fault.PortHook;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** The ledger as one process sees it. */
public final class HookedLedger implements Ledger {
  /** Faults that a hook cannot express. */
  public interface Faults {
    Faults NONE = new Faults() {};

    /** Whether another writer touches the documents of the next batch just before it. */
    default boolean contended() {
      return false;
    }

    /** How long after its caller gave up the next batch is applied; empty if it is in time. */
    default Optional<Duration> late() {
      return Optional.empty();
    }

    /** Whether this process cannot parse a document that others can. */
    default boolean unknown(LedgerDocument ledgerDocument) {
      return false;
    }
  }

  private final SimLedger ledger;
  private final SimProcess simProcess;
  private final PortHook portHook;
  private final Faults faults;
  private final UsageCounter usageCounter;

  /**
   * @param usageCounter where this process's operations are counted
   */
  public HookedLedger(
      SimLedger ledger,
      SimProcess simProcess,
      PortHook portHook,
      Faults faults,
      UsageCounter usageCounter) {
    this.ledger = ledger;
    this.simProcess = simProcess;
    this.portHook = portHook;
    this.faults = faults;
    this.usageCounter = usageCounter;
  }

  @Override
  public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
      DocumentKey<D> documentKey) {
    usageCounter.add(UsageCounter.Kind.READ, 1);
    return portHook
        .around("ledger.read", () -> known(ledger.readAll(List.of(documentKey))))
        .requireComplete()
        .stream()
        .findFirst();
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> readAll(
      Collection<? extends DocumentKey<D>> keys) {
    if (!keys.isEmpty()) usageCounter.add(UsageCounter.Kind.READ, keys.size());
    return portHook.around("ledger.readAll", () -> known(ledger.readAll(keys)));
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
    var found = portHook.around("ledger.query", () -> known(ledger.query(ledgerQuery)));
    usageCounter.add(UsageCounter.Kind.READ, Math.max(1, found.size()));
    return found;
  }

  @Override
  public TaskTotals totals(DocumentKey.OfJob job) {
    var taskTotals = portHook.around("ledger.totals", () -> ledger.totals(job));
    usageCounter.add(UsageCounter.Kind.READ, Math.max(1, (taskTotals.shards() + 999) / 1000));
    return taskTotals;
  }

  @Override
  public CommitResult commit(List<LedgerWrite> ledgerWrites) {
    return portHook.around("ledger.commit", () -> write(ledgerWrites));
  }

  private <D extends LedgerDocument> QueryResult<D> known(QueryResult<D> found) {
    if (found.readableOnly().stream().noneMatch(s -> faults.unknown(s.value()))) return found;
    var known = new QueryResult.Builder<D>();
    for (var there : found.unreadable())
      known.add(
          there.path(),
          there.store(),
          () -> {
            throw new IllegalArgumentException(there.cause());
          });
    for (var stored : found.readableOnly())
      known.add(
          stored.value().key().path(),
          "the simulation",
          () -> {
            if (faults.unknown(stored.value()))
              throw new IllegalArgumentException("a newer version wrote it");
            return stored;
          });
    return known.build();
  }

  private CommitResult write(List<LedgerWrite> ledgerWrites) {
    var late = faults.late();
    if (late.isPresent()) {
      ledger.commitAfter(late.get(), ledgerWrites);
      throw new UnavailableException("the commit took too long");
    }
    if (ledgerWrites.stream().anyMatch(LedgerWrite.Update.class::isInstance) && faults.contended())
      for (var ledgerWrite : ledgerWrites)
        if (ledgerWrite instanceof LedgerWrite.Update u) ledger.touch(u.key());
    var commitResult = ledger.commit(ledgerWrites);
    if (!commitResult.done()) usageCounter.add(UsageCounter.Kind.CONFLICT, 1);
    else {
      var deleted = ledgerWrites.stream().filter(LedgerWrite.Delete.class::isInstance).count();
      if (deleted > 0) usageCounter.add(UsageCounter.Kind.DELETE, deleted);
      if (ledgerWrites.size() > deleted)
        usageCounter.add(UsageCounter.Kind.WRITE, ledgerWrites.size() - deleted);
    }
    return commitResult;
  }

  @Override
  public Watch watch(String cluster, Consumer<ChangeSignal> listener) {
    Consumer<ChangeSignal> counted =
        changeSignal -> {
          usageCounter.add(UsageCounter.Kind.LISTENED, 1);
          listener.accept(changeSignal);
        };
    return portHook.around("ledger.watch", () -> ledger.watch(cluster, simProcess, counted));
  }
}

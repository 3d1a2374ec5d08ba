package dev.mayfly.core.control;

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
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * A ledger that sends, after each commit, the change signals of the batch and publishes the
 * notifications of its events. All signals go to one document per cluster: inside the batches they
 * would make all batches contend.
 */
final class SignallingLedger implements Ledger {
  private final Ledger ledger;
  private final ChangeSignalSender signals;
  private final NotificationPublisher notifications;

  SignallingLedger(Ledger ledger, ChangeSignalSender signals, NotificationPublisher notifications) {
    this.ledger = ledger;
    this.signals = signals;
    this.notifications = notifications;
  }

  @Override
  public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
      DocumentKey<D> documentKey) {
    return ledger.read(documentKey);
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> readAll(
      Collection<? extends DocumentKey<D>> keys) {
    return ledger.readAll(keys);
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
    return ledger.query(ledgerQuery);
  }

  @Override
  public TaskTotals totals(DocumentKey.OfJob job) {
    return ledger.totals(job);
  }

  @Override
  public CommitResult commit(List<LedgerWrite> ledgerWrites) {
    var signalWrites =
        ledgerWrites.stream()
            .filter(LedgerWrite.Signal.class::isInstance)
            .map(LedgerWrite.Signal.class::cast)
            .toList();
    var rest =
        signalWrites.isEmpty()
            ? ledgerWrites
            : ledgerWrites.stream().filter(w -> !(w instanceof LedgerWrite.Signal)).toList();
    try {
      var commitResult =
          rest.isEmpty() && !signalWrites.isEmpty()
              ? new CommitResult.Done(List.of())
              : ledger.commit(rest);
      if (!(commitResult instanceof CommitResult.Done done)) return commitResult;
      signalWrites.forEach(signals::send);
      notifications.publish(rest, done.versions());
      return signalWrites.isEmpty() ? done : inPlace(ledgerWrites, done);
    } catch (UnavailableException unknown) {
      // It may have been committed nevertheless.
      signalWrites.forEach(signals::send);
      throw unknown;
    }
  }

  /** The versions in the order of all writes; a signal has none. */
  private static CommitResult.Done inPlace(List<LedgerWrite> ledgerWrites, CommitResult.Done done) {
    var versions = new ArrayList<String>();
    var next = done.versions().iterator();
    for (var ledgerWrite : ledgerWrites)
      versions.add(ledgerWrite instanceof LedgerWrite.Signal ? "" : next.next());
    return new CommitResult.Done(versions);
  }

  @Override
  public Watch watch(String cluster, Consumer<ChangeSignal> listener) {
    return ledger.watch(cluster, listener);
  }
}

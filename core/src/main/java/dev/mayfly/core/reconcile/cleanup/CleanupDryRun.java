package dev.mayfly.core.reconcile.cleanup;

import dev.mayfly.core.model.document.ChangeSignal;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.TaskTotals;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.CommitResult;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.QueryResult;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.worker.WorkerTransitions;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs {@link OrphanCollector} on real state without changing it: writes are kept in memory and
 * deletions are recorded. So a dry run decides exactly as a real one.
 */
final class CleanupDryRun {
  private final Context real;
  private final Map<DocumentKey<?>, LedgerDocument> written = new HashMap<>();
  private final List<CleanupPlan.Deletion> deletions = new ArrayList<>();
  private final List<EventRecord> eventRecords = new ArrayList<>();

  CleanupDryRun(Context real) {
    this.real = real;
  }

  CleanupPlan run() {
    var context =
        new Context(
            new OverlayLedger(),
            trigger -> {},
            new ReadOnlyFleet(),
            real.objects(),
            real.codec(),
            // Sequentially: the recording is not thread-safe.
            real.alarms()::callAt,
            real.schedule(),
            real.ids(),
            real.clock(),
            real.timings());
    var untouched = new OrphanCollector(context).collect();
    return new CleanupPlan(deletions.stream().map(this::withReason).toList(), untouched);
  }

  private CleanupPlan.Deletion withReason(CleanupPlan.Deletion deletion) {
    var about = "/" + deletion.name();
    var event =
        eventRecords.stream().filter(e -> e.about().endsWith(about)).reduce((first, last) -> last);
    return new CleanupPlan.Deletion(
        deletion.kind(),
        deletion.place(),
        deletion.name(),
        event.map(EventRecord::why).orElseGet(() -> reason(deletion.name())));
  }

  /** The reason stored with a worker that had ended before. */
  private String reason(String worker) {
    // The pass itself reports unreadable documents.
    return real.ledger().query(new LedgerQuery.Clusters(true)).readableOnly().stream()
        .flatMap(
            c -> real.ledger().read(new DocumentKey.OfWorker(c.value().uid(), worker)).stream())
        .map(w -> WorkerTransitions.reason(w.value().state()))
        .findFirst()
        .orElse("");
  }

  private void deletes(String kind, String place, String name) {
    deletions.add(new CleanupPlan.Deletion(kind, place, name, ""));
  }

  /** The fleet, without deletions. */
  private final class ReadOnlyFleet implements Fleet {
    @Override
    public Ordered order(Order order) {
      throw new IllegalStateException("cleanup orders no machine");
    }

    @Override
    public Optional<Progress> progress(CloudMachine.Name name, String operation) {
      return real.fleet().progress(name, operation);
    }

    @Override
    public Optional<CloudMachine> find(CloudMachine.Name name) {
      return real.fleet().find(name);
    }

    @Override
    public boolean delete(CloudMachine.Name name) {
      if (find(name).isEmpty()) return false;
      deletes(name.kind() == CloudMachine.Kind.TPU ? "tpu" : "machine", name.zone(), name.name());
      return true;
    }

    @Override
    public Inventory list() {
      return real.fleet().list();
    }

    @Override
    public List<Leftover> leftovers() {
      return real.fleet().leftovers();
    }

    @Override
    public boolean delete(Leftover leftover) {
      deletes(leftover.kind().name().toLowerCase(Locale.ROOT), leftover.place(), leftover.name());
      return true;
    }
  }

  /** The ledger, overlaid with what would have been written. */
  private final class OverlayLedger implements Ledger {
    @Override
    @SuppressWarnings("unchecked") // A key leads to documents of its own type only.
    public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
        DocumentKey<D> documentKey) {
      var versionedDocument = real.ledger().read(documentKey);
      return written.containsKey(documentKey)
          ? versionedDocument.map(
              s -> new VersionedDocument<>((D) written.get(documentKey), s.version()))
          : versionedDocument;
    }

    @Override
    public <D extends LedgerDocument> QueryResult<D> readAll(
        Collection<? extends DocumentKey<D>> keys) {
      return real.ledger().readAll(keys);
    }

    @Override
    public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
      return real.ledger().query(ledgerQuery);
    }

    @Override
    public TaskTotals totals(DocumentKey.OfJob job) {
      return real.ledger().totals(job);
    }

    @Override
    public CommitResult commit(List<LedgerWrite> ledgerWrites) {
      var versions = new ArrayList<String>();
      for (var ledgerWrite : ledgerWrites) {
        if (ledgerWrite instanceof LedgerWrite.Put put
            && put.document() instanceof EventRecord eventRecord) eventRecords.add(eventRecord);
        if (ledgerWrite instanceof LedgerWrite.Update update
            && update.document() instanceof Worker worker) written.put(worker.key(), worker);
        versions.add("dry-run");
      }
      return new CommitResult.Done(versions);
    }

    @Override
    public Watch watch(String cluster, Consumer<ChangeSignal> listener) {
      throw new IllegalStateException("cleanup watches nothing");
    }
  }
}

package dev.mayfly.gcp.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.ServerStreamingCallable;
import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.RunQueryRequest;
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
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Documents in Firestore; see {@link BatchCommitter} for batches and {@link WatchRegistry} for
 * change signals.
 */
final class FirestoreLedger implements Ledger, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FirestoreLedger.class);
  private static final int MOST_KEYS = 500;

  private final DocumentNames documentNames;
  private final FirestoreConnection firestoreConnection;
  private final BatchCommitter batchCommitter;
  private final WatchRegistry watchRegistry;
  private final JobTotalsReader totals;
  private final String store;

  FirestoreLedger(FirestoreSettings settings, RandomGenerator random) {
    documentNames = DocumentNames.of(settings);
    store =
        "the console of Firestore, project %s, database %s"
            .formatted(settings.project(), settings.database());
    firestoreConnection = new FirestoreConnection(settings);
    batchCommitter = new BatchCommitter(firestoreConnection, this::found);
    watchRegistry = new WatchRegistry(firestoreConnection, documentNames, random);
    totals = new JobTotalsReader(settings, firestoreConnection, LOG::warn);
  }

  @Override
  public <D extends LedgerDocument> Optional<VersionedDocument<D>> read(
      DocumentKey<D> documentKey) {
    return readAll(List.of(documentKey)).requireComplete().stream().findFirst();
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> readAll(
      Collection<? extends DocumentKey<D>> keys) {
    if (keys.size() > MOST_KEYS)
      throw new IllegalArgumentException(keys.size() + " keys; at most " + MOST_KEYS);
    var listing = new QueryResult.Builder<D>();
    if (keys.isEmpty()) return listing.build();
    var paths = keys.stream().map(documentNames::name).toList();
    var type = keys.iterator().next().type();
    var found = found(paths, Optional.empty());
    for (var path : paths)
      Optional.ofNullable(found.get(path)).ifPresent(form -> read(type, form, listing));
    return listing.build();
  }

  private <D extends LedgerDocument> void read(
      Class<D> type, com.google.firestore.v1.Document form, QueryResult.Builder<D> listing) {
    listing.add(documentNames.path(form.getName()), store, () -> DocumentMapper.decode(type, form));
  }

  private Map<String, com.google.firestore.v1.Document> found(
      Collection<String> paths, Optional<DocumentMask> mask) {
    var request =
        BatchGetDocumentsRequest.newBuilder()
            .setDatabase(documentNames.database())
            .addAllDocuments(paths);
    mask.ifPresent(request::setMask);
    var found = new HashMap<String, com.google.firestore.v1.Document>();
    var callable = firestoreConnection.client().batchGetDocumentsCallable();
    for (var answer : all(callable, request.build(), "a read"))
      if (answer.hasFound()) found.put(answer.getFound().getName(), answer.getFound());
    return found;
  }

  private <Q, A> List<A> all(ServerStreamingCallable<Q, A> callable, Q request, String doing) {
    try {
      return firestoreConnection.await(
          callable.all().futureCall(request), firestoreConnection.read);
    } catch (ApiException e) {
      throw firestoreConnection.translate(e, doing);
    }
  }

  @Override
  public <D extends LedgerDocument> QueryResult<D> query(LedgerQuery<D> ledgerQuery) {
    var firestoreQuery = FirestoreQuery.of(ledgerQuery);
    var request =
        RunQueryRequest.newBuilder()
            .setParent(documentNames.root() + firestoreQuery.under())
            .setStructuredQuery(firestoreQuery.query())
            .build();
    var listing = new QueryResult.Builder<D>();
    for (var answer :
        all(firestoreConnection.client().runQueryCallable(), request, ledgerQuery.toString()))
      if (answer.hasDocument()) read(firestoreQuery.type(), answer.getDocument(), listing);
    return firestoreQuery.sorted(listing.build());
  }

  @Override
  public TaskTotals totals(DocumentKey.OfJob job) {
    return totals.of(job);
  }

  @Override
  public CommitResult commit(List<LedgerWrite> ledgerWrites) {
    return batchCommitter.commit(new WriteBatch(documentNames, ledgerWrites));
  }

  @Override
  public Watch watch(String cluster, Consumer<ChangeSignal> listener) {
    return watchRegistry.open(cluster, listener);
  }

  @Override
  public void close() {
    watchRegistry.close();
    firestoreConnection.close();
  }
}

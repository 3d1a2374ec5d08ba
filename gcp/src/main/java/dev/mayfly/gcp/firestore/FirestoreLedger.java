package dev.mayfly.gcp.firestore;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.ServerStreamingCallable;
import com.google.firestore.v1.BatchGetDocumentsRequest;
import com.google.firestore.v1.DocumentMask;
import com.google.firestore.v1.RunQueryRequest;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Documents in Firestore; see {@link Commits} for the batches and {@link Watches} for pulses. */
final class FirestoreLedger implements Ledger, AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(FirestoreLedger.class);
  private static final int MOST_KEYS = 500;

  private final Names names;
  private final Calls calls;
  private final Commits commits;
  private final Watches watches;
  private final ShardTotals totals;
  private final String store;

  FirestoreLedger(FirestoreSettings settings, RandomGenerator random) {
    names = Names.of(settings);
    store =
        "the console of Firestore, project %s, database %s"
            .formatted(settings.project(), settings.database());
    calls = new Calls(settings);
    commits = new Commits(calls, this::found);
    watches = new Watches(calls, names, random);
    totals = new ShardTotals(settings, calls, LOG::warn);
  }

  @Override
  public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
    return readAll(List.of(key)).complete().stream().findFirst();
  }

  @Override
  public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
    if (keys.size() > MOST_KEYS)
      throw new IllegalArgumentException(keys.size() + " keys; at most " + MOST_KEYS);
    var listing = new Listing.Builder<D>();
    if (keys.isEmpty()) return listing.build();
    var paths = keys.stream().map(names::name).toList();
    var type = keys.iterator().next().type();
    var found = found(paths, Optional.empty());
    for (var path : paths)
      Optional.ofNullable(found.get(path)).ifPresent(form -> read(type, form, listing));
    return listing.build();
  }

  private <D extends Document> void read(
      Class<D> type, com.google.firestore.v1.Document form, Listing.Builder<D> listing) {
    listing.add(names.path(form.getName()), store, () -> Forms.stored(type, form));
  }

  private Map<String, com.google.firestore.v1.Document> found(
      Collection<String> paths, Optional<DocumentMask> mask) {
    var request =
        BatchGetDocumentsRequest.newBuilder().setDatabase(names.database()).addAllDocuments(paths);
    mask.ifPresent(request::setMask);
    var found = new HashMap<String, com.google.firestore.v1.Document>();
    var callable = calls.client().batchGetDocumentsCallable();
    for (var answer : all(callable, request.build(), "a read"))
      if (answer.hasFound()) found.put(answer.getFound().getName(), answer.getFound());
    return found;
  }

  private <Q, A> List<A> all(ServerStreamingCallable<Q, A> callable, Q request, String doing) {
    try {
      return calls.answer(callable.all().futureCall(request), calls.read);
    } catch (ApiException e) {
      throw calls.sorted(e, doing);
    }
  }

  @Override
  public <D extends Document> Listing<D> query(Query<D> query) {
    var question = Question.of(query);
    var request =
        RunQueryRequest.newBuilder()
            .setParent(names.root() + question.under())
            .setStructuredQuery(question.query())
            .build();
    var listing = new Listing.Builder<D>();
    for (var answer : all(calls.client().runQueryCallable(), request, query.toString()))
      if (answer.hasDocument()) read(question.type(), answer.getDocument(), listing);
    return question.sorted(listing.build());
  }

  @Override
  public Totals totals(Key.OfJob job) {
    return totals.of(job);
  }

  @Override
  public Committed commit(List<Write> writes) {
    return commits.commit(new Batch(names, writes));
  }

  @Override
  public Watch watch(String cluster, Consumer<Pulse> listener) {
    return watches.open(cluster, listener);
  }

  @Override
  public void close() {
    watches.close();
    calls.close();
  }
}

package dev.mayfly.core.clusters;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.ClusterLookup;
import dev.mayfly.core.state.CommandOrder;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.ManualEdits;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Commands about manual slices. A wanted slice is stored in its cluster as a pool of its own;
 * reconcile creates it, however long that takes.
 *
 * <p>A repeated message changes nothing, nor does one older than the newest about the same slice.
 */
public final class SliceCommands {
  /** When a slice's last command is forgotten: well beyond the day that Pub/Sub keeps a message. */
  private static final Duration LATE = Duration.ofDays(8);

  private final Context context;
  private final ManualEdits manualEdits;

  public SliceCommands(Context context) {
    this.context = context;
    manualEdits = new ManualEdits(context.codec());
  }

  /**
   * Creates a slice. Throws {@link InvalidInputException} if a pool or another slice has the name,
   * or its zone is unknown.
   */
  public void create(UserCommand.CreateSlice command, Instant publishedAt) {
    change(
        command.cluster(), command.name(), publishedAt, spec -> SlicePools.created(spec, command));
  }

  /**
   * Deletes a slice. Throws {@link InvalidInputException} if there is none of that name; an older
   * message that would create it then has no effect.
   */
  public void delete(UserCommand.DeleteSlice command, Instant publishedAt) {
    try {
      change(
          command.cluster(),
          command.slice(),
          publishedAt,
          spec -> SlicePools.deleted(spec, command.slice()));
    } catch (InvalidInputException none) {
      recordDelete(command, publishedAt);
      throw none;
    }
  }

  private void recordDelete(UserCommand.DeleteSlice command, Instant at) {
    var storedCluster =
        ClusterLookup.find(context.ledger(), command.cluster())
            .flatMap(c -> context.ledger().read(new DocumentKey.OfCluster(c.uid())));
    if (storedCluster.isEmpty()) return;
    var existing = storedCluster.get().value().spec().pool(command.slice());
    // Another instance has just handled its creation.
    if (existing.filter(PoolSpec::manual).isPresent())
      throw new UnavailableException(
          "slice " + command.slice() + " appeared; the message is delivered again");
    if (existing.isPresent()) return;
    var next =
        storedCluster
            .get()
            .value()
            .withSliceCommands(recordTime(storedCluster.get().value(), command.slice(), at));
    if (!context
        .ledger()
        .commit(List.of(new LedgerWrite.Update(next, storedCluster.get().version())))
        .done())
      throw new UnavailableException(
          "cluster " + command.cluster() + " changes too fast; the message is delivered again");
  }

  private static Map<String, Instant> recordTime(Cluster was, String slice, Instant at) {
    var times = new HashMap<>(was.slices());
    times.put(slice, at);
    times.values().removeIf(t -> t.plus(LATE).isBefore(at));
    return times;
  }

  /**
   * Replaces a slice by others. Throws {@link InvalidInputException} if the chips do not add up.
   */
  public void reshape(UserCommand.ReshapeSlice command, Instant publishedAt) {
    change(
        command.cluster(),
        command.slice(),
        publishedAt,
        spec -> SlicePools.reshaped(spec, command));
  }

  private void change(
      String cluster, String slice, Instant at, Function<ClusterSpec, PoolSpec> change) {
    Transactions.retry(
        "cluster " + cluster,
        () -> {
          var uid = ClusterLookup.named(context.ledger(), cluster).uid();
          var storedCluster = context.ledger().read(new DocumentKey.OfCluster(uid));
          return storedCluster.isPresent() && changed(storedCluster.get(), slice, at, change);
        });
  }

  private boolean changed(
      VersionedDocument<Cluster> storedCluster,
      String slice,
      Instant at,
      Function<ClusterSpec, PoolSpec> change) {
    var was = storedCluster.value();
    var newest = Optional.ofNullable(was.slices().get(slice));
    if (was.createdAt().isAfter(at) || CommandOrder.of(newest, at) != CommandOrder.NEW) return true;
    var pool = change.apply(was.spec());
    var spec = SlicePools.with(was.spec(), pool);
    var same = was.spec().equals(spec);
    var changed = same ? was : manualEdits.changed(was, spec, was.versions());
    var next = changed.withSliceCommands(recordTime(was, slice, at));
    var eventRecord =
        context.event(was.uid(), "slice/" + slice, "requested", SlicePools.describe(pool));
    List<LedgerWrite> ledgerWrites =
        List.of(
            new LedgerWrite.Update(next, storedCluster.version()),
            new LedgerWrite.Put(eventRecord));
    if (!context.ledger().commit(ledgerWrites).done()) return false;
    TriggerSender.send(context.bus(), new Trigger.Reconcile(was.uid()));
    return true;
  }
}

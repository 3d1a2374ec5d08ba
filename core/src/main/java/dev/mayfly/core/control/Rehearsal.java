package dev.mayfly.core.control;

import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.Totals;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Committed;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Listing;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Runs {@link Cleanup} on the real world without touching it: what it would write is remembered
 * here, what it would delete is told. So a dry run decides exactly as the real one.
 */
final class Rehearsal {
  private final Ports real;
  private final Map<Key<?>, Document> written = new HashMap<>();
  private final List<CleanupView.Deletion> deletions = new ArrayList<>();
  private final List<Event> events = new ArrayList<>();

  Rehearsal(Ports real) {
    this.real = real;
  }

  CleanupView run(Rules rules) {
    var ports =
        new Ports(
            new Notes(),
            hint -> {},
            new Spared(),
            real.objects(),
            real.codec(),
            // One after another: what it notes is not made for threads.
            real.alarms()::at,
            real.schedule(),
            real.ids(),
            real.clock());
    var untouched = new Cleanup(ports, rules).sweep();
    return new CleanupView(deletions.stream().map(this::withReason).toList(), untouched);
  }

  private CleanupView.Deletion withReason(CleanupView.Deletion deletion) {
    var about = "/" + deletion.name();
    var told = events.stream().filter(e -> e.about().endsWith(about)).reduce((first, last) -> last);
    return new CleanupView.Deletion(
        deletion.kind(),
        deletion.place(),
        deletion.name(),
        told.map(Event::why).orElseGet(() -> reason(deletion.name())));
  }

  /** A worker that was over before says itself why. */
  private String reason(String worker) {
    // What cannot be read is told by the pass itself.
    return real.ledger().query(new Query.Clusters(true)).some().stream()
        .flatMap(c -> real.ledger().read(new Key.OfWorker(c.value().uid(), worker)).stream())
        .map(w -> Lives.reason(w.value().state()))
        .findFirst()
        .orElse("");
  }

  private void deletes(String kind, String place, String name) {
    deletions.add(new CleanupView.Deletion(kind, place, name, ""));
  }

  /** The fleet, of which nothing is deleted. */
  private final class Spared implements Fleet {
    @Override
    public Ordered order(Order order) {
      throw new IllegalStateException("cleanup orders no machine");
    }

    @Override
    public Optional<Progress> progress(Machine.Name name, String operation) {
      return real.fleet().progress(name, operation);
    }

    @Override
    public Optional<Machine> find(Machine.Name name) {
      return real.fleet().find(name);
    }

    @Override
    public boolean delete(Machine.Name name) {
      if (find(name).isEmpty()) return false;
      deletes(name.kind() == Machine.Kind.TPU ? "tpu" : "machine", name.zone(), name.name());
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

  /** The ledger, with what would have been written laid over it. */
  private final class Notes implements Ledger {
    @Override
    @SuppressWarnings("unchecked") // A key leads to documents of its own type only.
    public <D extends Document> Optional<Stored<D>> read(Key<D> key) {
      var stored = real.ledger().read(key);
      return written.containsKey(key)
          ? stored.map(s -> new Stored<>((D) written.get(key), s.version()))
          : stored;
    }

    @Override
    public <D extends Document> Listing<D> readAll(Collection<? extends Key<D>> keys) {
      return real.ledger().readAll(keys);
    }

    @Override
    public <D extends Document> Listing<D> query(Query<D> query) {
      return real.ledger().query(query);
    }

    @Override
    public Totals totals(Key.OfJob job) {
      return real.ledger().totals(job);
    }

    @Override
    public Committed commit(List<Write> writes) {
      var versions = new ArrayList<String>();
      for (var write : writes) {
        if (write instanceof Write.Put put && put.document() instanceof Event event)
          events.add(event);
        if (write instanceof Write.Update update && update.document() instanceof Worker worker)
          written.put(worker.key(), worker);
        versions.add("rehearsed");
      }
      return new Committed.Done(versions);
    }

    @Override
    public Watch watch(String cluster, Consumer<Pulse> listener) {
      throw new IllegalStateException("cleanup watches nothing");
    }
  }
}

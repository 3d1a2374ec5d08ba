package dev.mayfly.sim.mutant;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.LedgerQuery;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Clouds, or uses of a cloud, with a mistake. */
final class FleetMutants {
  private FleetMutants() {}

  /** Delegates everything to the real one. */
  private abstract static class Delegate implements Fleet {
    final Fleet real;

    Delegate(Fleet real) {
      this.real = real;
    }

    @Override
    public Ordered order(Order order) {
      return real.order(order);
    }

    @Override
    public Optional<Progress> progress(CloudMachine.Name name, String operation) {
      return real.progress(name, operation);
    }

    @Override
    public Optional<CloudMachine> find(CloudMachine.Name name) {
      return real.find(name);
    }

    @Override
    public boolean delete(CloudMachine.Name name) {
      return real.delete(name);
    }

    @Override
    public Inventory list() {
      return real.list();
    }
  }

  /** Deletes machines that do not appear within two minutes. */
  static final class DeletesSlowCreates extends Delegate {
    private final InstantSource clock;
    private final Map<String, Instant> asked = new TreeMap<>();

    DeletesSlowCreates(Fleet real, InstantSource clock) {
      super(real);
      this.clock = clock;
    }

    @Override
    public Optional<Progress> progress(CloudMachine.Name name, String operation) {
      var progress = real.progress(name, operation);
      if (progress.orElse(null) instanceof Progress.Pending) {
        var since = asked.computeIfAbsent(operation, o -> clock.instant());
        if (since.plus(Duration.ofMinutes(2)).isBefore(clock.instant())) real.delete(name);
      }
      return progress;
    }
  }

  /** Treats a 404 as an error. */
  static final class FailsOn404 extends Delegate {
    FailsOn404(Fleet real) {
      super(real);
    }

    @Override
    public boolean delete(CloudMachine.Name name) {
      if (!real.delete(name)) throw new DeniedException("404: " + name.name() + " was not found");
      return true;
    }

    @Override
    public Optional<CloudMachine> find(CloudMachine.Name name) {
      var found = real.find(name);
      if (found.isEmpty()) throw new DeniedException("404: " + name.name() + " was not found");
      return found;
    }
  }

  /** Forgets a machine once its deletion is accepted. */
  static final class ForgetsDeleted extends Delegate {
    private final Set<CloudMachine.Name> forgotten;

    /**
     * @param forgotten by all instances of a world: what one of them forgets, none finds again
     */
    ForgetsDeleted(Fleet real, Set<CloudMachine.Name> forgotten) {
      super(real);
      this.forgotten = forgotten;
    }

    @Override
    public boolean delete(CloudMachine.Name name) {
      var there = real.delete(name);
      if (there) forgotten.add(name);
      return there;
    }

    @Override
    public Optional<CloudMachine> find(CloudMachine.Name name) {
      return forgotten.contains(name) ? Optional.empty() : real.find(name);
    }

    @Override
    public Inventory list() {
      var all = real.list();
      return new Inventory(
          all.machines().stream().filter(m -> !forgotten.contains(m.name())).toList(),
          all.complete(),
          all.warnings());
    }
  }

  /** Takes other clusters' machines for those of our first cluster. */
  static final class WrongLabel extends Delegate {
    private final Ledger ledger;

    WrongLabel(Fleet real, Ledger ledger) {
      super(real);
      this.ledger = ledger;
    }

    @Override
    public Inventory list() {
      var all = real.list();
      var uid =
          ledger.query(new LedgerQuery.Clusters(true)).readableOnly().stream()
              .map(c -> c.value())
              .findFirst()
              .map(Cluster::uid);
      return uid.map(u ->
              new Inventory(
                  all.machines().stream().map(m -> ours(m, u)).toList(),
                  all.complete(),
                  all.warnings()))
          .orElse(all);
    }

    private static CloudMachine ours(CloudMachine m, String uid) {
      var labels = new TreeMap<>(m.labels());
      labels.put(CloudMachine.CLUSTER, uid);
      return new CloudMachine(m.name(), m.id(), m.status(), labels, m.createdAt());
    }
  }
}

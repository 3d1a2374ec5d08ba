package dev.mayfly.sim;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Machine;
import dev.mayfly.core.port.Query;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Clouds, or ways to use one, with a mistake in them. */
final class BuggyFleets {
  private BuggyFleets() {}

  /** Everything as the real one does it. */
  private abstract static class Same implements Fleet {
    final Fleet real;

    Same(Fleet real) {
      this.real = real;
    }

    @Override
    public Ordered order(Order order) {
      return real.order(order);
    }

    @Override
    public Optional<Progress> progress(Machine.Name name, String operation) {
      return real.progress(name, operation);
    }

    @Override
    public Optional<Machine> find(Machine.Name name) {
      return real.find(name);
    }

    @Override
    public boolean delete(Machine.Name name) {
      return real.delete(name);
    }

    @Override
    public Inventory list() {
      return real.list();
    }
  }

  /** Deletes what has not come after two minutes. */
  static final class Impatient extends Same {
    private final InstantSource clock;
    private final Map<String, Instant> asked = new TreeMap<>();

    Impatient(Fleet real, InstantSource clock) {
      super(real);
      this.clock = clock;
    }

    @Override
    public Optional<Progress> progress(Machine.Name name, String operation) {
      var progress = real.progress(name, operation);
      if (progress.orElse(null) instanceof Progress.Pending) {
        var since = asked.computeIfAbsent(operation, o -> clock.instant());
        if (since.plus(Duration.ofMinutes(2)).isBefore(clock.instant())) real.delete(name);
      }
      return progress;
    }
  }

  /** A 404 is an error. */
  static final class Strict extends Same {
    Strict(Fleet real) {
      super(real);
    }

    @Override
    public boolean delete(Machine.Name name) {
      if (!real.delete(name)) throw new Denied("404: " + name.name() + " was not found");
      return true;
    }

    @Override
    public Optional<Machine> find(Machine.Name name) {
      var found = real.find(name);
      if (found.isEmpty()) throw new Denied("404: " + name.name() + " was not found");
      return found;
    }
  }

  /** A machine whose deletion was taken on is forgotten. */
  static final class Forgetful extends Same {
    private final Set<Machine.Name> forgotten = new HashSet<>();

    Forgetful(Fleet real) {
      super(real);
    }

    @Override
    public boolean delete(Machine.Name name) {
      var there = real.delete(name);
      if (there) forgotten.add(name);
      return there;
    }

    @Override
    public Optional<Machine> find(Machine.Name name) {
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

  /** Takes the machines of other clusters for those of the first of ours. */
  static final class Greedy extends Same {
    private final Ledger ledger;

    Greedy(Fleet real, Ledger ledger) {
      super(real);
      this.ledger = ledger;
    }

    @Override
    public Inventory list() {
      var all = real.list();
      var uid =
          ledger.query(new Query.Clusters(true)).some().stream()
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

    private static Machine ours(Machine m, String uid) {
      var labels = new TreeMap<>(m.labels());
      labels.put(Machine.CLUSTER, uid);
      return new Machine(m.name(), m.id(), m.status(), labels, m.createdAt());
    }
  }
}

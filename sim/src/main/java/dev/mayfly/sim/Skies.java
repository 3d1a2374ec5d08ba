package dev.mayfly.sim;

import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.model.Key;
import dev.mayfly.sim.fake.Fault;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which parts of the world are there now, and which may be used. */
final class Skies {
  /** What those say that may not be used. */
  static final String DENIED = "the account has no right to it; grant it";

  /** By pool, what its machines lack so that they can run no task. */
  final Map<String, String> lacks = new TreeMap<>();

  /**
   * What cannot be read until somebody mends it, storm or not.
   *
   * @param cluster the uid of the cluster that it is of
   */
  private record Broken(String cluster, Key<?> key) {}

  private Optional<Broken> broken = Optional.empty();
  boolean ledger = true;
  boolean objects = true;
  boolean control = true;
  boolean ticks = true;
  boolean fleet = true;
  private final Set<Fault> denied = EnumSet.noneOf(Fault.class);

  /** Whether the control plane is there, and has a ledger that it can read and write. */
  boolean serving() {
    return control
        && ledger
        && ticks
        && fleet
        && !denied.contains(Fault.LEDGER_DENIED)
        && broken.isEmpty();
  }

  void deny(Fault fault) {
    denied.add(fault);
  }

  void grant(Fault fault) {
    denied.remove(fault);
  }

  /** All but the control plane, which begins anew, and what stays broken. */
  void clear() {
    ledger = true;
    objects = true;
    ticks = true;
    fleet = true;
    denied.clear();
  }

  void breaks(World world, String cluster, Key<?> key) {
    broken = Optional.of(new Broken(cluster, key));
    world.ledger().spoil(key);
    world.truth().disturbed(cluster, true);
  }

  /** Everything was mended but this. */
  void stillBroken(World world) {
    broken.ifPresent(b -> world.ledger().spoil(b.key));
  }

  /** The cluster of what is broken. */
  Optional<String> broken() {
    return broken.map(Broken::cluster);
  }

  void mends(World world) {
    broken.ifPresent(b -> {
      world.ledger().mend(b.key);
      world.truth().disturbed(b.cluster, false);
    });
    broken = Optional.empty();
  }

  void checkLedger() {
    if (denied.contains(Fault.LEDGER_DENIED)) throw new MissingPermission("ledger: " + DENIED);
  }

  void checkObjects() {
    if (denied.contains(Fault.OBJECTS_DENIED))
      throw MissingPermission.at("gs://lab-bucket", "gs://lab-bucket: " + DENIED);
  }
}

package dev.mayfly.sim.world;

import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.sim.fault.Fault;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which parts of the world are there now, and which may be used. */
public final class Outages {
  /** What those say that may not be used. */
  static final String DENIED = "the account has no right to it; grant it";

  /** By pool, what its machines lack so that they can run no task. */
  public final Map<String, String> lacks = new TreeMap<>();

  /**
   * What cannot be read until somebody mends it, storm or not.
   *
   * @param cluster the uid of the cluster that it is of
   */
  private record Broken(String cluster, DocumentKey<?> key) {}

  private Optional<Broken> broken = Optional.empty();
  public boolean ledger = true;
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

  void spoil(World world, String cluster, DocumentKey<?> documentKey) {
    broken = Optional.of(new Broken(cluster, documentKey));
    world.ledger().spoil(documentKey);
    world.truth().disturbed(cluster, true);
  }

  /** Everything was mended but this. */
  void stillBroken(World world) {
    broken.ifPresent(b -> world.ledger().spoil(b.key));
  }

  /** The cluster of what is broken. */
  public Optional<String> broken() {
    return broken.map(Broken::cluster);
  }

  public void mend(World world) {
    broken.ifPresent(b -> {
      world.ledger().mend(b.key);
      world.truth().disturbed(b.cluster, false);
    });
    broken = Optional.empty();
  }

  void checkLedger() {
    if (denied.contains(Fault.LEDGER_DENIED))
      throw new MissingPermissionException("ledger: " + DENIED);
  }

  void checkObjects() {
    if (denied.contains(Fault.OBJECTS_DENIED))
      throw MissingPermissionException.at("gs://lab-bucket", "gs://lab-bucket: " + DENIED);
  }
}

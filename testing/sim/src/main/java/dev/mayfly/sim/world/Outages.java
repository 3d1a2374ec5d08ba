package dev.mayfly.sim.world;

import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.sim.fault.Fault;
import java.util.EnumSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** The parts of the world that are away or denied. */
public final class Outages {
  /** The message of a denied part. */
  static final String DENIED = "the account has no right to it; grant it";

  /** By pool, the problem for which its machines are unfit. */
  public final Map<String, String> lacks = new TreeMap<>();

  /**
   * A document that stays unreadable beyond the storm.
   *
   * @param cluster the uid of its cluster
   */
  private record Broken(String cluster, DocumentKey<?> key) {}

  private Optional<Broken> broken = Optional.empty();
  public boolean ledger = true;
  boolean objects = true;
  boolean control = true;
  boolean ticks = true;
  boolean fleet = true;
  private final Set<Fault> denied = EnumSet.noneOf(Fault.class);

  /** Whether the control plane runs and can read and write the ledger. */
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

  /** Ends all outages but the control plane's, which restarts, and the long unreadable document. */
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

  /** Makes the long unreadable document unreadable again, after all were repaired. */
  void stillBroken(World world) {
    broken.ifPresent(b -> world.ledger().spoil(b.key));
  }

  /** The cluster of the long unreadable document. */
  public Optional<String> broken() {
    return broken.map(Broken::cluster);
  }

  /** Whether the long unreadable document is an event. */
  public boolean isEventBroken() {
    return broken.filter(b -> b.key instanceof DocumentKey.OfEventRecord).isPresent();
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

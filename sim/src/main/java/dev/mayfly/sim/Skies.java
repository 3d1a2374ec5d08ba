package dev.mayfly.sim;

import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.sim.fake.Fault;
import java.util.EnumSet;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** Which parts of the world are there now, and which may be used. */
final class Skies {
  /** What those say that may not be used. */
  static final String DENIED = "the account has no right to it; grant it";

  /** By pool, what its machines lack so that they can run no task. */
  final Map<String, String> lacks = new TreeMap<>();

  boolean ledger = true;
  boolean objects = true;
  boolean control = true;
  private final Set<Fault> denied = EnumSet.noneOf(Fault.class);

  void deny(Fault fault) {
    denied.add(fault);
  }

  void grant(Fault fault) {
    denied.remove(fault);
  }

  /** All but the control plane, which begins anew. */
  void clear() {
    ledger = true;
    objects = true;
    denied.clear();
  }

  void checkLedger() {
    if (denied.contains(Fault.LEDGER_DENIED)) throw new MissingPermission("ledger: " + DENIED);
  }

  void checkObjects() {
    if (denied.contains(Fault.OBJECTS_DENIED))
      throw MissingPermission.at("gs://lab-bucket", "gs://lab-bucket: " + DENIED);
  }
}

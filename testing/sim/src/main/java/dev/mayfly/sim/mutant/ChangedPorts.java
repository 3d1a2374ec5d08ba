package dev.mayfly.sim.mutant;

import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.state.Context;
import dev.mayfly.sim.control.ControlPlaneEntry;
import java.util.function.BiFunction;

/** Control planes whose ports have a mistake. */
final class ChangedPorts {
  private ChangedPorts() {}

  static ControlPlaneEntry.Maker withLedger(
      ControlPlaneEntry.Maker maker, BiFunction<Ledger, Context, Ledger> change) {
    return (p, name) -> maker.make(p.with(change.apply(p.ledger(), p)), name);
  }

  static ControlPlaneEntry.Maker withFleet(
      ControlPlaneEntry.Maker maker, BiFunction<Fleet, Context, Fleet> change) {
    return (p, name) -> maker.make(p.with(change.apply(p.fleet(), p)), name);
  }
}

package dev.mayfly.core.plan.budget;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Workers whose machines have a price. */
final class PricedWorkers {
  static final Instant NOW = Instant.parse("2026-11-15T00:00:00Z");
  static final Resources ONE = Resources.cpu(1, 8L << 30);

  private PricedWorkers() {}

  /**
   * @param usdPerHour empty if it is not known
   */
  static Worker worker(
      String name, String pool, WorkerState state, Provisioning how, Optional<Double> usdPerHour) {
    return new Worker(
        "c",
        name,
        pool,
        "z-a",
        "n2-standard-2",
        state,
        1,
        1,
        "",
        Optional.empty(),
        ONE,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        1,
        NOW,
        Optional.empty(),
        Optional.empty(),
        how,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.of(MachineUsage.from(usdPerHour, NOW)),
        Optional.empty(),
        Optional.empty());
  }
}

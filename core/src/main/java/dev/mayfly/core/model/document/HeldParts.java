package dev.mayfly.core.model.document;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.worker.MachineUsage.Part;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * How much of a machine its leases take. What runs of a lease is known once its agent's report was
 * stored; of the others as many tasks run as fit beside those, in the order of their grants. A
 * lease that waits for room on the machine takes nothing of it.
 */
final class HeldParts {
  private HeldParts() {}

  /** One part for each, in their order: the dominant share of its tasks, of a gang's all. */
  static List<Part> of(List<Worker.Held> leases, Resources machine) {
    var free = FreeResources.of(machine);
    for (var lease : leases) if (isKnown(lease)) free = free.without(lease.need(), lease.atOnce());
    var parts = new ArrayList<Part>();
    for (var lease : leases) {
      var tasks = lease.atOnce();
      if (!isKnown(lease)) {
        tasks = Math.clamp(free.slots(lease.need()), 0, tasks);
        free = free.without(lease.need(), tasks);
      }
      var share = lease.gang() ? 1 : Math.min(1, lease.need().times(tasks).dominantShare(machine));
      parts.add(new Part(Purpose.TASKS, Optional.of(lease.job()), share));
    }
    return parts;
  }

  private static boolean isKnown(Worker.Held lease) {
    return lease.gang() || !lease.running().isEmpty();
  }
}

package dev.mayfly.core.model.worker;

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
public final class HeldParts {
  private HeldParts() {}

  /**
   * A lease.
   *
   * @param need of one task
   * @param atOnce how many of its tasks run if there is room
   * @param known whether these are known to run
   */
  public record Lease(String job, Resources need, long atOnce, boolean known, boolean gang) {}

  /** How many tasks of each run, in their order. */
  public static List<Long> tasks(List<Lease> leases, Resources machine) {
    var free = FreeResources.of(machine);
    for (var lease : leases) if (lease.known()) free = free.without(lease.need(), lease.atOnce());
    var all = new ArrayList<Long>();
    for (var lease : leases) {
      var tasks = lease.atOnce();
      if (!lease.known()) {
        tasks = Math.clamp(free.slots(lease.need()), 0, tasks);
        free = free.without(lease.need(), tasks);
      }
      all.add(tasks);
    }
    return all;
  }

  /** One part for each, in their order: the dominant share of its tasks, of a gang's all. */
  public static List<Part> of(List<Lease> leases, Resources machine) {
    var tasks = tasks(leases, machine);
    var parts = new ArrayList<Part>();
    for (var i = 0; i < leases.size(); i++) {
      var lease = leases.get(i);
      var its = lease.need().times(tasks.get(i));
      var share = lease.gang() ? 1 : Math.min(1, its.dominantShare(machine));
      parts.add(new Part(Purpose.TASKS, Optional.of(lease.job()), share));
    }
    return parts;
  }
}

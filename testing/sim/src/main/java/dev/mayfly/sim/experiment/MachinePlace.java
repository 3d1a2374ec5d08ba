package dev.mayfly.sim.experiment;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.sim.fake.SimMachine;
import java.util.ArrayList;
import java.util.List;

/** The machines of a pool in a zone. */
record MachinePlace(PoolSpec pool, String zone) {
  /**
   * Those of the experiment's cluster as it is meant at any time, but for people's own machines.
   */
  static List<MachinePlace> all(Experiment experiment) {
    var all = new ArrayList<MachinePlace>();
    for (var cluster : experiment.clusters())
      for (var pool : cluster.pools())
        for (var zone : pool.zones())
          if (pool.provisioning() != Provisioning.STATIC
              && all.stream().noneMatch(it -> it.is(pool.name(), zone)))
            all.add(new MachinePlace(pool, zone));
    return List.copyOf(all);
  }

  private boolean is(String poolName, String zoneName) {
    return pool.name().equals(poolName) && zone.equals(zoneName);
  }

  boolean has(SimMachine machine) {
    return is(machine.labels().getOrDefault(CloudMachine.POOL, ""), machine.name().zone());
  }
}

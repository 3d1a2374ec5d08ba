package dev.mayfly.sim.experiment;

import dev.mayfly.sim.fake.SimMachine;
import java.time.Instant;
import java.util.List;
import java.util.TreeMap;

/** How many machines ran or started at once, whoever looked when. */
final class MachinesAtOnce {
  private MachinesAtOnce() {}

  /**
   * The most of a place, not fewer than anybody saw, who counts those too that are being deleted.
   *
   * @param place its index in the samples
   */
  static int most(List<SimMachine> machines, List<ExperimentResult.Sample> samples, int place) {
    var seen = samples.stream().mapToInt(it -> it.machines().get(place)).max().orElse(0);
    return Math.max(seen, most(machines));
  }

  /** The most of them; of two at one moment, of which one goes and one comes, one counts. */
  private static int most(List<SimMachine> machines) {
    var changes = new TreeMap<Instant, Integer>();
    for (var machine : machines) {
      changes.merge(machine.createdAt(), 1, Integer::sum);
      machine.leftAt().ifPresent(left -> changes.merge(left, -1, Integer::sum));
    }
    var now = 0;
    var most = 0;
    for (var change : changes.values()) {
      now += change;
      most = Math.max(most, now);
    }
    return most;
  }
}

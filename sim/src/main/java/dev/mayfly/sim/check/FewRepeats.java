package dev.mayfly.sim.check;

import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.sim.fake.SimLedger;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * I8: once nothing goes wrong any more, a task begins no oftener than its user lets it fail, and a
 * few times more for what the storm has left behind; and no pool buys machines again and again.
 * Always: no pool has more workers than its maximum, those on their way counted.
 */
final class FewRepeats implements Check {
  /** A lease or a machine that the storm had spoiled, a drain, and one who had to give way. */
  private static final int LEFTOVERS = 4;

  private final Truth truth;
  private final Map<String, Integer> begun = new HashMap<>();
  private final Map<String, Integer> bought = new HashMap<>();
  private final Map<String, Integer> failures = new HashMap<>();
  private boolean calm;

  FewRepeats(Truth truth) {
    this.truth = truth;
  }

  /** From now on nothing goes wrong. */
  void calm() {
    calm = true;
  }

  @Override
  public void began(Proc process) {
    if (!calm) return;
    var times = begun.merge(process.task(), 1, Integer::sum);
    var allowed = failures.computeIfAbsent(process.attempt().lease().job(), this::failures);
    if (times > (allowed + LEFTOVERS) * process.hosts())
      throw new Violation("I8", process + " is the start number " + times + " since the storm");
  }

  private int failures(String uid) {
    return truth.all(Job.class).stream()
        .filter(j -> j.uid().equals(uid))
        .mapToInt(j -> j.spec().retries().failures())
        .sum();
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    for (var change : batch)
      if (change.before().isEmpty()
          && change.after().orElse(null) instanceof Worker worker
          && worker.provisioning() != Provisioning.STATIC) launched(worker);
  }

  private void launched(Worker worker) {
    var most = max(worker);
    var live =
        truth.all(Worker.class).stream()
            .filter(w -> w.cluster().equals(worker.cluster()) && w.pool().equals(worker.pool()))
            .filter(w -> w.state().live() || w.state() instanceof WorkerState.Draining)
            .count();
    if (live > most)
      throw new Violation(
          "I8", "pool %s may have %d workers and has %d".formatted(worker.pool(), most, live));
    if (!calm) return;
    var times = bought.merge(worker.cluster() + "/" + worker.pool(), 1, Integer::sum);
    if (times > most * LEFTOVERS + LEFTOVERS)
      throw new Violation(
          "I8", worker + " is the machine number " + times + " of its pool since the storm");
  }

  private int max(Worker worker) {
    return truth
        .cluster(worker.cluster())
        .flatMap(c -> c.spec().pool(worker.pool()))
        .map(PoolSpec::max)
        .orElse(0);
  }
}

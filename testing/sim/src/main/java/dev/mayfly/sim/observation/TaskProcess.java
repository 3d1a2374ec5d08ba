package dev.mayfly.sim.observation;

import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.Resources;
import java.util.List;

/**
 * A task's process on a machine, in its true state.
 *
 * @param host the host's index in the worker's slice; 0 for a single machine
 * @param hosts the number of hosts that run the task together
 * @param gpus indexes of the devices that it uses
 * @param meeting where the ranks of a gang find rank 0, as this one was told; empty without a gang
 */
public record TaskProcess(
    String worker,
    int host,
    int hosts,
    TaskAttempt attempt,
    Resources need,
    List<Integer> gpus,
    boolean exclusive,
    String meeting) {
  public TaskProcess {
    gpus = List.copyOf(gpus);
  }

  public boolean gang() {
    return hosts > 1;
  }

  public boolean sameHost(TaskProcess other) {
    return worker.equals(other.worker) && host == other.host;
  }

  /** The machine and the host's index. */
  public String place() {
    return worker + "/" + host;
  }

  public String task() {
    return attempt.lease().job() + "/" + attempt.index();
  }

  @Override
  public String toString() {
    return attempt + " on " + worker + (host == 0 ? "" : "/" + host);
  }
}

package dev.mayfly.sim.observation;

import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.Resources;
import java.util.List;

/**
 * A task's process on a machine, as it truly is.
 *
 * @param host which host of the worker's slice; 0 for a machine of its own
 * @param hosts how many hosts run the task together
 * @param gpus the devices that it uses, by index
 */
public record TaskProcess(
    String worker,
    int host,
    int hosts,
    TaskAttempt attempt,
    Resources need,
    List<Integer> gpus,
    boolean exclusive) {
  public TaskProcess {
    gpus = List.copyOf(gpus);
  }

  public boolean gang() {
    return hosts > 1;
  }

  public boolean sameHost(TaskProcess other) {
    return worker.equals(other.worker) && host == other.host;
  }

  /** The machine, and which of its hosts. */
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

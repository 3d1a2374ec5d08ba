package dev.mayfly.core.query.estimate;

import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.LaunchedFor;
import dev.mayfly.core.model.worker.WorkerState;
import java.time.Duration;
import java.time.Instant;
import java.util.Collections;
import java.util.List;

/**
 * The machines of a job's cluster: those that run its tasks, and those that come for it.
 *
 * @param all those that are not gone
 */
record JobMachines(Job job, List<Worker> all) {
  private static final double MILLIS = 1_000;

  private List<Worker> holding() {
    return all.stream()
        .filter(it -> it.held().stream().anyMatch(held -> held.job().equals(job.uid())))
        .toList();
  }

  /**
   * How many of its tasks end when one machine is lost.
   *
   * @param running how many run
   */
  double together(int running) {
    return (double) running / Math.max(1, holding().size());
  }

  /** Whether the cloud may take them at any time. */
  boolean areSpot() {
    return holding().stream().anyMatch(it -> it.provisioning() == Provisioning.SPOT);
  }

  /** Seconds from the order of a machine to its first report: the median of those there are. */
  double replacing() {
    var times =
        all.stream()
            .flatMap(it -> it.firstSyncAt().map(at -> seconds(it.createdAt(), at)).stream())
            .sorted()
            .toList();
    return times.isEmpty() ? 0 : Math.max(0, times.get(times.size() / 2));
  }

  /**
   * In how many seconds places of its tasks run whose machines are on their way; nothing of those
   * that wait in a queue of the cloud.
   *
   * @param each how many places a machine has
   */
  List<Double> coming(double each, Instant now) {
    var usual = replacing();
    return all.stream()
        .filter(it -> it.launchedFor().filter(this::isIt).isPresent() && isComing(it.state()))
        .map(it -> Math.max(usual / 4, usual - seconds(it.createdAt(), now)))
        .flatMap(left -> Collections.nCopies((int) Math.max(1, Math.round(each)), left).stream())
        .toList();
  }

  private boolean isIt(LaunchedFor launchedFor) {
    return launchedFor.job().equals(job.spec().name())
        && launchedFor.owner().equals(job.spec().owner());
  }

  private static boolean isComing(WorkerState state) {
    return state instanceof WorkerState.Launching
        || (state instanceof WorkerState.Booting booting && booting.queue().isEmpty());
  }

  private static double seconds(Instant from, Instant to) {
    return Duration.between(from, to).toMillis() / MILLIS;
  }
}

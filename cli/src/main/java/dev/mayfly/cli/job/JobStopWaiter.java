package dev.mayfly.cli.job;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Waits until a stopped job holds no leases. A lease returns only after its agent confirmed that
 * the processes are gone, or after the machine is gone, so no lease means no process.
 */
record JobStopWaiter(ApiClient api, ConditionPoller waiting) {
  private static final Duration MAX_PAUSE = Duration.ofMillis(500);

  /**
   * The result of waiting.
   *
   * @param left a phrase for each remaining holder of a lease; empty when none is left
   */
  public record Result(JobStatus job, List<String> left) {}

  /**
   * @param messages receives a line whenever the remaining holders change
   */
  public Result await(JobStatus stopped, Duration limit, Consumer<String> messages) {
    var last = new String[] {""};
    var over =
        waiting.until(
            limit,
            MAX_PAUSE,
            () -> {
              var now = poll(stopped);
              var line = String.join("; ", now.left());
              if (!line.isEmpty() && !line.equals(last[0])) messages.accept("  remaining: " + line);
              last[0] = line;
              return Optional.of(now).filter(r -> r.left().isEmpty());
            });
    return over.orElseGet(() -> poll(stopped));
  }

  private Result poll(JobStatus stopped) {
    var job = api.job(stopped.cluster(), stopped.uid());
    var holders =
        api.workers(stopped.cluster(), false).stream()
            .filter(w -> w.leases().stream().anyMatch(l -> l.job().equals(job.uid())))
            .map(w -> holder(w, job))
            .toList();
    if (!holders.isEmpty() || job.endedAt().isPresent()) return new Result(job, holders);
    return new Result(job, List.of("the job is " + job.state()));
  }

  private static String holder(WorkerStatus worker, JobStatus job) {
    var tasks =
        worker.leases().stream()
            .filter(l -> l.job().equals(job.uid()))
            .mapToLong(l -> l.end() - l.start() - l.done())
            .sum();
    return "worker %s (%s) with %s"
        .formatted(worker.name(), worker.state(), HumanFormat.count(tasks, "task"));
  }
}

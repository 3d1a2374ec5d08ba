package dev.mayfly.cli.flow;

import dev.mayfly.cli.reach.Api;
import dev.mayfly.cli.show.Words;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.control.WorkerView;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Waits until a stopped job holds nothing any more. A lease comes back only when its agent
 * confirmed that the processes are gone, or when the machine is: so no lease means no process.
 */
public record Stopping(Api api, Waiting waiting) {
  private static final Duration EVERY = Duration.ofMillis(500);

  /**
   * How it ended.
   *
   * @param left what still holds a part of the job, a phrase each; empty when all is over
   */
  public record Result(JobView job, List<String> left) {}

  /**
   * @param tell gets a line whenever what is left changes
   */
  public Result await(JobView stopped, Duration limit, Consumer<String> tell) {
    var told = new String[] {""};
    var over =
        waiting.until(
            limit,
            EVERY,
            () -> {
              var now = look(stopped);
              var line = String.join("; ", now.left());
              if (!line.isEmpty() && !line.equals(told[0])) tell.accept("  still there: " + line);
              told[0] = line;
              return Optional.of(now).filter(r -> r.left().isEmpty());
            });
    return over.orElseGet(() -> look(stopped));
  }

  private Result look(JobView stopped) {
    var job = api.job(stopped.cluster(), stopped.uid());
    var holders =
        api.workers(stopped.cluster(), false).stream()
            .filter(w -> w.leases().stream().anyMatch(l -> l.job().equals(job.uid())))
            .map(w -> holder(w, job))
            .toList();
    if (!holders.isEmpty() || job.endedAt().isPresent()) return new Result(job, holders);
    return new Result(job, List.of("the job is " + job.state()));
  }

  private static String holder(WorkerView worker, JobView job) {
    var tasks =
        worker.leases().stream()
            .filter(l -> l.job().equals(job.uid()))
            .mapToLong(l -> l.end() - l.start() - l.done())
            .sum();
    return "worker %s (%s) with %s"
        .formatted(worker.name(), worker.state(), Words.count(tasks, "task"));
  }
}

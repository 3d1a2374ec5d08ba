package dev.mayfly.cli.client;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** How long an ended job waited for machines before its first task began, and why. */
final class JobWait {
  /** What is shorter than this is a machine's boot. */
  private static final Duration LEAST = Duration.ofSeconds(10);

  /** So many attempts are kept in a job's answer. */
  private static final int MOST_FAILURES = 50;

  private JobWait() {}

  /**
   * Empty if it did not wait, or has not ended: then its reasons say it.
   *
   * @param done tasks of it that are done
   */
  static Optional<String> of(ApiClient api, JobStatus job, List<TaskStatus> done) {
    if (job.endedAt().isEmpty()) return Optional.empty();
    var from = job.mayRunSince().orElse(job.acceptedAt());
    return first(job, done, from)
        .filter(begun -> Duration.between(from, begun).compareTo(LEAST) >= 0)
        .map(begun ->
            "waited: %s before its first task began%s"
                .formatted(HumanDuration.between(from, begun), why(api, job, begun)));
  }

  /** Its first attempt since then; empty if of one it is not known when it began. */
  private static Optional<Instant> first(JobStatus job, List<TaskStatus> done, Instant from) {
    var ofTasks = done.stream().filter(task -> !task.doneBefore()).map(TaskStatus::startedAt);
    var ofFailures = job.failures().stream().map(AttemptFailure::startedAt);
    var all = Stream.concat(ofTasks, ofFailures).toList();
    var isPart = done.size() < job.totals().done() || job.failures().size() >= MOST_FAILURES;
    if (isPart || all.stream().anyMatch(Optional::isEmpty)) return Optional.empty();
    return all.stream()
        .flatMap(Optional::stream)
        .filter(at -> !at.isBefore(from))
        .min(Comparator.naturalOrder());
  }

  /** The newest order that was refused until then. */
  private static String why(ApiClient api, JobStatus job, Instant begun) {
    return api.explain(job.cluster(), job.uid()).events().stream()
        .filter(event -> event.what().equals("refused") && event.at().isBefore(begun))
        .findFirst()
        .map(event -> ", for a machine: the cloud refused " + event.why())
        .orElse("");
  }
}

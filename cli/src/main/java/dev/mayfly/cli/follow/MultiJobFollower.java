package dev.mayfly.cli.follow;

import dev.mayfly.cli.client.PollPauses;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.core.query.JobStatus;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Follows several jobs at once, each until it has ended.
 *
 * @param shown whether a person sees their progress
 */
record MultiJobFollower(CliContext cliContext, boolean shown, Supplier<ProgressDisplay> progress) {
  private record Watched(JobFollower following, ProgressDisplay progress) {}

  /**
   * Waits for the end of the jobs and returns them in the given order.
   *
   * @param onEnd receives each job when it ends
   */
  public List<JobStatus> follow(List<JobStatus> jobs, Consumer<JobStatus> onEnd) {
    var open = new LinkedHashMap<JobStatus, Watched>();
    for (var job : jobs) {
      var display = progress.get();
      var follower = new JobFollower(cliContext.api(), cliContext.poller(), display);
      open.put(job, new Watched(shown ? follower.lookingOn(cliContext) : follower, display));
    }
    var ended = new LinkedHashMap<JobStatus, JobStatus>();
    var pauses = new PollPauses(JobFollower.MAX_PAUSE);
    while (true) {
      for (var job : List.copyOf(open.keySet())) {
        var end = poll(job, open);
        end.ifPresent(e -> ended.put(job, e));
        end.ifPresent(onEnd);
      }
      if (open.isEmpty()) return inOrder(jobs, ended);
      cliContext.poller().sleeper().sleep(pauses.next());
    }
  }

  /** The job if it has ended; it is then no longer polled. */
  private static Optional<JobStatus> poll(JobStatus job, Map<JobStatus, Watched> open) {
    var watched = open.get(job);
    if (watched == null) return Optional.empty();
    var end = watched.following().poll(job.cluster(), job.uid());
    if (end.isPresent()) {
      watched.progress().close();
      open.remove(job);
    }
    return end;
  }

  private static List<JobStatus> inOrder(List<JobStatus> jobs, Map<JobStatus, JobStatus> ended) {
    var all = new ArrayList<JobStatus>();
    for (var job : jobs) all.add(ended.getOrDefault(job, job));
    return all;
  }
}

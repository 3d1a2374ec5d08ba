package dev.mayfly.cli.flow;

import dev.mayfly.cli.reach.Api;
import dev.mayfly.cli.show.Progress;
import dev.mayfly.core.control.JobView;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** Watches several jobs at once, each until it has ended. */
public record FollowingAll(Api api, Waiting waiting, Supplier<Progress> progress) {
  private record Watched(Following following, Progress progress) {}

  /**
   * The jobs as they ended, in the order that they were given in.
   *
   * @param onEnd gets each when it ends: the first to end comes first
   */
  public List<JobView> follow(List<JobView> jobs, Consumer<JobView> onEnd) {
    var open = new LinkedHashMap<JobView, Watched>();
    for (var job : jobs) {
      var shown = progress.get();
      open.put(job, new Watched(new Following(api, waiting, shown), shown));
    }
    var ended = new LinkedHashMap<JobView, JobView>();
    while (true) {
      for (var job : List.copyOf(open.keySet())) {
        var end = look(job, open);
        end.ifPresent(e -> ended.put(job, e));
        end.ifPresent(onEnd);
      }
      if (open.isEmpty()) return inOrder(jobs, ended);
      waiting.pause().pause(Following.EVERY);
    }
  }

  /** The job if it has ended now, which is then watched no more. */
  private static Optional<JobView> look(JobView job, Map<JobView, Watched> open) {
    var watched = open.get(job);
    if (watched == null) return Optional.empty();
    var end = watched.following().look(job.cluster(), job.uid());
    if (end.isPresent()) {
      watched.progress().close();
      open.remove(job);
    }
    return end;
  }

  private static List<JobView> inOrder(List<JobView> jobs, Map<JobView, JobView> ended) {
    var all = new ArrayList<JobView>();
    for (var job : jobs) all.add(ended.getOrDefault(job, job));
    return all;
  }
}

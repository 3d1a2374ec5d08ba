package dev.mayfly.cli.page;

import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.PredecessorStatus;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;

/** Finds the jobs before and after a job over any number of steps, as the page does. */
final class JobNeighbours {
  /** How many jobs before it are read that are not listed. */
  static final int MOST_OLDER = 20;

  private final Map<String, JobStatus> known = new LinkedHashMap<>();
  private final Set<String> gone = new LinkedHashSet<>();
  private final Function<String, Optional<JobStatus>> reader;

  private JobNeighbours(List<JobStatus> listed, Function<String, Optional<JobStatus>> reader) {
    listed.forEach(it -> known.put(it.uid(), it));
    this.reader = reader;
  }

  /**
   * @param listed the newest jobs of the cluster
   * @param reader reads a job by its uid; empty if there is none
   */
  static List<ExportedJob.Neighbour> of(
      JobStatus job, List<JobStatus> listed, Function<String, Optional<JobStatus>> reader) {
    var neighbours = new JobNeighbours(listed, reader);
    neighbours.known.put(job.uid(), job);
    var reached = new LinkedHashSet<>(neighbours.before(job));
    reached.addAll(neighbours.after(job));
    reached.remove(job.uid());
    return Stream.concat(
            neighbours.known.values().stream()
                .filter(it -> reached.contains(it.uid()))
                .map(ExportedJob.Neighbour::of),
            neighbours.gone.stream().map(ExportedJob.Neighbour::gone))
        .toList();
  }

  private Set<String> before(JobStatus job) {
    var reads = new int[] {MOST_OLDER};
    return reached(
        job.uid(),
        uid -> {
          if (!known.containsKey(uid) && !gone.contains(uid) && reads[0]-- > 0)
            reader.apply(uid).ifPresentOrElse(it -> known.put(uid, it), () -> gone.add(uid));
          return predecessors(uid);
        });
  }

  private Set<String> after(JobStatus job) {
    var successors = new LinkedHashMap<String, List<String>>();
    for (var it : known.values())
      for (var uid : predecessors(it.uid()))
        successors.computeIfAbsent(uid, _ -> new ArrayList<>()).add(it.uid());
    return reached(job.uid(), uid -> successors.getOrDefault(uid, List.of()));
  }

  private List<String> predecessors(String uid) {
    var job = known.get(uid);
    return job == null
        ? List.of()
        : job.after().stream().map(PredecessorStatus::uid).flatMap(Optional::stream).toList();
  }

  /** Nearest first. */
  private static Set<String> reached(String start, Function<String, List<String>> next) {
    var found = new LinkedHashSet<>(List.of(start));
    var open = new ArrayDeque<>(found);
    while (!open.isEmpty())
      for (var uid : next.apply(open.remove())) if (found.add(uid)) open.add(uid);
    return found;
  }
}

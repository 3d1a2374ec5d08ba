package dev.mayfly.sim.observation;

import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** On which workers the attempts of each job began. */
public final class AttemptPlaces {
  private final Map<String, Set<String>> jobs = new TreeMap<>();
  private final Map<String, Map<String, Set<String>>> gangs = new TreeMap<>();

  /** A process of an attempt began. */
  public void began(TaskProcess process) {
    var job = process.attempt().lease().job();
    jobs.computeIfAbsent(job, _ -> new TreeSet<>()).add(process.worker());
    if (process.gang())
      gangs
          .computeIfAbsent(job, _ -> new TreeMap<>())
          .computeIfAbsent(process.meeting() + process.task(), _ -> new TreeSet<>())
          .add(process.worker());
  }

  /** All workers on which attempts of the job began. */
  public Set<String> workers(String job) {
    return jobs.getOrDefault(job, Set.of());
  }

  /** The workers of each run of the job's gangs. */
  public Iterable<Set<String>> gangs(String job) {
    return gangs.getOrDefault(job, Map.of()).values();
  }
}

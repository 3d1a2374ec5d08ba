package dev.mayfly.core.jobs;

import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.port.ObjectInfo;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/**
 * How the tasks of one outcome object ended, which its metadata repeats.
 *
 * @param earlier done tasks whose sentinel another job made
 */
public record OutcomeCounts(Map<TaskOutcome.Result, Long> results, long earlier) {
  private static final String EARLIER = "mayfly-done-before";

  static OutcomeCounts of(String job, List<TaskOutcome> lines) {
    var results = new EnumMap<TaskOutcome.Result, Long>(TaskOutcome.Result.class);
    lines.forEach(l -> results.merge(l.result(), 1L, Long::sum));
    var earlier =
        lines.stream()
            .filter(l -> l.result() == TaskOutcome.Result.DONE)
            .filter(l -> l.by().filter(by -> !by.startsWith(job + "/")).isPresent())
            .count();
    return new OutcomeCounts(results, earlier);
  }

  public static OutcomeCounts of(ObjectInfo info) {
    var results = new EnumMap<TaskOutcome.Result, Long>(TaskOutcome.Result.class);
    for (var result : TaskOutcome.Result.values()) {
      var n = info.metadata().get(name(result));
      if (n != null) results.put(result, Long.parseLong(n));
    }
    return new OutcomeCounts(results, Long.parseLong(info.metadata().getOrDefault(EARLIER, "0")));
  }

  long of(TaskOutcome.Result result) {
    return results.getOrDefault(result, 0L);
  }

  Map<String, String> metadata() {
    var metadata = new TreeMap<String, String>();
    results.forEach((result, n) -> metadata.put(name(result), Long.toString(n)));
    if (earlier > 0) metadata.put(EARLIER, Long.toString(earlier));
    return metadata;
  }

  private static String name(TaskOutcome.Result result) {
    return "mayfly-" + result.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

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
 * @param adopted done tasks of this job whose sentinel was made for an attempt that could not make
 *     it
 */
public record OutcomeCounts(Map<TaskOutcome.Result, Long> results, long earlier, long adopted) {
  private static final String EARLIER = "mayfly-done-before";
  private static final String ADOPTED = "mayfly-adopted";

  static OutcomeCounts of(String job, List<TaskOutcome> lines) {
    var results = new EnumMap<TaskOutcome.Result, Long>(TaskOutcome.Result.class);
    lines.forEach(l -> results.merge(l.result(), 1L, Long::sum));
    var done = lines.stream().filter(l -> l.result() == TaskOutcome.Result.DONE).toList();
    var own = done.stream().filter(l -> isOwn(job, l)).toList();
    var adopted = own.stream().filter(l -> l.adoptedBy().isPresent()).count();
    return new OutcomeCounts(results, (long) done.size() - own.size(), adopted);
  }

  /** What of the done tasks needed not run or had run before; empty if all just ran. */
  static String parts(long done, long earlier, long adopted) {
    if (earlier + adopted == 0) return "";
    var text = earlier > 0 ? "%,d before, ".formatted(earlier) : "";
    text += "%,d run".formatted(done - earlier - adopted);
    return " (" + text + (adopted > 0 ? ", %,d adopted".formatted(adopted) : "") + ")";
  }

  private static boolean isOwn(String job, TaskOutcome line) {
    return line.by().filter(by -> by.startsWith(job + "/")).isPresent();
  }

  public static OutcomeCounts of(ObjectInfo info) {
    var results = new EnumMap<TaskOutcome.Result, Long>(TaskOutcome.Result.class);
    for (var result : TaskOutcome.Result.values()) {
      var n = info.metadata().get(name(result));
      if (n != null) results.put(result, Long.parseLong(n));
    }
    return new OutcomeCounts(results, number(info, EARLIER), number(info, ADOPTED));
  }

  private static long number(ObjectInfo info, String name) {
    return Long.parseLong(info.metadata().getOrDefault(name, "0"));
  }

  long of(TaskOutcome.Result result) {
    return results.getOrDefault(result, 0L);
  }

  Map<String, String> metadata() {
    var metadata = new TreeMap<String, String>();
    results.forEach((result, n) -> metadata.put(name(result), Long.toString(n)));
    if (earlier > 0) metadata.put(EARLIER, Long.toString(earlier));
    if (adopted > 0) metadata.put(ADOPTED, Long.toString(adopted));
    return metadata;
  }

  private static String name(TaskOutcome.Result result) {
    return "mayfly-" + result.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }
}

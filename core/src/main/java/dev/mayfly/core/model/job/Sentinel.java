package dev.mayfly.core.model.job;

import dev.mayfly.core.model.LeaseRef;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;

/**
 * {@code <output>.COMPLETE}: created once; the truth about whether a task is done.
 *
 * <p>The object's metadata repeats all fields, so that a listing of a thousand objects is enough to
 * audit them.
 *
 * @param attempt of {@link LeaseRef#attempt()}
 * @param output the URL of the output
 * @param generation of the output; 0 when the task left no output
 * @param crc32c of the output, base64
 */
public record Sentinel(
    String job,
    long task,
    String attempt,
    String output,
    long generation,
    long size,
    String crc32c,
    String worker,
    Instant at) {
  public static final String SUFFIX = ".COMPLETE";

  public Map<String, String> metadata() {
    var map = new LinkedHashMap<String, String>();
    map.put("mayfly-job", job);
    map.put("mayfly-task", Long.toString(task));
    map.put("mayfly-attempt", attempt);
    map.put("mayfly-generation", Long.toString(generation));
    map.put("mayfly-size", Long.toString(size));
    map.put("mayfly-crc32c", crc32c);
    map.put("mayfly-worker", worker);
    return map;
  }

  /** The attempt that made the sentinel, from its metadata; empty if it is not Mayfly's. */
  public static Optional<By> by(Map<String, String> metadata) {
    var job = metadata.get("mayfly-job");
    var task = metadata.get("mayfly-task");
    var attempt = metadata.get("mayfly-attempt");
    if (job == null || task == null || attempt == null) return Optional.empty();
    try {
      var generation = Long.parseLong(metadata.getOrDefault("mayfly-generation", "0"));
      return Optional.of(new By(job, Long.parseLong(task), attempt, generation));
    } catch (NumberFormatException notOurs) {
      return Optional.empty();
    }
  }

  /** The attempt that a sentinel or an uploaded output names. */
  public record By(String job, long task, String attempt, long generation) {}
}

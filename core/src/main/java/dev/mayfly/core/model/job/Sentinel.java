package dev.mayfly.core.model.job;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.TaskMetrics;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

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
 * @param at when the attempt had published its output
 * @param startedAt when the attempt began; empty if another one found its output and made the
 *     sentinel
 * @param made what the output was made from
 * @param metrics the last that the task reported
 * @param adoptedBy the attempt that made the sentinel for the one that it names, which could not
 * @param continued the checkpoint that the attempt began with, in words
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
    Instant at,
    Optional<Instant> startedAt,
    Optional<MadeFrom> made,
    Optional<Map<String, Double>> metrics,
    Optional<String> adoptedBy,
    Optional<String> continued) {
  public static final String SUFFIX = ".COMPLETE";

  private static final String METRICS = "mayfly-metrics";
  private static final String ADOPTED_BY = "mayfly-adopted-by";
  private static final String CONTINUED = "mayfly-continued";

  /** A copy with metrics, which do not change the output that it pins. */
  public Sentinel withMetrics(Map<String, Double> values) {
    var some = Optional.of(values).filter(v -> !v.isEmpty());
    return new Sentinel(
        job,
        task,
        attempt,
        output,
        generation,
        size,
        crc32c,
        worker,
        at,
        startedAt,
        made,
        some,
        adoptedBy,
        continued);
  }

  /** A copy that another attempt makes. */
  public Sentinel withAdoptedBy(String other) {
    var by = Optional.of(other);
    return new Sentinel(
        job,
        task,
        attempt,
        output,
        generation,
        size,
        crc32c,
        worker,
        at,
        startedAt,
        made,
        metrics,
        by,
        continued);
  }

  /** A copy of an attempt that began with a checkpoint. */
  public Sentinel withContinued(Optional<String> checkpoint) {
    return new Sentinel(
        job,
        task,
        attempt,
        output,
        generation,
        size,
        crc32c,
        worker,
        at,
        startedAt,
        made,
        metrics,
        adoptedBy,
        checkpoint);
  }

  public Map<String, String> metadata() {
    var map = new LinkedHashMap<String, String>();
    map.put("mayfly-job", job);
    map.put("mayfly-task", Long.toString(task));
    map.put("mayfly-attempt", attempt);
    map.put("mayfly-generation", Long.toString(generation));
    map.put("mayfly-size", Long.toString(size));
    map.put("mayfly-crc32c", crc32c);
    map.put("mayfly-worker", worker);
    map.put("mayfly-ended", at.toString());
    startedAt.ifPresent(began -> map.put("mayfly-started", began.toString()));
    made.ifPresent(from -> map.putAll(from.metadata()));
    metrics.ifPresent(values -> map.put(METRICS, TaskMetrics.line(values)));
    adoptedBy.ifPresent(other -> map.put(ADOPTED_BY, other));
    continued.ifPresent(checkpoint -> map.put(CONTINUED, checkpoint));
    return map;
  }

  /** The metrics in a sentinel's metadata. */
  public static Optional<Map<String, Double>> metrics(Map<String, String> metadata) {
    return TaskMetrics.parse(Optional.ofNullable(metadata.get(METRICS)));
  }

  /** The attempt that made the sentinel for another one, from its metadata. */
  public static Optional<String> adoptedBy(Map<String, String> metadata) {
    return Optional.ofNullable(metadata.get(ADOPTED_BY));
  }

  /** The checkpoint that the attempt began with, from a sentinel's metadata. */
  public static Optional<String> continued(Map<String, String> metadata) {
    return Optional.ofNullable(metadata.get(CONTINUED));
  }

  /** When, where and how long the attempt ran, from a sentinel's metadata, as far as it tells. */
  public static Times times(Map<String, String> metadata) {
    return new Times(
        Optional.ofNullable(metadata.get("mayfly-worker")),
        time(metadata.get("mayfly-started")),
        time(metadata.get("mayfly-ended")));
  }

  private static Optional<Instant> time(@Nullable String text) {
    try {
      return Optional.ofNullable(text).map(Instant::parse);
    } catch (DateTimeParseException notOurs) {
      return Optional.empty();
    }
  }

  /** Where and when an attempt ran. */
  public record Times(
      Optional<String> worker, Optional<Instant> startedAt, Optional<Instant> endedAt) {}

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

  /** Where the sentinels of a job's tasks are. */
  public enum Mode {
    /** Each is an object of its own, beside its output. */
    EACH,
    /** Those of many tasks are in one object. */
    TOGETHER
  }

  /** The attempt that a sentinel or an uploaded output names. */
  public record By(String job, long task, String attempt, long generation) {}
}

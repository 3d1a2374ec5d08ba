package dev.mayfly.sim.check.sentinel;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import dev.mayfly.sim.observation.TaskProcess;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * I25: no sentinel names an attempt during which its disk was full. I24: a sentinel that Mayfly
 * makes names an attempt whose command ended with 0, and pins an output that an attempt of the same
 * task left. One that is adopted began after the last retry of its job.
 */
public final class ResultWasComputed implements Invariant {
  private static final String ID = "I24";

  private final GroundTruth groundTruth;
  private final Map<String, Instant> began = new TreeMap<>();
  private final Set<String> succeeded = new TreeSet<>();
  private final Set<String> spoiled = new TreeSet<>();

  public ResultWasComputed(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void began(TaskProcess process) {
    began.putIfAbsent(process.attempt().toString(), groundTruth.now());
  }

  @Override
  public void exited(TaskProcess process, int code) {
    if (code == 0) succeeded.add(process.attempt().toString());
  }

  @Override
  public void spoiled(TaskProcess process) {
    spoiled.add(process.attempt().toString());
  }

  @Override
  public void object(Optional<ObjectInfo> before, Optional<ObjectInfo> after) {
    if (after.isEmpty() || !after.get().url().name().endsWith(Sentinel.SUFFIX)) return;
    var sentinel = after.get();
    var shared = groundTruth.sentinels().in(sentinel);
    for (var one : shared)
      check(sentinel, Sentinel.by(one.metadata()).orElseThrow(), one.metadata(), one.output());
    if (shared.isEmpty())
      Sentinel.by(sentinel.metadata())
          .ifPresent(by -> check(sentinel, by, sentinel.metadata(), output(sentinel)));
  }

  private static String output(ObjectInfo sentinel) {
    var url = sentinel.url().toString();
    return url.substring(0, url.length() - Sentinel.SUFFIX.length());
  }

  private void check(
      ObjectInfo sentinel, Sentinel.By by, Map<String, String> metadata, String output) {
    var attempt = by.job() + "/" + by.task() + "/" + by.attempt();
    if (!succeeded.contains(attempt))
      throw new InvariantViolation(
          ID, sentinel.url() + " names " + attempt + ", which did not end with 0");
    if (spoiled.contains(attempt))
      throw new InvariantViolation(
          "I25", sentinel.url() + " names " + attempt + ", whose disk was full while it ran");
    if (by.generation() != 0) checkOutput(sentinel, by, ObjectUrl.of(output));
    Sentinel.adoptedBy(metadata).ifPresent(other -> checkAdoption(by, attempt, other));
  }

  /** A zombie may replace what a task writes itself. */
  private void checkOutput(ObjectInfo sentinel, Sentinel.By by, ObjectUrl output) {
    var pinned =
        groundTruth.objects().find(output).filter(info -> info.generation() == by.generation());
    if (pinned.isEmpty()) return;
    var content =
        groundTruth
            .objects()
            .read(output, Integer.MAX_VALUE)
            .map(bytes -> new String(bytes, StandardCharsets.UTF_8))
            .orElse("");
    if (!content.startsWith(by.job() + "/" + by.task() + "/"))
      throw new InvariantViolation(ID, sentinel.url() + " pins " + content);
  }

  private void checkAdoption(Sentinel.By by, String attempt, String adopter) {
    var start = Long.parseLong(adopter.substring(1, adopter.indexOf('e')));
    var epoch = Long.parseLong(adopter.substring(adopter.indexOf('e') + 1));
    for (var job : groundTruth.all(Job.class)) {
      if (!job.uid().equals(by.job()) || job.retriedAt().isEmpty()) continue;
      // An agent that is cut off does not know of the retry.
      var isCurrent = shard(job, start).filter(s -> s.epoch() == epoch).isPresent();
      if (isCurrent && began.getOrDefault(attempt, Instant.MIN).isBefore(job.retriedAt().get()))
        throw new InvariantViolation(ID, attempt + " is of before the retry, and was adopted");
    }
  }

  private Optional<Shard> shard(Job job, long start) {
    return groundTruth
        .ledger()
        .readSpoiled(new DocumentKey.OfShard(job.cluster(), job.uid(), start))
        .map(VersionedDocument::value);
  }
}

package dev.mayfly.sim.check.sentinel;

import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/**
 * I2: a task has at most one sentinel, ever, also among those of others in one object; it is never
 * replaced, and only users delete it.
 */
public final class SentinelWrittenOnce implements Invariant {
  private final GroundTruth groundTruth;
  private final Map<String, Long> created = new TreeMap<>();

  /** The objects that name tasks, by task; those of which users deleted one are not followed. */
  private final Map<String, String> named = new TreeMap<>();

  private final Set<String> deleted = new TreeSet<>();

  public SentinelWrittenOnce(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void object(Optional<ObjectInfo> before, Optional<ObjectInfo> after) {
    var info = after.or(() -> before).orElseThrow();
    if (!info.url().name().endsWith(Sentinel.SUFFIX)) return;
    var url = info.url().toString();
    if (after.isEmpty() && groundTruth.sentinels().isDeleted(info.url())) {
      created.remove(url);
      named.values().removeIf(url::equals);
      deleted.add(block(url));
      return;
    }
    if (after.isEmpty()) throw new InvariantViolation("I2", url + " was deleted");
    if (before.isPresent() || created.put(url, info.generation()) != null)
      throw new InvariantViolation("I2", url + " was made a second time");
    for (var sentinel : groundTruth.sentinels().in(info)) {
      var task = sentinel.job() + "/" + sentinel.task();
      var other = named.put(task, url);
      // A retry writes what is left of an object before it deletes that.
      if (other != null
          && !deleted.contains(block(url))
          && !groundTruth.sentinels().isDeleted(ObjectUrl.of(other)))
        throw new InvariantViolation("I2", url + " names " + task + ", as " + other + " does");
    }
  }

  private static String block(String url) {
    return url.substring(0, Math.max(url.lastIndexOf('-'), 0));
  }
}

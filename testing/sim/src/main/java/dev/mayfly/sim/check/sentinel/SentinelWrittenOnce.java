package dev.mayfly.sim.check.sentinel;

import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** I2: a task has at most one sentinel, ever; it is never replaced, and only users delete it. */
public final class SentinelWrittenOnce implements Invariant {
  private final GroundTruth groundTruth;
  private final Map<String, Long> created = new TreeMap<>();

  public SentinelWrittenOnce(GroundTruth groundTruth) {
    this.groundTruth = groundTruth;
  }

  @Override
  public void object(Optional<ObjectInfo> before, Optional<ObjectInfo> after) {
    var info = after.or(() -> before).orElseThrow();
    if (!info.url().name().endsWith(Sentinel.SUFFIX)) return;
    var url = info.url().toString();
    if (after.isEmpty() && groundTruth.isSentinelDeleted(info.url())) {
      created.remove(url);
      return;
    }
    if (after.isEmpty()) throw new InvariantViolation("I2", url + " was deleted");
    if (before.isPresent() || created.put(url, info.generation()) != null)
      throw new InvariantViolation("I2", url + " was made a second time");
  }
}

package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/**
 * When the life of a worker's machine ends, at which the cloud deletes the machine without asking,
 * and when its tasks must have ended before that.
 */
public final class MachineLife {
  /** From the end of the tasks to that of the machine: for their last checkpoints and logs. */
  private static final Duration STORING = Duration.ofMinutes(1);

  private static final int PART = 10;

  private final Duration life;
  private final Instant end;

  private MachineLife(Duration life, Instant end) {
    this.life = life;
    this.end = end;
  }

  /** Empty for a machine that has no end: a slice made by hand, and one of a user's own. */
  public static Optional<MachineLife> of(Cluster cluster, Worker worker) {
    var pool = cluster.spec().pool(worker.pool());
    if (pool.filter(p -> !DrainPlanner.isBought(p)).isPresent()) return Optional.empty();
    return shortest(pool.map(PoolSpec::life), worker.life())
        .map(life -> new MachineLife(life, worker.createdAt().plus(life)));
  }

  /** The cloud keeps the life with which it was ordered; the pool's may have changed since. */
  private static Optional<Duration> shortest(Optional<Duration> pool, Optional<Duration> ordered) {
    if (pool.isEmpty() || ordered.isEmpty()) return pool.or(() -> ordered);
    return pool.get().compareTo(ordered.get()) < 0 ? pool : ordered;
  }

  Duration life() {
    return life;
  }

  /** When the machine is gone at the latest. The cloud counts from a little later. */
  Instant end() {
    return end;
  }

  /** When its tasks must have ended. */
  public Instant deadline() {
    var part = life.dividedBy(PART);
    return end.minus(part.compareTo(STORING) < 0 ? part : STORING);
  }

  public boolean isOver(Instant now) {
    return !now.isBefore(end);
  }

  /** Why a worker ends whose machine's life is nearly over. */
  public DrainReason ending() {
    return new DrainReason(DrainCause.END_OF_LIFE, words("are nearly over"));
  }

  /** Why the cloud deleted the machine. */
  public String ended() {
    return words("are over");
  }

  private String words(String verb) {
    return "the machine's %s (pools[].life) %s".formatted(HumanDuration.exact(life), verb);
  }
}

package dev.mayfly.core.plan.model;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;

/**
 * A cluster that keeps machines warm, and when it was used. When nobody has used it for its {@code
 * unusedAfter}, its minimum counts as none, so that these machines end as idle ones do. A message
 * about it, or a job of it, is a use.
 *
 * <p><b>Must:</b> never count a time of which nothing is known as unused.
 *
 * @param usedAt the last use that is known
 */
public record UnusedCluster(Cluster cluster, Instant usedAt, Duration after) {
  private static final Duration DAY = Duration.ofDays(1);

  /** Empty if it keeps nothing warm, may be unused for ever, or nothing is known of its use. */
  public static Optional<UnusedCluster> of(Cluster cluster) {
    var after = cluster.spec().unusedAfter().orElse(ClusterSpec.UNUSED_AFTER);
    if (cluster.phase() != Cluster.Phase.UP || after.isZero() || warm(cluster).isEmpty())
      return Optional.empty();
    return cluster.usedAt().map(at -> new UnusedCluster(cluster, latest(at, cluster), after));
  }

  private static Instant latest(Instant at, Cluster cluster) {
    return at.isAfter(cluster.newestCommandAt()) ? at : cluster.newestCommandAt();
  }

  /** The pools whose minimum ends; slices made by hand, and what is reserved or yours, stay. */
  public static List<PoolSpec> warm(Cluster cluster) {
    return cluster.spec().pools().stream().filter(UnusedCluster::isWarm).toList();
  }

  private static boolean isWarm(PoolSpec pool) {
    return pool.min() > 0
        && !pool.manual()
        && pool.provisioning() != Provisioning.RESERVED
        && pool.provisioning() != Provisioning.STATIC;
  }

  /** The cluster as plans see it: without a minimum while it is unused. */
  public static Cluster effective(Cluster cluster, Instant now) {
    return of(cluster)
        .filter(it -> it.isOver(now))
        .map(UnusedCluster::withoutMinimum)
        .orElse(cluster);
  }

  private Cluster withoutMinimum() {
    var pools =
        cluster.spec().pools().stream()
            .map(pool -> isWarm(pool) ? pool.withoutMinimum() : pool)
            .toList();
    return cluster.withSpec(cluster.spec().with(pools), cluster.generation(), cluster.versions());
  }

  /** Whether the machine ends with the minimum. */
  public boolean ends(Worker worker) {
    return warm(cluster).stream().anyMatch(pool -> pool.name().equals(worker.pool()));
  }

  /** From when on its minimum counts as none. */
  public Instant endsAt() {
    return usedAt.plus(after);
  }

  public boolean isOver(Instant now) {
    return !endsAt().isAfter(now);
  }

  /** Whether people are told before: a day, or half of a short time. */
  public boolean isNear(Instant now) {
    var before = after.compareTo(DAY.multipliedBy(2)) > 0 ? DAY : after.dividedBy(2);
    return !endsAt().minus(before).isAfter(now);
  }

  /** What people are told; empty long before. */
  public Optional<String> text(Instant now) {
    if (isOver(now))
      return Optional.of(
          "unused since %s: at %s its warm machines ended (unusedAfter of %s), and workers.min counts as 0; the next job or mayfly up brings them back"
              .formatted(time(usedAt), time(endsAt()), HumanDuration.exact(after)));
    return isNear(now)
        ? Optional.of(
            "unused since %s: at %s its warm machines end (unusedAfter of %s) unless a job or a message comes; unusedAfter: never in its file keeps them"
                .formatted(time(usedAt), time(endsAt()), HumanDuration.exact(after)))
        : Optional.empty();
  }

  private static Instant time(Instant at) {
    return at.truncatedTo(ChronoUnit.SECONDS);
  }
}

package dev.mayfly.core.plan.share;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.FairShareSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.JobQueue;
import dev.mayfly.core.model.job.Placement;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * Who of several owners of one priority is served first: the one with the lowest level, which is
 * what they run, and with a half-life what they ran lately, for each of their shares. So owners of
 * whom everybody wants more than there is run in proportion to their weights.
 *
 * <p>Without a half-life tasks are counted, and one who runs nothing comes before all who run
 * something. With one, parts of machines are: the largest that a task takes of any resource. Who
 * ran more than their shares waits until the others have caught up: with always as many machines, a
 * half-life at most for each doubling from their shares to everybody's.
 */
public final class FairShareRule {
  /** One share for everybody, and no memory. */
  public static final FairShareRule EQUAL =
      new FairShareRule(FairShareSpec.EQUAL, List.of(), Map.of());

  private final FairShareSpec spec;
  private final List<PoolSpec> pools;
  private final Map<String, Double> lately;
  private final Map<String, Double> parts = new HashMap<>();

  /**
   * @param pools whose machines tasks take parts of
   * @param lately by owner, in machines
   */
  public FairShareRule(FairShareSpec spec, List<PoolSpec> pools, Map<String, Double> lately) {
    this.spec = spec;
    this.pools = List.copyOf(pools);
    this.lately = Map.copyOf(lately);
  }

  /**
   * The rule of a moment.
   *
   * @param uses as they were counted last
   */
  public static FairShareRule of(ClusterSpec cluster, List<JobQueue.OwnerUse> uses, Instant now) {
    var spec = cluster.limit().shares();
    return new FairShareRule(spec, cluster.pools(), PastUse.at(uses, spec.halfLife(), now));
  }

  /** How many shares the owner has. */
  public double weight(String owner) {
    return spec.weight(owner);
  }

  /** What the owner ran lately, in machines; 0 without a half-life. */
  public double lately(String owner) {
    return lately.getOrDefault(owner, 0.0);
  }

  /** Whether what owners ran lately counts. */
  public boolean remembers() {
    return spec.halfLife().isPresent();
  }

  /** What one task of the job counts. */
  public double part(JobQueue.Row row) {
    return part(row.job(), row.need(), row.place(), row.gang());
  }

  /**
   * What one task of the job counts: 1 without a half-life, else its part of a machine of the first
   * pool that has room for it. Each host of a gang counts as a machine.
   */
  public double part(String job, Resources need, Placement place, int gang) {
    if (!remembers() || gang > 1) return 1;
    return parts.computeIfAbsent(
        job,
        _ ->
            pools.stream()
                .filter(pool -> place.allowsPool(pool.name()) && pool.visible().fits(need))
                .findFirst()
                .map(pool -> need.dominantShare(pool.visible()))
                .orElse(1.0));
  }

  /**
   * Where the owner stands if that much of theirs runs: who is lower is served first.
   *
   * @param running the parts of their tasks
   */
  public double level(String owner, double running) {
    return (running + lately(owner)) / weight(owner);
  }

  /**
   * Whether the room of a task goes to another owner when it ends. So what waits on machines goes
   * back exactly for those who would get the room anyway, and never to and fro.
   *
   * @param running of the one whose task ends, this task among it
   * @param part of that task
   * @param toRunning of the other
   */
  public boolean givesWay(String owner, double running, double part, String to, double toRunning) {
    return level(owner, running - part) > level(to, toRunning);
  }
}

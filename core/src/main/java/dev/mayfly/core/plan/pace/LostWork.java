package dev.mayfly.core.plan.pace;

import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Stockout;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.MachineUsage;
import dev.mayfly.core.model.worker.MachineUsage.Purpose;
import dev.mayfly.core.plan.capacity.ZoneAvailability;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.HumanDuration;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * How much of the work on a type of machine is lost with its machines, by zone: what an hour of
 * work costs that is kept, as a factor of the price. It is measured, so the length of tasks and
 * their checkpoints count as they are.
 *
 * <p>The newest lives of machines count, half as much each six hours, and what runs now has kept.
 * Beside them stand two machine hours without a loss, so that one loss proves little, and a type
 * that was left is tried again when its losses are long past. A job that has run an hour there goes
 * by its own losses, others by those of all.
 *
 * <p>It is remembered for types among which a pool chooses, and only where a machine was lost.
 */
public final class LostWork {
  private static final Duration HALF_LIFE = Duration.ofHours(6);
  private static final Duration MEMORY = Duration.ofDays(1);

  /** As if so many machine hours had been kept. */
  private static final double BEFORE = 2;

  /** From so many machine hours on, a job's own losses are what it goes by. */
  private static final double OWN = 1;

  private static final int MOST_LIVES = 20;
  private static final int MOST_JOBS = 8;
  private static final double HOUR = Duration.ofHours(1).toMillis();
  private static final String MARK = "lives.";

  private final Instant now;
  private final Map<String, List<Stockout.Life>> lives = new HashMap<>();
  private final Map<String, List<Stockout.Work>> running = new HashMap<>();

  public LostWork(ClusterSnapshot snapshot) {
    now = snapshot.now();
    for (var memory : snapshot.stockouts())
      memory.lives().ifPresent(its -> lives.put(memory.key().path(), its));
    for (var worker : snapshot.workers())
      if (lives.containsKey(key(worker).path()))
        running
            .computeIfAbsent(key(worker).path(), _ -> new ArrayList<>())
            .addAll(work(worker, atRisk(worker)));
  }

  /** The document that remembers machines like the worker's. */
  public static DocumentKey.OfStockout key(Worker worker) {
    return key(worker.zone(), worker.provisioning(), worker.machineType());
  }

  private static DocumentKey.OfStockout key(String zone, Provisioning how, String machineType) {
    return new DocumentKey.OfStockout(zone, MARK + ZoneAvailability.kind(how, machineType));
  }

  /**
   * What is remembered once the worker has ended; empty if that is nothing new.
   *
   * @param worker with all of its time counted
   * @param taken whether the cloud took it back, or it was lost
   */
  public static Optional<Stockout> ended(
      Optional<Stockout> before, Worker worker, boolean taken, Instant at) {
    if (!PoolSpec.isChoice(worker.pool()) || (before.isEmpty() && !taken)) return Optional.empty();
    var work = work(worker, Map.of());
    if (work.isEmpty()) return Optional.empty();
    var all = new ArrayList<>(before.flatMap(Stockout::lives).orElse(List.of()));
    all.add(new Stockout.Life(at, taken, work));
    var newest = all.subList(Math.max(0, all.size() - MOST_LIVES), all.size());
    var key = key(worker);
    var seen = newest.stream().map(Stockout.Life::ended).toList();
    return Optional.of(
        new Stockout(
            key.zone(), key.machineType(), "LIVES", seen, Optional.empty(), Optional.of(newest)));
  }

  /** How many times its price an hour of kept work of the job costs on such machines. */
  public double factor(PoolSpec pool, String zone, String job) {
    var sum = sum(pool, zone, job);
    return (BEFORE + sum.kept() + sum.lost()) / (BEFORE + sum.kept());
  }

  /** What was lost there, in words; empty if nothing was. */
  public Optional<String> text(PoolSpec pool, String zone, String job) {
    var sum = sum(pool, zone, job);
    if (sum.lost() == 0) return Optional.empty();
    var taken = lives(pool, zone).stream().filter(Stockout.Life::taken).count();
    return Optional.of(
        "%s was taken back or lost %s lately in %s, with %s of %s of work"
            .formatted(
                pool.machineType(),
                HumanAmounts.count(taken, "time"),
                zone,
                hours(sum.lost()),
                hours(sum.lost() + sum.kept())));
  }

  private static String hours(double hours) {
    return HumanDuration.format(Duration.ofMinutes(Math.max(1, Math.round(hours * 60))));
  }

  /** Machine hours. */
  private record Sum(double kept, double lost) {
    static final Sum NONE = new Sum(0, 0);

    Sum plus(Stockout.Work work, double weight) {
      return new Sum(kept + weight * work.kept() / HOUR, lost + weight * work.lost() / HOUR);
    }
  }

  private Sum sum(PoolSpec pool, String zone, String job) {
    var all = Sum.NONE;
    var own = Sum.NONE;
    for (var life : lives(pool, zone)) {
      var age = (double) Math.max(0, Duration.between(life.ended(), now).toMillis());
      var weight = StrictMath.pow(0.5, age / HALF_LIFE.toMillis());
      for (var work : life.work()) {
        all = all.plus(work, weight);
        if (work.job().equals(job)) own = own.plus(work, weight);
      }
    }
    for (var work : running.getOrDefault(path(pool, zone), List.of())) {
      all = all.plus(work, 1);
      if (work.job().equals(job)) own = own.plus(work, 1);
    }
    return own.kept() + own.lost() < OWN ? all : own;
  }

  private List<Stockout.Life> lives(PoolSpec pool, String zone) {
    return lives.getOrDefault(path(pool, zone), List.of()).stream()
        .filter(life -> life.ended().plus(MEMORY).isAfter(now))
        .toList();
  }

  private static String path(PoolSpec pool, String zone) {
    return key(zone, pool.provisioning(), pool.machineType()).path();
  }

  /**
   * What its jobs had of the worker.
   *
   * @param atRisk by job, what may still be lost: it counts as nothing yet
   */
  private static List<Stockout.Work> work(Worker worker, Map<String, Long> atRisk) {
    var byJob = new LinkedHashMap<String, Stockout.Work>();
    for (var entry : worker.usage().map(MachineUsage::entries).orElse(List.of())) {
      var kept = entry.purpose() == Purpose.TASKS;
      var lost = entry.purpose() == Purpose.PREEMPTED || entry.purpose() == Purpose.LOST;
      if (entry.job().isEmpty() || (!kept && !lost)) continue;
      var more =
          new Stockout.Work(
              entry.job().get(), kept ? entry.millis() : 0, lost ? entry.millis() : 0);
      byJob.merge(
          more.job(),
          more,
          (a, b) -> new Stockout.Work(a.job(), a.kept() + b.kept(), a.lost() + b.lost()));
    }
    return byJob.values().stream()
        .map(its ->
            new Stockout.Work(
                its.job(),
                Math.max(0, its.kept() - atRisk.getOrDefault(its.job(), 0L)),
                its.lost()))
        .sorted((a, b) -> Long.compare(b.kept() + b.lost(), a.kept() + a.lost()))
        .limit(MOST_JOBS)
        .toList();
  }

  /** What running tasks would lose if the machine ended when its time was last counted. */
  private static Map<String, Long> atRisk(Worker worker) {
    var risks = new HashMap<String, Long>();
    if (worker.usage().isEmpty()) return risks;
    var until = worker.usage().get().countedTo();
    for (var held : worker.held()) {
      var share = held.gang() ? 1 : held.need().dominantShare(worker.total());
      var kept = KeptTask.until(held.kept());
      for (var i = 0; i < Math.min(held.startedAt().size(), held.running().size()); i++) {
        var began = held.startedAt().get(i);
        var stored = kept.getOrDefault(held.running().get(i), began);
        var from = stored.isAfter(began) ? stored : began;
        var age = Math.max(0, Duration.between(from, until).toMillis());
        risks.merge(held.job(), Math.round(age * share), Long::sum);
      }
    }
    return risks;
  }
}

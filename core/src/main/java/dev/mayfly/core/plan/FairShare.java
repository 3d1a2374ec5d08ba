package dev.mayfly.core.plan;

import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Who has how much of the machines, and who gives way when there is no more to be had.
 *
 * <p><b>Must:</b> take no task that may have begun away from anybody, and nothing from a job whose
 * tasks must not run twice; give way only to a higher priority, or to an owner of the same one who
 * has less.
 *
 * <p><b>Goals:</b> owners whose jobs have one priority run as many tasks as each other; within an
 * owner, the oldest job goes first. It is reached as tasks end: nothing is killed for it.
 */
public final class FairShare {
  /** Leases that give way in one round: each is a read and perhaps a write. */
  static final int YIELDS = 64;

  private static final double MOST = 64;

  private FairShare() {}

  /**
   * The rows with weights for the lottery. Who runs less than its share is drawn more often, with
   * the square of the lack: an owner whose tasks take ten times as long would else have ten times
   * as many. They are rounded to powers of two, so that a round seldom has to write them.
   */
  public static List<Turns.Row> weighed(List<Turns.Row> rows, List<Worker> workers) {
    var slots = slots(workers);
    var byPriority = rows.stream().collect(Collectors.groupingBy(Turns.Row::priority));
    return rows.stream().map(r -> r.weighing(weight(r, byPriority, slots))).toList();
  }

  /** How many tasks each owner of these jobs runs, by name. */
  public static Map<String, Long> shares(List<Turns.Row> band, List<Worker> workers) {
    var slots = slots(workers);
    var owners = new TreeMap<String, Long>();
    for (var row : band) owners.merge(row.owner(), slots.getOrDefault(row.job(), 0L), Long::sum);
    return owners;
  }

  private static int weight(
      Turns.Row row, Map<Integer, List<Turns.Row>> byPriority, Map<String, Long> slots) {
    var owners = new HashMap<String, Long>();
    for (var r : byPriority.getOrDefault(row.priority(), List.of()))
      owners.merge(r.owner(), slots.getOrDefault(r.job(), 0L), Long::sum);
    if (owners.size() < 2) return Turns.EVEN;
    var all = owners.values().stream().mapToLong(n -> n).sum();
    var share = (double) all / owners.size();
    var lack = (share + 1) / (owners.getOrDefault(row.owner(), 0L) + 1);
    var square = Math.clamp(lack * lack, 1 / MOST, MOST);
    return (int) (Turns.EVEN * Math.pow(2, Math.rint(Math.log(square) / Math.log(2))));
  }

  /** How many tasks of each job run at once, as far as the ledger knows. */
  private static Map<String, Long> slots(List<Worker> workers) {
    var slots = new HashMap<String, Long>();
    for (var worker : workers)
      for (var held : worker.held()) slots.merge(held.job(), Census.atOnce(held), Long::sum);
    return slots;
  }

  /**
   * The leases whose rest goes back, so that what runs there is followed by tasks of others.
   *
   * @param starved the jobs for which the plan found no room, by uid
   */
  static List<Decision.Yield> yields(View view, Set<String> starved) {
    if (starved.isEmpty()) return List.of();
    var round = new Giving(view);
    for (var job : view.jobs()) if (starved.contains(job.job())) round.serve(job);
    return round.yields;
  }

  /** The slots of jobs and owners while leases give way. */
  private static final class Giving {
    private final View view;
    private final Map<String, Demand> jobs = new HashMap<>();
    private final Map<String, Long> owned = new HashMap<>();

    /** A job of each account that runs and may give way: accounts are few where jobs are many. */
    private final Map<String, Demand> holders = new HashMap<>();

    private final List<Decision.Yield> yields = new ArrayList<>();

    Giving(View view) {
      this.view = view;
      var slots = slots(view.workers());
      for (var job : view.jobs()) {
        jobs.put(job.job(), job);
        var has = slots.getOrDefault(job.job(), 0L);
        owned.merge(account(job), has, Long::sum);
        if (has > 0 && !job.standing().exclusive()) holders.put(account(job), job);
      }
    }

    private static String account(Demand job) {
      return job.standing().priority() + " " + job.standing().owner();
    }

    private long has(Demand job) {
      return owned.getOrDefault(account(job), 0L);
    }

    void serve(Demand job) {
      if (yields.size() >= YIELDS || holders.values().stream().noneMatch(v -> givesWay(v, job)))
        return;
      if (job.gang() > 1) clear(job);
      else makeRoom(job);
    }

    private void makeRoom(Demand job) {
      var wanted = job.ready();
      for (var worker : mostTaken(job))
        for (var held : worker.held()) {
          if (wanted <= 0 || yields.size() >= YIELDS) return;
          var victim = victim(worker, held, job);
          if (victim.isPresent()) wanted -= giveWay(worker, held, victim.get(), job);
        }
    }

    /** A gang runs on whole workers: all that one holds gives way to it, or nothing does. */
    private void clear(Demand job) {
      var wanted = job.ready() * job.gang() - idle(job);
      for (var worker : mostTaken(job)) {
        if (wanted <= 0 || yields.size() >= YIELDS) return;
        var victims = worker.held().stream().map(h -> victim(worker, h, job)).toList();
        if (!victims.stream().allMatch(Optional::isPresent)) continue;
        for (var i = 0; i < victims.size(); i++)
          giveWay(worker, worker.held().get(i), victims.get(i).orElseThrow(), job);
        wanted--;
      }
    }

    private long idle(Demand job) {
      return view.workers().stream()
          .filter(w -> w.held().isEmpty() && w.state() instanceof WorkerState.Ready)
          .filter(w -> suits(w, job))
          .count();
    }

    private static boolean suits(Worker worker, Demand job) {
      return worker.total().fits(job.need()) && job.place().allows(worker);
    }

    private Optional<Demand> victim(Worker worker, Worker.Held held, Demand to) {
      return Optional.ofNullable(jobs.get(held.job()))
          .filter(v -> givesWay(v, to) && !taken(worker, held));
    }

    /** How many tasks it leaves room for. */
    private long giveWay(Worker worker, Worker.Held held, Demand victim, Demand to) {
      var slots = Census.atOnce(held);
      owned.merge(account(victim), -slots, Long::sum);
      owned.merge(account(to), slots, Long::sum);
      yields.add(new Decision.Yield(worker.name(), held.ref(), slots, reason(victim, to)));
      return slots;
    }

    private boolean taken(Worker worker, Worker.Held held) {
      return yields.stream()
          .anyMatch(y -> y.worker().equals(worker.name()) && y.lease().equals(held.ref()));
    }

    /** In an order that changes with the job, so that it is not always the same who gives way. */
    private List<Worker> mostTaken(Demand job) {
      return view.workers().stream()
          .filter(w -> !w.held().isEmpty() && suits(w, job))
          .sorted(
              Comparator.<Worker>comparingInt(w -> w.held().size())
                  .reversed()
                  .thenComparing(w -> (w.name() + job.job()).hashCode())
                  .thenComparing(Worker::name))
          .toList();
    }

    private boolean givesWay(Demand victim, Demand to) {
      if (victim.standing().exclusive()) return false;
      if (victim.standing().priority() != to.standing().priority())
        return victim.standing().priority() < to.standing().priority();
      return !victim.standing().owner().equals(to.standing().owner()) && has(victim) > has(to) + 1;
    }

    private static String reason(Demand victim, Demand to) {
      return victim.standing().priority() < to.standing().priority()
          ? "job %s has a higher priority".formatted(to.name())
          : "job %s belongs to somebody who has less".formatted(to.name());
    }
  }
}

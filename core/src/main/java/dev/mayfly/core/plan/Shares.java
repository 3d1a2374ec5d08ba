package dev.mayfly.core.plan;

import dev.mayfly.core.model.Worker;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** How much each owner of each priority has, and who gives way to whom, while a plan is made. */
final class Shares {
  /** The jobs of one owner that have one priority. */
  private record Account(int priority, String owner) {
    static Account of(Demand job) {
      return new Account(job.standing().priority(), job.standing().owner());
    }
  }

  private record Gift(Account from, Account to) {}

  private final Map<String, Demand> jobs = new HashMap<>();
  private final Map<String, Integer> turns = new HashMap<>();
  private final Map<Account, Long> owned = new HashMap<>();
  private final Set<Gift> given = new HashSet<>();

  /** A job of each account that runs and may give way: accounts are few where jobs are many. */
  private final Map<Account, Demand> holders = new HashMap<>();

  Shares(View view) {
    var slots = slots(view.workers());
    for (var job : view.jobs()) {
      turns.put(job.job(), jobs.size());
      jobs.put(job.job(), job);
      var has = slots.getOrDefault(job.job(), 0L);
      owned.merge(Account.of(job), has, Long::sum);
      if (has > 0 && !job.standing().exclusive()) holders.put(Account.of(job), job);
    }
  }

  /** How many tasks of each job run at once, as far as the ledger knows. */
  static Map<String, Long> slots(List<Worker> workers) {
    var slots = new HashMap<String, Long>();
    for (var worker : workers)
      for (var held : worker.held()) slots.merge(held.job(), Census.atOnce(held), Long::sum);
    return slots;
  }

  Optional<Demand> job(Worker.Held held) {
    return Optional.ofNullable(jobs.get(held.job()));
  }

  long has(Demand job) {
    return owned.getOrDefault(Account.of(job), 0L);
  }

  /** Whether some job that runs gives way to this one. */
  boolean anyGivesWay(Demand to) {
    return holders.values().stream().anyMatch(v -> givesWay(v, to));
  }

  /**
   * Whether tasks of a job that have not begun go back for another: for a higher priority, or an
   * owner of the same one who has less. Nothing goes back to who gave it in the same plan.
   */
  boolean givesWay(Demand victim, Demand to) {
    if (victim.standing().exclusive()) return false;
    if (given.contains(new Gift(Account.of(to), Account.of(victim)))) return false;
    if (victim.standing().priority() != to.standing().priority())
      return victim.standing().priority() < to.standing().priority();
    return !victim.standing().owner().equals(to.standing().owner()) && has(victim) > has(to) + 1;
  }

  /** Whether the job's turn comes after that of one with the same owner and priority. */
  boolean isYounger(Demand job, Demand than) {
    return !job.standing().exclusive()
        && Account.of(job).equals(Account.of(than))
        && turns.getOrDefault(job.job(), 0) > turns.getOrDefault(than.job(), 0);
  }

  void gaveWay(Demand victim, long slots, Demand to, long room) {
    owned.merge(Account.of(victim), -slots, Long::sum);
    owned.merge(Account.of(to), room, Long::sum);
    if (!Account.of(victim).equals(Account.of(to)))
      given.add(new Gift(Account.of(victim), Account.of(to)));
  }
}

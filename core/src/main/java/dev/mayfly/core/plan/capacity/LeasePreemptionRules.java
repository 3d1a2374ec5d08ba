package dev.mayfly.core.plan.capacity;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.ClusterSnapshot;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.share.FairShareRule;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Running tasks of each owner by priority, and preemption rules, in a plan in progress. */
public final class LeasePreemptionRules {
  /** The jobs of one owner that have one priority. */
  private record Account(int priority, String owner) {
    static Account of(JobDemand job) {
      return new Account(job.standing().priority(), job.standing().owner());
    }
  }

  private record Preemption(Account from, Account to) {}

  private final FairShareRule rule;
  private final Map<String, JobDemand> jobs = new HashMap<>();
  private final Map<String, Integer> queuePositions = new HashMap<>();
  private final Map<Account, Double> owned = new HashMap<>();
  private final Set<Preemption> preemptions = new HashSet<>();

  /** One preemptible running job of each account; there are few accounts even with many jobs. */
  private final Map<Account, JobDemand> holders = new HashMap<>();

  public LeasePreemptionRules(ClusterSnapshot clusterSnapshot) {
    rule = clusterSnapshot.shareRule();
    var slots = slots(clusterSnapshot.workers());
    for (var job : clusterSnapshot.jobs()) {
      queuePositions.put(job.job(), jobs.size());
      jobs.put(job.job(), job);
      var has = slots.getOrDefault(job.job(), 0L);
      owned.merge(Account.of(job), has * job.part(rule), Double::sum);
      if (has > 0 && !job.standing().exclusive()) holders.put(Account.of(job), job);
    }
  }

  /** How many tasks of each job run at once, as far as the ledger knows. */
  public static Map<String, Long> slots(List<Worker> workers) {
    var slots = new HashMap<String, Long>();
    for (var worker : workers)
      for (var held : worker.held())
        slots.merge(held.job(), ClusterInventory.atOnce(held), Long::sum);
    return slots;
  }

  public Optional<JobDemand> job(Worker.Held held) {
    return Optional.ofNullable(jobs.get(held.job()));
  }

  private double running(JobDemand job) {
    return owned.getOrDefault(Account.of(job), 0.0);
  }

  /** Whether what owners ran lately counts. */
  public boolean remembers() {
    return rule.remembers();
  }

  /** Where its owner stands among those of its priority. */
  public double level(JobDemand job) {
    return rule.level(job.standing().owner(), running(job));
  }

  /** Whether some running job gives way to this one. */
  public boolean anyGivesWay(JobDemand to) {
    return holders.values().stream().anyMatch(v -> givesWay(v, to));
  }

  /**
   * Whether a job's unstarted tasks go back for another: for a higher priority, or for an owner of
   * the same priority who is served first. Preemptions in one plan are never reversed.
   */
  public boolean givesWay(JobDemand victim, JobDemand to) {
    if (victim.standing().exclusive()) return false;
    if (preemptions.contains(new Preemption(Account.of(to), Account.of(victim)))) return false;
    if (victim.standing().priority() != to.standing().priority())
      return victim.standing().priority() < to.standing().priority();
    return !victim.standing().owner().equals(to.standing().owner())
        && rule.givesWay(
            victim.standing().owner(),
            running(victim),
            victim.part(rule),
            to.standing().owner(),
            running(to));
  }

  /** Whether the job is behind one with the same owner and priority. */
  boolean isYounger(JobDemand job, JobDemand than) {
    return !job.standing().exclusive()
        && Account.of(job).equals(Account.of(than))
        && queuePositions.getOrDefault(job.job(), 0) > queuePositions.getOrDefault(than.job(), 0);
  }

  public void recordPreemption(JobDemand victim, long slots, JobDemand to, long room) {
    owned.merge(Account.of(victim), -slots * victim.part(rule), Double::sum);
    owned.merge(Account.of(to), room * to.part(rule), Double::sum);
    if (!Account.of(victim).equals(Account.of(to)))
      preemptions.add(new Preemption(Account.of(victim), Account.of(to)));
  }
}

package dev.mayfly.core.plan.waiting;

import dev.mayfly.core.model.job.JobAddress;
import dev.mayfly.core.plan.model.JobDemand;
import dev.mayfly.core.plan.veto.PoolVeto;
import dev.mayfly.core.plan.veto.Veto;
import dev.mayfly.core.plan.veto.VetoOrder;
import dev.mayfly.core.plan.veto.VetoText;
import dev.mayfly.core.plan.veto.WorkerVeto;
import dev.mayfly.core.text.HumanAmounts;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;

/**
 * Jobs that wait because nothing can be launched for them.
 *
 * <p>A cause of the cluster, its pools or the cloud counts for each job that lacks room, the most
 * machines of a pool only for one of which nothing runs: others are served one after the other.
 * What its workers lack is told of the workers.
 */
public final class HeldJobs {
  private final Veto why;
  private final List<String> jobs = new ArrayList<>();

  private HeldJobs(Veto why) {
    this.why = why;
  }

  /** By what holds them, with the first job of the queue first. */
  static List<HeldJobs> of(List<JobDemand> jobs, WaitingPlan plan) {
    var held = new LinkedHashMap<String, HeldJobs>();
    for (var job : jobs)
      root(job, plan)
          .ifPresent(veto ->
              held.computeIfAbsent(cause(veto), _ -> new HeldJobs(veto))
                  .jobs
                  .add(
                      JobAddress.of(
                          Optional.of(job.standing().owner()).filter(it -> !it.isEmpty()),
                          job.name())));
    return List.copyOf(held.values());
  }

  private static Optional<Veto> root(JobDemand job, WaitingPlan plan) {
    if (job.ready() == 0) return Optional.empty();
    return plan.of(job.job()).stream()
        .findFirst()
        .filter(veto -> !(veto instanceof WorkerVeto))
        .filter(veto -> VetoOrder.isCause(veto) || (job.leased() == 0 && isMost(veto)));
  }

  private static boolean isMost(Veto veto) {
    return veto instanceof PoolVeto.AtMaximum || veto instanceof PoolVeto.GangAtMaximum;
  }

  /** The same for jobs that differ only in how many machines they want. */
  private static String cause(Veto veto) {
    var pool = veto instanceof PoolVeto of ? of.pool() : veto.toString();
    return veto.getClass().getSimpleName() + " " + pool;
  }

  /** What holds them. */
  public Veto why() {
    return why;
  }

  /** What holds them, what helps, and which they are. */
  public String text(Instant now) {
    var first = jobs.getFirst();
    return "%s; %s"
        .formatted(
            VetoText.of(why, now).text(),
            jobs.size() == 1
                ? "job %s waits for it".formatted(first)
                : "job %s and %s wait for it"
                    .formatted(first, HumanAmounts.count(jobs.size() - 1, "other")));
  }
}

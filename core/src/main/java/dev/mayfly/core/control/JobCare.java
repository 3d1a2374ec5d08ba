package dev.mayfly.core.control;

import dev.mayfly.core.lease.LeastServed;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.Demand;
import dev.mayfly.core.plan.FairShare;
import dev.mayfly.core.plan.Plan;
import dev.mayfly.core.port.Write;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * Moves on the jobs whose messages were lost, keeps the turns true, and adds up what jobs still ask
 * for.
 */
final class JobCare {
  private final Ports ports;
  private final Demands demands;
  private final Endings endings;
  private final Stops stops;

  JobCare(Ports ports) {
    this.ports = ports;
    demands = new Demands(ports.ledger(), ports.clock());
    endings = new Endings(ports.ledger(), ports.bus(), ports.clock());
    stops = new Stops(ports.ledger(), ports.bus(), ports.alarms(), ports.ids(), ports.clock());
  }

  /**
   * What a round knows of jobs.
   *
   * @param live jobs that have not ended, or cannot be read
   * @param stored the turns, as they were read before the jobs
   * @param running the turns as they are to be
   * @param demands of the running ones, in the order of their turns
   * @param read when every worker was read, if all were read in this round
   */
  record Jobs(
      int live,
      Renewable<Turns> stored,
      Turns running,
      List<Demand> demands,
      Optional<Instant> read) {}

  /**
   * @param tick whether lists and audits whose message may have been lost are asked for again
   */
  Jobs look(Cluster cluster, ClusterSight sight, boolean tick, Troubles troubles) {
    var jobs = sight.jobs();
    for (var job : jobs)
      troubles.guard("job " + job.spec().name(), () -> moveOn(cluster, job, tick));
    var running = Turns.of(cluster.uid(), ports.clock().instant(), rows(jobs));
    var kept = sight.turns().value().map(Turns::rows).orElse(List.of());
    var demands = demands(running, kept, jobs, sight, troubles);
    return new Jobs(sight.live(), sight.turns(), running, demands, sight.wholeAt());
  }

  private void moveOn(Cluster cluster, Job job, boolean tick) {
    var going = cluster.phase() != Cluster.Phase.UP;
    switch (job.state()) {
      case JobState.Expanding _ -> {
        if (going) stop(job);
        else if (tick && isLeft(job))
          Hints.send(ports.bus(), new Hint.Expand(job.cluster(), job.uid()));
      }
      case JobState.Running _ -> {
        if (going) stop(job);
      }
      case JobState.Stopping _ -> endings.settle(job.key());
      case JobState.Finishing _ -> {
        if (tick && isLeft(job)) Hints.send(ports.bus(), new Hint.Audit(job.cluster(), job.uid()));
      }
      case JobState.Ended _ -> {}
    }
  }

  /** Whether no call is at it: a long list is worked on by one at a time. */
  private boolean isLeft(Job job) {
    return !job.state().isWorkedOn(ports.clock().instant());
  }

  private void stop(Job job) {
    stops.stop(job.key(), ports.clock().instant(), "the cluster is taken down");
  }

  private static List<Turns.Row> rows(List<Job> jobs) {
    return jobs.stream().filter(Job::running).map(Turns::row).toList();
  }

  /**
   * Stores the turns, with what runs of each job and with the workers that are kept for it. A round
   * that read some workers only leaves what was counted before.
   */
  void keep(Jobs seen, List<Worker> workers, List<Plan.Keep> keeps) {
    var byJob = new HashMap<String, Plan.Keep>();
    keeps.forEach(k -> byJob.put(k.job(), k));
    var before = seen.stored().value();
    var counted = seen.running().rows();
    if (seen.read().isPresent()) counted = FairShare.counted(counted, workers);
    else if (before.isPresent()) counted = FairShare.countedBefore(counted, before.get().rows());
    var rows =
        counted.stream().map(r -> keeping(r, Optional.ofNullable(byJob.get(r.job())))).toList();
    var turns = Turns.of(seen.running().cluster(), seen.running().at(), rows);
    keep(seen.stored(), turns.withCounted(seen.read().or(() -> before.flatMap(Turns::counted))));
  }

  private static Turns.Row keeping(Turns.Row row, Optional<Plan.Keep> keep) {
    return row.keeping(
        keep.map(Plan.Keep::workers).orElse(List.of()), keep.flatMap(Plan.Keep::until));
  }

  private void keep(Renewable<Turns> stored, Turns running) {
    var before = stored.value().map(Turns::rows).orElse(List.of());
    // What changed since the count is known to each instance in part: it is counted each minute.
    var recount =
        LeastServed.bands(running.rows()).stream().anyMatch(LeastServed::shared)
            && !stored.value().flatMap(Turns::counted).equals(running.counted());
    if (!stored.broken() && !recount && before.equals(running.rows())) return;
    var writes = new ArrayList<Write>();
    writes.add(stored.next(running));
    // What is not kept any more may be had at once, and what is kept may not.
    if (!kept(before).equals(kept(running.rows())))
      writes.add(new Write.Notify(running.cluster(), running.at(), true, List.of()));
    ports.ledger().commit(writes);
  }

  private static Map<String, List<String>> kept(List<Turns.Row> rows) {
    var kept = new HashMap<String, List<String>>();
    for (var row : rows) if (!row.kept().isEmpty()) kept.put(row.job(), row.kept());
    return kept;
  }

  private List<Demand> demands(
      Turns turns, List<Turns.Row> stored, List<Job> jobs, ClusterSight sight, Troubles troubles) {
    var kept = kept(stored);
    Map<String, Job> byUid = new HashMap<>();
    for (var job : jobs) byUid.put(job.uid(), job);
    var all = new ArrayList<Demand>();
    for (var row : turns.rows()) {
      var job = Optional.ofNullable(byUid.get(row.job()));
      troubles.guard(
          "job " + row.name(),
          () ->
              job.flatMap(j -> demand(j, sight, kept.getOrDefault(j.uid(), List.of())))
                  .ifPresent(all::add));
    }
    return all;
  }

  private Optional<Demand> demand(Job job, ClusterSight sight, List<String> kept) {
    var totals = sight.totals(job);
    if (totals.open() == 0 && totals.tasks() > 0) {
      endings.settle(job.key());
      return Optional.empty();
    }
    return Optional.of(demands.of(job, totals, kept));
  }
}

package dev.mayfly.core.control;

import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.plan.Demand;
import dev.mayfly.core.plan.FairShare;
import dev.mayfly.core.port.Query;
import dev.mayfly.core.port.Stored;
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
  /** Shards of one job that are looked at for what machines to buy; the next round sees more. */
  private static final int SPENT = 100;

  private final Ports ports;
  private final Endings endings;
  private final Stops stops;

  JobCare(Ports ports) {
    this.ports = ports;
    endings = new Endings(ports.ledger(), ports.bus(), ports.clock());
    stops = new Stops(ports.ledger(), ports.bus(), ports.ids(), ports.clock());
  }

  /**
   * What a round knows of jobs.
   *
   * @param live jobs that have not ended, or cannot be read
   * @param stored the turns, as they were read before the jobs
   * @param running the turns as they are to be
   * @param demands of the running ones, in the order of their turns
   */
  record Jobs(int live, Renewable<Turns> stored, Turns running, List<Demand> demands) {}

  /**
   * @param tick whether lists and audits whose message may have been lost are asked for again
   */
  Jobs look(Cluster cluster, boolean tick, Troubles troubles) {
    // The turns first: a job that is taken meanwhile changes them, and then they are not
    // overwritten.
    var turns = Renewable.read(ports.ledger(), new Key.OfTurns(cluster.uid()));
    var found = ports.ledger().query(new Query.LiveJobs(cluster.uid()));
    var jobs = found.readable(troubles::unreadable).stream().map(Stored::value).toList();
    for (var job : jobs)
      troubles.guard("job " + job.spec().name(), () -> moveOn(cluster, job, tick));
    var running = Turns.of(cluster.uid(), ports.clock().instant(), rows(jobs));
    return new Jobs(found.size(), turns, running, demands(running, jobs, troubles));
  }

  private void moveOn(Cluster cluster, Job job, boolean tick) {
    var going = cluster.phase() != Cluster.Phase.UP;
    switch (job.state()) {
      case JobState.Expanding _ -> {
        if (going) stop(job);
        else if (tick) Hints.send(ports.bus(), new Hint.Expand(job.cluster(), job.uid()));
      }
      case JobState.Running _ -> {
        if (going) stop(job);
      }
      case JobState.Stopping _ -> endings.settle(job.key());
      case JobState.Finishing _ -> {
        if (tick) Hints.send(ports.bus(), new Hint.Audit(job.cluster(), job.uid()));
      }
      case JobState.Ended _ -> {}
    }
  }

  private void stop(Job job) {
    stops.stop(job.key(), ports.clock().instant(), "the cluster is taken down");
  }

  private static List<Turns.Row> rows(List<Job> jobs) {
    return jobs.stream().filter(Job::running).map(Turns::row).toList();
  }

  /** Stores the turns, with the weights that owners have by what runs on the workers. */
  void keep(Jobs seen, List<Worker> workers) {
    var rows = FairShare.weighed(seen.running().rows(), workers);
    keep(seen.stored(), Turns.of(seen.running().cluster(), seen.running().at(), rows));
  }

  private void keep(Renewable<Turns> stored, Turns running) {
    var rows = stored.value().map(Turns::rows).orElse(List.of());
    if (!stored.broken() && rows.equals(running.rows())) return;
    ports.ledger().commit(List.of(stored.next(running)));
  }

  private List<Demand> demands(Turns turns, List<Job> jobs, Troubles troubles) {
    Map<String, Job> byUid = new HashMap<>();
    for (var job : jobs) byUid.put(job.uid(), job);
    var demands = new ArrayList<Demand>();
    for (var row : turns.rows()) {
      var job = Optional.ofNullable(byUid.get(row.job()));
      troubles.guard("job " + row.name(), () -> job.flatMap(this::demand).ifPresent(demands::add));
    }
    return demands;
  }

  private Optional<Demand> demand(Job job) {
    var totals = ports.ledger().totals(job.key());
    if (totals.open() == 0 && totals.tasks() > 0) {
      endings.settle(job.key());
      return Optional.empty();
    }
    var spec = job.spec();
    return Optional.of(
        new Demand(
            job.uid(),
            spec.name(),
            spec.resources(),
            spec.place(),
            totals.ready(),
            totals.leased(),
            new Demand.Standing(spec.owner().orElse(""), spec.priority(), spec.exclusive()),
            urgency(job),
            Math.max(1, spec.gang())));
  }

  private Demand.Urgency urgency(Job job) {
    var wish = job.spec().retries().onDemand();
    if (!wish.asked()) return Demand.Urgency.NONE;
    var spent =
        wish.preemptions() == 0
            ? List.<Stored<Shard>>of()
            : ports.ledger().query(new Query.SpentShards(job.cluster(), job.uid(), SPENT)).some();
    var now = ports.clock().instant();
    var urgent = wish.urgentFrom(job.submittedAt()).filter(from -> !now.isBefore(from));
    return new Demand.Urgency(
        spent.stream().mapToLong(s -> s.value().open()).sum(),
        wish.preemptions(),
        urgent.map(from -> from.plus(wish.before())));
  }
}

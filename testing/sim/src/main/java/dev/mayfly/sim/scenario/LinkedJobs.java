package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.engine.SimRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * Jobs of which some start after others, may run only a few tasks at once, or have a limit of their
 * cost or their time, in some worlds: mostly after one that was drawn before, and rarely after any,
 * so that some wait for one another. The times of their submission have nothing to do with that.
 */
final class LinkedJobs {
  private LinkedJobs() {}

  static List<PlannedJob> of(List<PlannedJob> jobs, SimRandom simRandom) {
    var limits = simRandom.of("limits");
    var money = simRandom.of("money");
    var time = simRandom.of("run time");
    var failures = simRandom.of("kept failures");
    var runners = simRandom.of("runners");
    return linked(jobs, simRandom).stream()
        .map(job -> limited(job, limits))
        .map(job -> priced(job, money))
        .map(job -> timed(job, time))
        .map(job -> keeping(job, failures))
        .map(job -> staying(job, runners))
        .toList();
  }

  /** Its command is a program that is given task after task, where its tasks have one host each. */
  private static PlannedJob staying(PlannedJob job, SimRandom simRandom) {
    var spec = job.spec();
    if (!simRandom.chance(0.25) || spec.gang() > 0 || spec.place().pools().contains("slice"))
      return job;
    var rules = new TaskEnvironment.Runner(Optional.empty(), Optional.empty());
    return job.with(spec.with(spec.run().taskEnvironment().with(rules)));
  }

  /** Somebody wants to look at the machines of failed tasks. */
  private static PlannedJob keeping(PlannedJob job, SimRandom simRandom) {
    if (!simRandom.chance(0.2)) return job;
    var spec = job.spec();
    return job.with(
        spec.with(spec.run().taskEnvironment().keepingFailed(simRandom.seconds(60, 900))));
  }

  /** From less than a machine costs in a minute to more than any job. */
  private static PlannedJob priced(PlannedJob job, SimRandom simRandom) {
    if (!simRandom.chance(0.15)) return job;
    var rules = job.spec().admission();
    var most = simRandom.pick(List.of(0.0002, 0.001, 0.005, 0.02, 0.1, 1.0, 10.0));
    return job.with(
        job.spec()
            .withAdmission(
                new AdmissionRules(
                    rules.after(),
                    rules.concurrency(),
                    rules.queueTimeout(),
                    rules.confirmed(),
                    Optional.of(most),
                    rules.maxRunTime())));
  }

  /** From less than most tasks take to more than most jobs. */
  private static PlannedJob timed(PlannedJob job, SimRandom simRandom) {
    if (!simRandom.chance(0.1)) return job;
    var most = Duration.ofMinutes(simRandom.pick(List.of(1L, 3L, 10L, 30L, 120L, 600L)));
    return job.with(job.spec().withAdmission(job.spec().admission().lasting(Optional.of(most))));
  }

  private static PlannedJob limited(PlannedJob job, SimRandom simRandom) {
    if (!simRandom.chance(0.1)) return job;
    var most = simRandom.between(1, 6);
    var timeout =
        simRandom.chance(0.5)
            ? Optional.of(Duration.ofMinutes(simRandom.between(1, 20)))
            : Optional.<Duration>empty();
    var rules = new AdmissionRules(job.spec().admission().after(), most, timeout);
    return job.with(job.spec().withAdmission(rules));
  }

  private static List<PlannedJob> linked(List<PlannedJob> jobs, SimRandom simRandom) {
    if (!simRandom.chance(0.3)) return List.copyOf(jobs);
    var linked = new ArrayList<PlannedJob>();
    for (var i = 0; i < jobs.size(); i++) {
      var job = jobs.get(i);
      var among = simRandom.chance(0.1) ? jobs : jobs.subList(0, i);
      var after = new ArrayList<Predecessor>();
      for (var other : among)
        if (!other.equals(job)
            && other.spec().cluster().equals(job.spec().cluster())
            && simRandom.chance(0.5)) after.add(predecessor(job, other, simRandom));
      linked.add(job.with(job.spec().withAdmission(new AdmissionRules(after))));
    }
    return linked;
  }

  private static Predecessor predecessor(PlannedJob of, PlannedJob job, SimRandom simRandom) {
    var uid =
        simRandom.chance(0.7)
            ? Optional.of(UserCommand.SubmitJob.uid(job.submission()))
            : Optional.<String>empty();
    var on = simRandom.chance(0.5) ? Predecessor.On.SUCCESS : Predecessor.On.END;
    var own = of.spec().owner().equals(job.spec().owner());
    return new Predecessor(own ? job.spec().name() : job.spec().address(), uid, on);
  }
}

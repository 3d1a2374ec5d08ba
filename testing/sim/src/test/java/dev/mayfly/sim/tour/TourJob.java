package dev.mayfly.sim.tour;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.time.Duration;
import java.util.Optional;

/** Jobs of a tour: unless more is said, ann's, of tasks of ten minutes on a whole machine. */
final class TourJob {
  static final Duration EACH = Duration.ofMinutes(10);
  private static final Duration AT = Duration.ofSeconds(30);

  private TourJob() {}

  /** Submitted as the first. */
  static PlannedJob first(JobBuilder job) {
    return first(job.build());
  }

  static PlannedJob first(JobSpec job) {
    return planned(0, job, AT, EACH);
  }

  /** Submitted so long after the first. */
  static PlannedJob later(Duration after, JobBuilder job) {
    return later(after, job.build());
  }

  static PlannedJob later(Duration after, JobSpec job) {
    return planned(1, job, AT.plus(after), EACH);
  }

  /** The same with tasks of that duration. */
  static PlannedJob each(Duration each, PlannedJob job) {
    return planned(job.number(), job.spec(), job.at(), each);
  }

  private static PlannedJob planned(int number, JobSpec job, Duration at, Duration each) {
    return new PlannedJob(
        number, job, at, Optional.empty(), Optional.empty(), 0, 0, each, each.plusMillis(1));
  }

  static JobBuilder job(String name, int tasks) {
    return JobBuilder.named(name)
        .owner("ann")
        .count(tasks)
        .output("gs://lab/out/" + name + "/{index}")
        .run(RunBuilder.of("python3", "train.py").timeout(Duration.ofHours(2)))
        .resources(Resources.cpu(4, 12 * TourWorld.GIB))
        .retries(JobBuilder.retries(2));
  }

  static JobSpec with(AdmissionRules rules, JobBuilder job) {
    return job.build().withAdmission(rules);
  }
}

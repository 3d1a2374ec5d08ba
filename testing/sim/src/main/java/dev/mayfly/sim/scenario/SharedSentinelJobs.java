package dev.mayfly.sim.scenario;

import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.sim.engine.SimRandom;
import java.util.List;
import java.util.Optional;

/** Some jobs that may have one object for the sentinels of many tasks have it. */
final class SharedSentinelJobs {
  private SharedSentinelJobs() {}

  static List<PlannedJob> of(List<PlannedJob> jobs, SimRandom simRandom) {
    return jobs.stream().map(job -> shared(job, simRandom)).toList();
  }

  private static PlannedJob shared(PlannedJob job, SimRandom simRandom) {
    var spec = job.spec();
    var data = spec.data();
    if (!simRandom.chance(0.3)
        || spec.exclusive()
        || spec.gang() > 0
        || data.outputs() != OutputMode.UPLOADED) return job;
    var template = data.output().map(it -> it.replaceFirst("/out-([0-9]+)/", "/out-$1/{job}/"));
    var together = Optional.of(Sentinel.Mode.TOGETHER);
    return new PlannedJob(
        job.number(),
        spec.with(
            new JobSpec.Data(
                template,
                data.inputsDownloaded(),
                data.outputs(),
                data.overwrite(),
                data.done(),
                together)),
        job.at(),
        job.stopAt(),
        job.again(),
        job.inputs(),
        0,
        job.tasks());
  }
}

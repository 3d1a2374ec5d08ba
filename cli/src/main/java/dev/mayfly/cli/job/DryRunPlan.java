package dev.mayfly.cli.job;

import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.jobs.JobAdmission;
import dev.mayfly.core.jobs.OutputLookup;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.LeftOutInputs;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.query.estimate.JobForecast;
import dev.mayfly.core.query.estimate.StoppingLimits;
import dev.mayfly.core.sentinel.SharedSentinels;
import dev.mayfly.wire.Wire;
import java.util.List;
import java.util.Optional;
import java.util.stream.LongStream;

/**
 * The plan of a job that is not submitted: its tasks, how they fit, and how many are done already.
 *
 * @param done tasks with a sentinel at their output that the job accepts; none without an output
 *     template, because such outputs are named by the job's uid
 * @param slots concurrent tasks per worker, by pool
 * @param leftOut inputs whose names no task can use
 * @param gathered what the only task reads as a folder, in words
 * @param after jobs that must have ended before
 * @param maxUsd what its tasks may cost in all
 * @param passed limits that it passes, or may pass, if it goes as forecast, in words
 * @param kept the others that stop it
 * @param listedThen whether these may add or remove inputs, so that its tasks are known then
 * @param forecast what its tasks take and cost
 */
record DryRunPlan(
    String job,
    String cluster,
    long tasks,
    long done,
    List<Slots> slots,
    Optional<LeftOutInputs> leftOut,
    Optional<String> gathered,
    List<String> after,
    Optional<Double> maxUsd,
    List<String> passed,
    List<String> kept,
    boolean listedThen,
    JobForecast forecast) {

  /** The capacity of one pool. */
  public record Slots(String pool, String machineType, long each, long workers) {}

  public static DryRunPlan of(
      JobAdmission.Admitted admitted, ClusterSpec cluster, ObjectStore objectStore) {
    var spec = admitted.spec();
    var tasks = admitted.first().counted();
    var named = spec.data().output().isPresent();
    var done = named ? done(admitted, cluster, objectStore) : 0;
    return new DryRunPlan(
        spec.name(),
        cluster.name(),
        tasks,
        done,
        slots(spec, cluster),
        admitted.first().unusable().leftOut(),
        admitted.first().gathered().map(DryRunPlan::words).or(() -> later(spec)),
        spec.admission().after().stream().map(Predecessor::job).toList(),
        spec.admission().maxUsd(),
        List.of(),
        List.of(),
        !spec.admission().after().isEmpty() && spec.tasks().listed().isPresent(),
        JobForecast.unknown("it is not asked for"));
  }

  /** How many tasks it has to run. */
  long left() {
    return tasks - done;
  }

  DryRunPlan with(JobForecast other, StoppingLimits limits) {
    return new DryRunPlan(
        job,
        cluster,
        tasks,
        done,
        slots,
        leftOut,
        gathered,
        after,
        maxUsd,
        limits.passed(other),
        limits.kept(other),
        listedThen,
        other);
  }

  private static String words(GatheredInputs all) {
    return all.what() + ", " + HumanFormat.bytes(all.bytes());
  }

  /** Of a job that waits for others, and reads what they leave. */
  private static Optional<String> later(JobSpec spec) {
    if (!(spec.tasks() instanceof TaskSource.Gather(TaskSource.Listed of))) return Optional.empty();
    return Optional.of(
        switch (of) {
          case TaskSource.Inputs(String glob) -> "all objects of " + glob;
          case TaskSource.InputsOf(String job) -> "all outputs of job " + job;
        });
  }

  private static List<Slots> slots(JobSpec spec, ClusterSpec cluster) {
    return cluster.pools().stream()
        .filter(spec.place()::allowsSomeZone)
        .map(
            p -> new Slots(p.name(), p.machineType(), p.visible().slots(spec.resources()), p.max()))
        .toList();
  }

  private static long done(
      JobAdmission.Admitted admitted, ClusterSpec cluster, ObjectStore objectStore) {
    var spec = admitted.spec();
    var items =
        spec.tasks() instanceof TaskSource.Count c
            ? LongStream.range(0, c.count()).mapToObj(TaskItem::counted).toList()
            : admitted.first().items();
    var outputLookup =
        new OutputLookup(objectStore, new SharedSentinels(objectStore, Wire.codec()));
    return outputLookup.sentinels(spec, cluster.bucket(), spec.name(), items).done().count();
  }
}

package dev.mayfly.sim.spec;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OnDemandRules;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.RetryRules;
import dev.mayfly.core.model.job.TaskSource;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** A job of one single task of cluster {@code lab}, on one processor, unless more is said. */
public final class JobBuilder {
  private final String name;
  private String cluster = "lab";
  private Optional<String> owner = Optional.empty();
  private TaskSource tasks = new TaskSource.Count(1);
  private JobSpec.Data data = uploads(Optional.empty());
  private JobSpec.Run run = RunBuilder.of("work").build();
  private Resources resources = Resources.cpu(1, 1L << 30);
  private RetryRules retries = retries(3);
  private int priority = 50;
  private Placement place = Placement.ANYWHERE;
  private boolean exclusive;
  private int gang;
  private boolean anyRegion;
  private Optional<Duration> settle = Optional.empty();
  private Optional<AdmissionRules> admission = Optional.empty();

  private JobBuilder(String name) {
    this.name = name;
  }

  public static JobBuilder named(String name) {
    return new JobBuilder(name);
  }

  /** A copy. */
  public static JobBuilder like(JobSpec other) {
    return like(other, other.name());
  }

  /** A copy of another name. */
  public static JobBuilder like(JobSpec other, String name) {
    var copy = new JobBuilder(name);
    copy.cluster = other.cluster();
    copy.owner = other.owner();
    copy.tasks = other.tasks();
    copy.data = other.data();
    copy.run = other.run();
    copy.resources = other.resources();
    copy.retries = other.retries();
    copy.priority = other.priority();
    copy.place = other.place();
    copy.exclusive = other.exclusive();
    copy.gang = other.gang();
    copy.anyRegion = other.anyRegion();
    copy.settle = other.settle();
    copy.admission = other.admissionRules();
    return copy;
  }

  /** Outputs that the agent uploads. */
  public static JobSpec.Data uploads(Optional<String> output) {
    return new JobSpec.Data(output, false, OutputMode.UPLOADED, false, Optional.empty());
  }

  /** The rules of a job that never asks for machines on demand. */
  public static RetryRules retries(int failures) {
    return new RetryRules(failures, 100, OnDemandRules.NEVER, List.of());
  }

  public JobBuilder cluster(String it) {
    cluster = it;
    return this;
  }

  public JobBuilder owner(String it) {
    return owner(Optional.of(it));
  }

  public JobBuilder owner(Optional<String> it) {
    owner = it;
    return this;
  }

  public JobBuilder count(long n) {
    return tasks(new TaskSource.Count(n));
  }

  public JobBuilder tasks(TaskSource it) {
    tasks = it;
    return this;
  }

  /** The template of what the agent uploads. */
  public JobBuilder output(String template) {
    return data(uploads(Optional.of(template)));
  }

  public JobBuilder data(JobSpec.Data it) {
    data = it;
    return this;
  }

  public JobBuilder run(RunBuilder it) {
    return run(it.build());
  }

  public JobBuilder run(JobSpec.Run it) {
    run = it;
    return this;
  }

  public JobBuilder resources(Resources it) {
    resources = it;
    return this;
  }

  public JobBuilder retries(RetryRules it) {
    retries = it;
    return this;
  }

  public JobBuilder priority(int it) {
    priority = it;
    return this;
  }

  public JobBuilder pools(List<String> it) {
    return place(Placement.inPools(it));
  }

  public JobBuilder place(Placement it) {
    place = it;
    return this;
  }

  public JobBuilder gang(int workers) {
    gang = workers;
    return this;
  }

  public JobBuilder exclusive(boolean it) {
    exclusive = it;
    return this;
  }

  public JobSpec build() {
    return new JobSpec(
        name, cluster, owner, tasks, data, run, resources, retries, priority, place, exclusive,
        gang, anyRegion, settle, admission);
  }
}

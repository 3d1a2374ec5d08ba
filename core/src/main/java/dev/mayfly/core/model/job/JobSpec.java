package dev.mayfly.core.model.job;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.TaskPrivileges;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The user's specification of a job: a command and the tasks to run it on.
 *
 * @param cluster the name of the cluster that runs it
 * @param owner claimed by the submitter, not proved
 * @param tasks the source of its tasks
 * @param data where inputs come from and outputs go
 * @param run what is started for each task
 * @param resources of one task
 * @param retries how many attempts may fail
 * @param priority 0 to 100, 50 by default; higher goes first
 * @param place which of the cluster's machines may run it
 * @param exclusive whether two attempts of one task must never run at the same time
 * @param gang how many workers of one pool run each task together; 0 and 1 mean single tasks
 * @param anyRegion whether inputs and output may be in another region than the machines; otherwise
 *     such a job is rejected, and it runs only on machines where its buckets are
 * @param settle the longest time from the first successful exit among a task's hosts to the last;
 *     its timeout by default
 */
public record JobSpec(
    String name,
    String cluster,
    Optional<String> owner,
    TaskSource tasks,
    Data data,
    Run run,
    Resources resources,
    Retries retries,
    int priority,
    Placement place,
    boolean exclusive,
    int gang,
    boolean anyRegion,
    Optional<Duration> settle) {
  /** A job of single tasks that runs where its bucket is. */
  public JobSpec(
      String name,
      String cluster,
      Optional<String> owner,
      TaskSource tasks,
      Data data,
      Run run,
      Resources resources,
      Retries retries,
      int priority,
      List<String> pools,
      boolean exclusive) {
    this(
        name,
        cluster,
        owner,
        tasks,
        data,
        run,
        resources,
        retries,
        priority,
        Placement.inPools(pools),
        exclusive,
        0,
        false,
        Optional.empty());
  }

  public JobSpec withPlacement(Placement where) {
    return new JobSpec(
        name, cluster, owner, tasks, data, run, resources, retries, priority, where, exclusive,
        gang, anyRegion, settle);
  }

  public JobSpec withOutput(Optional<String> output) {
    return with(new Data(output, data.inputsDownloaded, data.outputs, data.overwrite), run);
  }

  /**
   * The spec as its tasks run in the cluster: with the cluster's secrets, image and registries as
   * defaults, and only those requested rights that the cluster allows.
   */
  public JobSpec in(ClusterSpec cluster) {
    var there =
        run.with(
            merged(cluster.secrets(), run.secrets),
            run.image.or(cluster::image),
            merged(cluster.registries(), run.registries),
            run.rights.and(cluster.allows()));
    return there.equals(run) ? this : with(data, there);
  }

  /** A copy with this image. */
  public JobSpec in(PinnedImage image) {
    var exact = Optional.of(image.name());
    return with(data, run.with(run.secrets, exact, run.registries, run.rights));
  }

  /** A copy whose tasks have these rights. */
  public JobSpec with(TaskPrivileges taskPrivileges) {
    return with(data, run.with(run.secrets, run.image, run.registries, taskPrivileges));
  }

  private static Map<String, String> merged(Map<String, String> usual, Map<String, String> first) {
    var all = new HashMap<>(usual);
    all.putAll(first);
    return all;
  }

  private JobSpec with(Data in, Run what) {
    return new JobSpec(
        name, cluster, owner, tasks, in, what, resources, retries, priority, place, exclusive, gang,
        anyRegion, settle);
  }

  /**
   * Inputs and outputs.
   *
   * @param output the template of an output's URL; by default {@code <bucket>/mayfly/<job>/<index>}
   * @param inputsDownloaded whether the agent fetches the input even if the command does not name
   *     {inputFile}
   * @param outputs how outputs get into the store
   * @param overwrite whether an existing object that is not Mayfly's may be replaced
   */
  public record Data(
      Optional<String> output, boolean inputsDownloaded, Outputs outputs, boolean overwrite) {
    /** For a job whose tasks leave an output. */
    public Data(
        Optional<String> output,
        boolean inputsDownloaded,
        boolean outputsWritten,
        boolean overwrite) {
      this(
          output, inputsDownloaded, outputsWritten ? Outputs.WRITTEN : Outputs.UPLOADED, overwrite);
    }

    /**
     * Whether a successful task must have left an output: the job names a place for it, or says
     * that the task writes it.
     */
    public boolean outputsRequired() {
      return switch (outputs) {
        case UPLOADED -> output.isPresent();
        case WRITTEN -> true;
        case NONE -> false;
      };
    }
  }

  /** How a task's output gets into the store. */
  public enum Outputs {
    /** The agent uploads what the task leaves at {outputFile}. */
    UPLOADED,
    /** The task writes {output} itself. */
    WRITTEN,
    /** No output: {output} only names the sentinel's place. */
    NONE
  }

  /**
   * What is started.
   *
   * @param command argv with {placeholders}; never passed to a shell
   * @param code the URL of a zip of the working tree, named by its content hash
   * @param timeout the longest run time of one attempt
   * @param grace between the request to end and the kill
   * @param cutOff how long an agent works on in a partition
   * @param secrets added to the cluster's, overriding equal names
   * @param image overrides the cluster's
   * @param registries logins, added to the cluster's, overriding equal hosts
   * @param rights what its tasks request beyond the default
   */
  public record Run(
      List<String> command,
      Optional<String> code,
      Map<String, String> env,
      Duration timeout,
      Duration grace,
      Duration cutOff,
      Map<String, String> secrets,
      Optional<String> image,
      Map<String, String> registries,
      TaskPrivileges rights) {
    public Run {
      command = List.copyOf(command);
      env = Map.copyOf(env);
      secrets = Map.copyOf(secrets);
      registries = Map.copyOf(registries);
    }

    /** With default rights. */
    public Run(
        List<String> command,
        Optional<String> code,
        Map<String, String> env,
        Duration timeout,
        Duration grace,
        Duration cutOff,
        Map<String, String> secrets,
        Optional<String> image,
        Map<String, String> registries) {
      this(
          command,
          code,
          env,
          timeout,
          grace,
          cutOff,
          secrets,
          image,
          registries,
          TaskPrivileges.NONE);
    }

    /** A copy with another environment. */
    private Run with(
        Map<String, String> otherSecrets,
        Optional<String> otherImage,
        Map<String, String> otherRegistries,
        TaskPrivileges otherRights) {
      return new Run(
          command,
          code,
          env,
          timeout,
          grace,
          cutOff,
          otherSecrets,
          otherImage,
          otherRegistries,
          otherRights);
    }

    /** The longest time of one attempt on a machine; empty if unlimited. */
    public Optional<Duration> longest() {
      return timeout.isPositive() ? Optional.of(timeout.plus(grace)) : Optional.empty();
    }

    /** Without secrets, in the cluster's image if it has one. */
    public Run(
        List<String> command,
        Optional<String> code,
        Map<String, String> env,
        Duration timeout,
        Duration grace,
        Duration cutOff) {
      this(command, code, env, timeout, grace, cutOff, Map.of(), Optional.empty(), Map.of());
    }
  }

  /**
   * Separate budgets of failed attempts.
   *
   * @param failures how many attempts may fail by the user's fault; the last of them fails the task
   * @param infrastructure how many attempts may fail by the infrastructure, preemptions included
   * @param onDemand when spot machines are not enough
   */
  public record Retries(int failures, int infrastructure, OnDemand onDemand) {
    /** Without on-demand machines. */
    public Retries(int failures, int infrastructure) {
      this(failures, infrastructure, OnDemand.NEVER);
    }
  }

  /**
   * When work moves to on-demand machines, in pools that allow it.
   *
   * @param preemptions after this many infrastructure failures, a task no longer runs on spot
   *     machines; 0 means never
   * @param deadline time from submission until the whole job must be done
   * @param before how long before the deadline on-demand machines are launched for the job
   */
  public record OnDemand(int preemptions, Optional<Duration> deadline, Duration before) {
    public static final OnDemand NEVER = new OnDemand(0, Optional.empty(), Duration.ZERO);

    public boolean asked() {
      return preemptions > 0 || deadline.isPresent();
    }

    /** From when on the whole job is urgent; empty if never. */
    public Optional<Instant> urgentFrom(Instant submittedAt) {
      return deadline.map(d -> submittedAt.plus(d).minus(before));
    }
  }

  /** Whether its tasks may be preempted by the other job's: higher priority, or another owner. */
  public boolean mayGiveWayTo(JobSpec other) {
    return priority < other.priority || (priority == other.priority && !owner.equals(other.owner));
  }
}

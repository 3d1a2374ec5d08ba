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
 * What a user asks of a job: a command and the tasks to run it on.
 *
 * @param cluster the name of the cluster that runs it
 * @param owner who says that they own it; it is claimed, not proved
 * @param tasks what the tasks are made from
 * @param data where inputs come from and outputs go
 * @param run what is started for each task
 * @param resources what one task needs
 * @param retries how many attempts may fail
 * @param priority a higher one goes first; 50 unless told, 0 to 100
 * @param place which of the cluster's machines may run it
 * @param exclusive whether two attempts of one task must never run at the same time
 * @param gang how many workers of one pool run each task together; 0 and 1: each for itself
 * @param anyRegion whether inputs and output may be in another region than the machines; otherwise
 *     such a job is refused, and only machines where its buckets are run it
 * @param settle from the first exit with 0 of a task's hosts to the last one's; as long as its
 *     timeout unless told
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
  /** A job whose tasks run each for itself, where its bucket is. */
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

  /** The same job, on these machines. */
  public JobSpec withPlacement(Placement where) {
    return new JobSpec(
        name, cluster, owner, tasks, data, run, resources, retries, priority, where, exclusive,
        gang, anyRegion, settle);
  }

  /** With another template of its outputs. */
  public JobSpec withOutput(Optional<String> output) {
    return with(new Data(output, data.inputsDownloaded, data.outputs, data.overwrite), run);
  }

  /**
   * As its tasks run there: the cluster's secrets, image and registries where the job has none of
   * its own, and of the rights that it asks for those that the cluster allows.
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

  /** The same job in this image. */
  public JobSpec in(PinnedImage image) {
    var exact = Optional.of(image.name());
    return with(data, run.with(run.secrets, exact, run.registries, run.rights));
  }

  /** The same job, whose tasks may do that. */
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
   * @param output the template of an output's URL; without one it is {@code
   *     <bucket>/mayfly/<job>/<index>}
   * @param inputsDownloaded whether the agent fetches the input even if the command does not name
   *     {inputFile}
   * @param outputs how outputs get there
   * @param overwrite whether an object of somebody else at the output may be replaced
   */
  public record Data(
      Optional<String> output, boolean inputsDownloaded, Outputs outputs, boolean overwrite) {
    /** Of a job whose tasks leave something. */
    public Data(
        Optional<String> output,
        boolean inputsDownloaded,
        boolean outputsWritten,
        boolean overwrite) {
      this(
          output, inputsDownloaded, outputsWritten ? Outputs.WRITTEN : Outputs.UPLOADED, overwrite);
    }

    /**
     * Whether a task that ends well must have left something: where the job names a place for it,
     * or says that the task puts it there.
     */
    public boolean outputsRequired() {
      return switch (outputs) {
        case UPLOADED -> output.isPresent();
        case WRITTEN -> true;
        case NONE -> false;
      };
    }
  }

  /** How a task's output gets to its place. */
  public enum Outputs {
    /** The agent uploads what the task leaves at {outputFile}. */
    UPLOADED,
    /** The task writes {output} itself. */
    WRITTEN,
    /** There is none: {output} only names the sentinel's place. */
    NONE
  }

  /**
   * What is started.
   *
   * @param command argv with {placeholders}; never given to a shell
   * @param code the URL of a zip of the working tree, named by its content hash
   * @param timeout the longest that one attempt may run
   * @param grace between the request to end and the kill
   * @param cutOff how long an agent that reaches nobody works on
   * @param secrets as the cluster's, and before them
   * @param image instead of the cluster's
   * @param registries logins, as the cluster's and before them
   * @param rights what its tasks ask for beyond what every task may do
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

    /** Whose tasks may do what every task may. */
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

    /** The same command, in other surroundings. */
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

    /** How long one attempt is on a machine at most; empty if it may run for ever. */
    public Optional<Duration> longest() {
      return timeout.isPositive() ? Optional.of(timeout.plus(grace)) : Optional.empty();
    }

    /** Without secrets, in the cluster's container if it has one. */
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
   * Budgets apart.
   *
   * @param failures attempts that may fail by the user's fault; the last of them fails the task
   * @param infrastructure attempts that may end by ours, preemption included
   * @param onDemand when machines that the cloud takes back at any moment are not enough
   */
  public record Retries(int failures, int infrastructure, OnDemand onDemand) {
    /** On whatever machines there are. */
    public Retries(int failures, int infrastructure) {
      this(failures, infrastructure, OnDemand.NEVER);
    }
  }

  /**
   * When work goes to on-demand machines, of pools that allow it.
   *
   * @param preemptions after so many attempts of a task that ended by our fault, it is run on no
   *     spot machine any more; 0: it always is
   * @param deadline by when, from its submission on, all of the job is to be done
   * @param before so long before the deadline, machines for the job are bought on demand
   */
  public record OnDemand(int preemptions, Optional<Duration> deadline, Duration before) {
    public static final OnDemand NEVER = new OnDemand(0, Optional.empty(), Duration.ZERO);

    public boolean asked() {
      return preemptions > 0 || deadline.isPresent();
    }

    /** From when on all of a job is urgent; empty if it never is. */
    public Optional<Instant> urgentFrom(Instant submittedAt) {
      return deadline.map(d -> submittedAt.plus(d).minus(before));
    }
  }

  /** Whether its tasks may have to give way: to a higher priority, or to an owner who has less. */
  public boolean mayGiveWayTo(JobSpec other) {
    return priority < other.priority || (priority == other.priority && !owner.equals(other.owner));
  }
}

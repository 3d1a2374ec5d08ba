package dev.mayfly.core.model.job;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.UnaryOperator;

/**
 * The user's specification of a job: a command and the tasks to run it on.
 *
 * @param cluster the name of the cluster that runs it
 * @param owner claimed by the submitter, unless it came by the owner's own topic
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
 * @param admissionRules when it may start; at once by default
 */
public record JobSpec(
    String name,
    String cluster,
    Optional<String> owner,
    TaskSource tasks,
    Data data,
    Run run,
    Resources resources,
    RetryRules retries,
    int priority,
    Placement place,
    boolean exclusive,
    int gang,
    boolean anyRegion,
    Optional<Duration> settle,
    Optional<AdmissionRules> admissionRules) {
  /** A copy of that name. */
  public JobSpec named(String other) {
    return called(other, owner);
  }

  /** A copy of that owner. */
  public JobSpec ownedBy(String person) {
    return called(name, Optional.of(person));
  }

  private JobSpec called(String other, Optional<String> whose) {
    return new JobSpec(
        other,
        cluster,
        whose,
        tasks,
        data,
        run,
        resources,
        retries,
        priority,
        place,
        exclusive,
        gang,
        anyRegion,
        settle,
        admissionRules);
  }

  public JobSpec withPlacement(Placement where) {
    return copy(data, run, where, admissionRules);
  }

  public JobSpec withAdmission(AdmissionRules rules) {
    return copy(data, run, place, rules.unlessNone());
  }

  /** Equal for all submissions of one document: without the uids and locations it is given. */
  public JobSpec content() {
    return withAdmission(admission().withoutUids()).withPlacement(place.withLocations(List.of()));
  }

  /** What commands call it. */
  public String address() {
    return JobAddress.of(owner, name);
  }

  public AdmissionRules admission() {
    return admissionRules.orElse(AdmissionRules.NONE);
  }

  public JobSpec withOutput(Optional<String> output) {
    var in = data;
    return with(
        new Data(output, in.inputsDownloaded, in.outputs, in.overwrite, in.done, in.sentinels));
  }

  public JobSpec with(Data other) {
    return with(other, run);
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
            run.rights.and(cluster.allows()),
            run.taskEnvironment().withDefaultSetup(cluster.setup()));
    return there.equals(run) ? this : with(data, there);
  }

  public JobSpec in(PinnedImage image) {
    return withImage(Optional.of(image.name()));
  }

  private JobSpec withImage(Optional<String> name) {
    var env = run.taskEnvironment();
    return with(data, run.with(run.secrets, name, run.registries, run.rights, env));
  }

  /** The same object if it has no image or the name stays. */
  public JobSpec withImage(UnaryOperator<String> name) {
    var other = run.image.map(name);
    return other.equals(run.image) ? this : withImage(other);
  }

  /** A copy whose tasks have these rights. */
  public JobSpec with(TaskRights taskRights) {
    var env = run.taskEnvironment();
    return with(data, run.with(run.secrets, run.image, run.registries, taskRights, env));
  }

  public JobSpec with(TaskEnvironment environment) {
    return with(data, run.with(environment));
  }

  private static Map<String, String> merged(Map<String, String> usual, Map<String, String> first) {
    var all = new HashMap<>(usual);
    all.putAll(first);
    return all;
  }

  private JobSpec with(Data in, Run what) {
    return copy(in, what, place, admissionRules);
  }

  private JobSpec copy(Data in, Run what, Placement where, Optional<AdmissionRules> rules) {
    return new JobSpec(
        name, cluster, owner, tasks, in, what, resources, retries, priority, where, exclusive, gang,
        anyRegion, settle, rules);
  }

  /**
   * Inputs and outputs.
   *
   * @param output the template of an output's URL; by default {@code <bucket>/mayfly/<job>/<index>}
   * @param inputsDownloaded whether the agent fetches the input even if the command does not name
   *     its file
   * @param outputs how outputs get into the store
   * @param overwrite whether an existing object that is not Mayfly's may be replaced
   * @param done what makes a task done before it runs; empty for {@link DoneRule#ANY}
   * @param sentinels where sentinels are; empty for {@link Sentinel.Mode#EACH}
   */
  public record Data(
      Optional<String> output,
      boolean inputsDownloaded,
      OutputMode outputs,
      boolean overwrite,
      Optional<DoneRule> done,
      Optional<Sentinel.Mode> sentinels) {
    public Data {
      sentinels = sentinels.filter(mode -> mode != Sentinel.Mode.EACH);
    }

    /** With a sentinel for each task. */
    public Data(
        Optional<String> output,
        boolean inputsDownloaded,
        OutputMode outputs,
        boolean overwrite,
        Optional<DoneRule> done) {
      this(output, inputsDownloaded, outputs, overwrite, done, Optional.empty());
    }

    /** The same with the sentinels of many tasks in one object. */
    public Data together() {
      var mode = Optional.of(Sentinel.Mode.TOGETHER);
      return new Data(output, inputsDownloaded, outputs, overwrite, done, mode);
    }

    /** Whether the sentinels of many tasks are in one object. */
    public boolean sealedTogether() {
      return sentinels.isPresent();
    }

    /** Of all tasks; {@link DoneRule#of} one it may be another. */
    public DoneRule doneRule() {
      return done.orElse(DoneRule.ANY);
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
   * @param environment of its tasks; empty for {@link TaskEnvironment#NONE}
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
      TaskRights rights,
      Optional<TaskEnvironment> environment) {
    public Run {
      environment = environment.filter(e -> !e.equals(TaskEnvironment.NONE));
      command = List.copyOf(command);
      env = Map.copyOf(env);
      secrets = Map.copyOf(secrets);
      registries = Map.copyOf(registries);
    }

    public TaskEnvironment taskEnvironment() {
      return environment.orElse(TaskEnvironment.NONE);
    }

    public Run with(TaskEnvironment other) {
      return with(secrets, image, registries, rights, other);
    }

    private Run with(
        Map<String, String> secrets,
        Optional<String> image,
        Map<String, String> registries,
        TaskRights rights,
        TaskEnvironment environment) {
      var given = Optional.of(environment);
      return new Run(
          command, code, env, timeout, grace, cutOff, secrets, image, registries, rights, given);
    }

    /** The longest time of one attempt on a machine; empty if unlimited. */
    public Optional<Duration> longest() {
      return timeout.isPositive() ? Optional.of(timeout.plus(grace)) : Optional.empty();
    }
  }

  /** Whether its tasks may be preempted by those of the other job. */
  public boolean mayGiveWayTo(JobSpec other) {
    return priority < other.priority || (priority == other.priority && !owner.equals(other.owner));
  }
}

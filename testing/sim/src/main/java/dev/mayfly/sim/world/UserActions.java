package dev.mayfly.sim.world;

import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fake.UsageCounter;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.observation.PublishedCommand;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.Scenario;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** Users' actions: publish a cluster, submit jobs, some of them twice, and stop some. */
public final class UserActions {
  /** GPUs that no task requests, so that the pool needs other machines. */
  private static final MachineSpec.Gpu MORE = new MachineSpec.Gpu("nvidia-tesla-t4", 1);

  private final World world;
  private final SimRandom simRandom;
  private final Set<String> submissions = new TreeSet<>();
  private final Set<String> jobs = new TreeSet<>();
  private final List<PublishedCommand> publishedCommand = new ArrayList<>();
  private final FollowUpCommands followUpCommands;
  private final CordonActions cordonActions;
  private boolean going;
  private int messages;

  /** Planned actions, and messages before their first delivery. */
  private int planned;

  UserActions(World world) {
    this.world = world;
    simRandom = world.dice().of("users");
    followUpCommands = new FollowUpCommands(world, this);
    cordonActions = new CordonActions(world, this);
  }

  List<PublishedCommand> published() {
    return publishedCommand;
  }

  /** Whether an action or a message is pending: a world does not end before. */
  public boolean awaited() {
    return planned > 0 || followUpCommands.awaited() || cordonActions.awaited();
  }

  private void after(Duration delay, Runnable act) {
    planned++;
    world
        .time()
        .after(
            delay,
            () -> {
              planned--;
              act.run();
            });
  }

  /** Whether the cluster exists: before, commands about it would be rejected. */
  public boolean clusterExists(String cluster) {
    return world
        .ledger()
        .readSpoiled(new DocumentKey.OfClusterName(cluster))
        .flatMap(name -> name.value().uid())
        .isPresent();
  }

  boolean going() {
    return going;
  }

  /** Ids of all submissions published so far. */
  Set<String> submissions() {
    return submissions;
  }

  /** Addresses of the jobs that were submitted so far. */
  Set<String> jobs() {
    return jobs;
  }

  /** So many machines of people's own join their pool, and stay. */
  public void join(int machines) {
    new StaticMachine(world).join(machines);
  }

  void plan(Scenario scenario) {
    publish(new UserCommand.ApplyCluster(scenario.cluster(), Optional.empty(), false));
    scenario
        .neighbour()
        .ifPresent(other -> publish(new UserCommand.ApplyCluster(other, Optional.empty(), false)));
    plan(scenario.whims());
    // A scripted world does only what its test requests.
    if (scenario.whims().followUps()) {
      followUpCommands.plan(scenario);
      cordonActions.plan(scenario);
    }
    for (var job : scenario.jobs()) {
      put(job);
      after(job.at().plusSeconds(1), () -> submit(job));
      job.again().ifPresent(at -> after(at.plus(job.at()).plusSeconds(2), () -> submit(job)));
      job.stopAt()
          .ifPresent(at ->
              after(
                  at.plusSeconds(1),
                  () ->
                      publish(
                          new UserCommand.StopJob(job.spec().cluster(), job.spec().address()))));
    }
  }

  private void plan(OperatorActions operatorActions) {
    operatorActions.drain().ifPresent(at -> after(at, this::drain));
    operatorActions.change().ifPresent(at -> after(at, this::change));
    operatorActions.down().ifPresent(at -> after(at, this::down));
    operatorActions.joins().ifPresent(at -> after(at, () -> new StaticMachine(world).visit()));
    for (var plannedCommand : operatorActions.commands())
      after(plannedCommand.at(), () -> publish(plannedCommand.command()));
  }

  /** Drains a worker that has work, if any. */
  private void drain() {
    world.truth().all(Worker.class).stream()
        .filter(w -> w.name().startsWith("lab-") && w.state() instanceof WorkerState.Ready)
        .max(Comparator.<Worker>comparingInt(w -> w.held().size()).thenComparing(Worker::name))
        .ifPresent(w -> publish(new UserCommand.DrainWorker("lab", w.name())));
  }

  private void change() {
    var spec = world.scenario().cluster();
    var most = new HashMap<String, Integer>();
    var pools = spec.pools().stream().map(pool -> resized(pool, most)).toList();
    if (!going)
      publish(
          new UserCommand.ApplyCluster(
              new ClusterSpec(
                  spec.name(),
                  spec.bucket(),
                  spec.env(),
                  pools,
                  spec.owner(),
                  spec.secrets(),
                  spec.image(),
                  spec.registries(),
                  spec.mounts(),
                  spec.rollout(),
                  TaskRights.NONE,
                  List.of(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Optional.empty(),
                  Map.of(),
                  Optional.empty(),
                  Optional.empty()),
              Optional.empty(),
              false));
  }

  /**
   * @param most by family, which has one maximum
   */
  private PoolSpec resized(PoolSpec p, Map<String, Integer> most) {
    var larger =
        new PoolSpec(
            p.name(),
            p.machineType(),
            p.visible(),
            p.zones(),
            p.provisioning(),
            p.min(),
            most.computeIfAbsent(p.family(), _ -> simRandom.between(6, 12)),
            p.idleAfter(),
            p.life(),
            MachineSpec.PLAIN);
    // Every other change needs other machines, while work runs.
    return simRandom.chance(0.5) ? larger.withMachine(MachineSpec.PLAIN.with(MORE)) : larger;
  }

  /** Takes the cluster down: no more submissions, and pending ones may be rejected. */
  private void down() {
    going = true;
    for (var job : world.scenario().jobs()) if (ofLab(job)) jobs.remove(job.spec().address());
    publish(new UserCommand.DownCluster("lab"));
  }

  /** Submits the job once the cluster is up. */
  private void submit(PlannedJob job) {
    if (going && ofLab(job)) return;
    if (clusterExists(job.spec().cluster())) publish(job);
    else after(Duration.ofSeconds(5), () -> submit(job));
  }

  private static boolean ofLab(PlannedJob job) {
    return job.spec().cluster().equals("lab");
  }

  private void publish(PlannedJob job) {
    submit(job.spec(), job.submission());
  }

  /** Submits a job at once; its message must have an effect. */
  public void submit(JobSpec spec, String submission) {
    submissions.add(submission);
    jobs.add(spec.address());
    publish(new UserCommand.SubmitJob(spec, Optional.of(submission)));
  }

  /** Deletes a task's sentinel, as users do to have it run again. */
  public void deleteSentinel(Job job, long index) {
    world.truth().sentinels().delete(job, index);
    world
        .truth()
        .sentinels()
        .of(job, index)
        .ifPresent(info -> world.objects().delete(info.url(), info.generation()));
  }

  public void publish(UserCommand userCommand) {
    world.tally().add(UsageCounter.Kind.PUBLISHED, 1);
    // No two at one moment, because their order would be undefined.
    var at = world.time().instant().plus(++messages * 10L, ChronoUnit.MICROS);
    var userMessage =
        new UserMessage(
            "m" + messages,
            at,
            MessageTopic.ofAll(UserTopic.of(userCommand)),
            Optional.empty(),
            world.codec().message(List.of(userCommand)));
    world
        .trace()
        .add("published " + userMessage.id() + " " + userCommand.getClass().getSimpleName());
    publishedCommand.add(new PublishedCommand(userMessage.publishedAt(), userCommand));
    followUpCommands.repeat(userMessage);
    deliver(userMessage);
    if (world.weather().strikes(Fault.MESSAGE_DUPLICATE)) deliver(userMessage);
  }

  private void deliver(UserMessage userMessage) {
    var delay =
        world.weather().strikes(Fault.MESSAGE_LATE)
            ? world.weather().dice(Fault.MESSAGE_LATE).seconds(1, 400)
            : Duration.ofMillis(simRandom.between(5, 80));
    after(delay, () -> world.gateway().deliver(userMessage));
  }

  /**
   * Puts the inputs, sentinels of older programs beside the outputs, and outputs of an earlier job
   * whose sentinels were deleted.
   */
  private void put(PlannedJob job) {
    for (var i = 0; i < job.inputs(); i++)
      create("in-" + job.number() + "/f%04d.txt".formatted(i), "input");
    var outputs = job.inputs() > 0 ? "f%04d" : "%d";
    for (var i = 0; i < job.sealed(); i++)
      create("out-" + job.number() + "/" + outputs.formatted(i) + ".out.COMPLETE", "");
    var stale = world.dice().of("stale " + job.number()).between(0, 4);
    for (var i = job.sealed(); i < job.sealed() + stale; i++)
      create("out-" + job.number() + "/" + outputs.formatted(i) + ".out", "stale", past(i));
  }

  private static Map<String, String> past(int index) {
    return Map.of(
        "mayfly-job", "past", "mayfly-task", Integer.toString(index), "mayfly-attempt", "s9e9");
  }

  private void create(String name, String text) {
    create(name, text, Map.of());
  }

  private void create(String name, String text, Map<String, String> metadata) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    world
        .objects()
        .create(
            ObjectUrl.of(world.scenario().cluster().bucket()).resolve(name),
            ObjectStore.Content.of(bytes),
            metadata);
  }
}

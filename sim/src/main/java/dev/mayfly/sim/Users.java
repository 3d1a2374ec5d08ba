package dev.mayfly.sim;

import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.MachineSpec;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Topic;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import dev.mayfly.sim.check.Published;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Tally;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** What people do: publish a cluster, submit jobs, some of them twice, and stop some. */
final class Users {
  /** GPUs that no task asks for: enough to make it another machine. */
  private static final MachineSpec.Gpu MORE = new MachineSpec.Gpu("nvidia-tesla-t4", 1);

  private final World world;
  private final Dice dice;
  private final Set<String> submissions = new TreeSet<>();
  private final Set<String> jobs = new TreeSet<>();
  private final List<Published> published = new ArrayList<>();
  private final Words words;
  private boolean going;
  private int messages;

  /** What people will still do, and messages that are on their way for the first time. */
  private int planned;

  Users(World world) {
    this.world = world;
    dice = world.dice().of("users");
    words = new Words(world, this);
  }

  List<Published> published() {
    return published;
  }

  /**
   * Whether somebody will still say something, or some message is still on its way: a world in
   * which nothing is left to do is not at its end before.
   */
  boolean awaited() {
    return planned > 0 || words.awaited();
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

  /** Whether there is a cluster of that name: before, what is said about it would be refused. */
  boolean up(String cluster) {
    return world.ledger().truly(new Key.OfClusterName(cluster)).isPresent();
  }

  boolean going() {
    return going;
  }

  /** Ids of all submissions published so far. */
  Set<String> submissions() {
    return submissions;
  }

  /** Names of the jobs that were submitted so far. */
  Set<String> jobs() {
    return jobs;
  }

  void plan(Scenario scenario) {
    publish(new Command.ApplyCluster(scenario.cluster()));
    scenario.neighbour().ifPresent(other -> publish(new Command.ApplyCluster(other)));
    plan(scenario.whims());
    // In a staged world nothing happens that its test does not ask for.
    if (scenario.whims().more()) words.plan(scenario);
    for (var job : scenario.jobs()) {
      put(job);
      after(job.at().plusSeconds(1), () -> submit(job));
      job.again().ifPresent(at -> after(at.plus(job.at()).plusSeconds(2), () -> submit(job)));
      job.stopAt()
          .ifPresent(at ->
              after(
                  at.plusSeconds(1),
                  () -> publish(new Command.StopJob(job.spec().cluster(), job.spec().name()))));
    }
  }

  private void plan(Whims whims) {
    whims.drain().ifPresent(at -> after(at, this::drain));
    whims.change().ifPresent(at -> after(at, this::change));
    whims.down().ifPresent(at -> after(at, this::down));
    whims.joins().ifPresent(at -> after(at, () -> OwnMachine.join(world)));
    for (var said : whims.says()) after(said.at(), () -> publish(said.command()));
  }

  /** Of a worker that has something to do, if there is one. */
  private void drain() {
    world.truth().all(Worker.class).stream()
        .filter(w -> w.name().startsWith("lab-") && w.state() instanceof WorkerState.Ready)
        .max(Comparator.<Worker>comparingInt(w -> w.held().size()).thenComparing(Worker::name))
        .ifPresent(w -> publish(new Command.DrainWorker("lab", w.name())));
  }

  private void change() {
    var spec = world.scenario().cluster();
    var pools = spec.pools().stream().map(this::resized).toList();
    if (!going)
      publish(
          new Command.ApplyCluster(
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
                  spec.rollout())));
  }

  private PoolSpec resized(PoolSpec p) {
    var larger =
        new PoolSpec(
            p.name(),
            p.machineType(),
            p.visible(),
            p.zones(),
            p.provisioning(),
            p.min(),
            dice.between(6, 12),
            p.idleAfter(),
            p.life());
    // Every other change needs other machines, in the middle of whatever runs.
    return dice.chance(0.5) ? larger.of(MachineSpec.PLAIN.with(MORE)) : larger;
  }

  /** Nothing is submitted any more, and what was may be refused. */
  private void down() {
    going = true;
    for (var job : world.scenario().jobs()) if (ofLab(job)) jobs.remove(job.spec().name());
    publish(new Command.DownCluster("lab"));
  }

  /** Once the cluster is up. */
  private void submit(PlannedJob job) {
    if (going && ofLab(job)) return;
    if (up(job.spec().cluster())) publish(job);
    else after(Duration.ofSeconds(5), () -> submit(job));
  }

  private static boolean ofLab(PlannedJob job) {
    return job.spec().cluster().equals("lab");
  }

  private void publish(PlannedJob job) {
    submit(job.spec(), job.submission());
  }

  /** Submits a job at once, which must come to something. */
  void submit(JobSpec spec, String submission) {
    submissions.add(submission);
    jobs.add(spec.name());
    publish(new Command.SubmitJob(spec, Optional.of(submission)));
  }

  void publish(Command command) {
    world.tally().add(Tally.Kind.PUBLISHED, 1);
    // No two at one moment: which of them is newer would be anybody's guess.
    var at = world.time().instant().plus(++messages * 10L, ChronoUnit.MICROS);
    var message =
        new Message("m" + messages, at, Topic.of(command), world.codec().message(List.of(command)));
    world.trace().add("published " + message.id() + " " + command.getClass().getSimpleName());
    published.add(new Published(message.publishedAt(), command));
    words.repeat(message);
    deliver(message);
    if (world.weather().strikes(Fault.MESSAGE_DUPLICATE)) deliver(message);
  }

  private void deliver(Message message) {
    var delay =
        world.weather().strikes(Fault.MESSAGE_LATE)
            ? world.weather().dice(Fault.MESSAGE_LATE).seconds(1, 400)
            : Duration.ofMillis(dice.between(5, 80));
    after(delay, () -> world.gateway().deliver(message));
  }

  /** The inputs, and sentinels that older programs left beside where the outputs go. */
  private void put(PlannedJob job) {
    for (var i = 0; i < job.inputs(); i++)
      create("in-" + job.number() + "/f%04d.txt".formatted(i), "input");
    var outputs = job.inputs() > 0 ? "f%04d" : "%d";
    for (var i = 0; i < job.sealed(); i++)
      create("out-" + job.number() + "/" + outputs.formatted(i) + ".out.COMPLETE", "");
  }

  private void create(String name, String text) {
    var bytes = text.getBytes(StandardCharsets.UTF_8);
    world
        .objects()
        .create(
            Url.of(world.scenario().cluster().bucket()).in(name),
            Objects.Content.of(bytes),
            Map.of());
  }
}

package dev.mayfly.sim.command;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.core.model.document.Schedule;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.schedule.ScheduleRule;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One published sequence, with or without repeats. */
final class CommandSequence {
  private static final int LONGEST = 14;

  private final LabCluster labCluster = new LabCluster();
  private final SimRandom choice;
  private final SimRandom chance;
  private final boolean repeats;
  private final ClusterSpec base;
  private final List<UserMessage> published = new ArrayList<>();
  final StringBuilder story = new StringBuilder();
  private int number;

  CommandSequence(long seed, boolean repeats) {
    choice = new SimRandom(seed).of("commands");
    chance = new SimRandom(seed).of("repeats");
    this.repeats = repeats;
    base = spec(labCluster);
  }

  List<UserCommand> commands() {
    var userCommands = new ArrayList<UserCommand>();
    var many = choice.between(4, LONGEST);
    // A sequence begins with a cluster that has a static pool.
    userCommands.add(cluster());
    for (var i = 0; i < many; i++) userCommands.add(command());
    return userCommands;
  }

  Map<String, String> run() {
    for (var userCommand : commands()) {
      story
          .append("\n")
          .append(++number)
          .append(' ')
          .append(userCommand.getClass().getSimpleName());
      var userMessage = labCluster.message(userCommand);
      published.add(userMessage);
      deliver(userMessage);
      repeat(2);
      settle(choice.between(0, 2));
      repeat(2);
    }
    settle(8);
    labCluster.advance(Duration.ofHours(3).toMillis());
    repeat(published.size());
    settle(8);
    return state();
  }

  private void repeat(int most) {
    if (!repeats) return;
    var times = chance.between(0, most);
    for (var i = 0; i < times; i++) {
      var late = chance.pick(published);
      story.append(" (again ").append(published.indexOf(late) + 1).append(')');
      deliver(late);
    }
  }

  private void deliver(UserMessage userMessage) {
    try {
      labCluster.controlPlane.commandHandler().handle(userMessage);
    } catch (UnavailableException later) {
      story.append(" not now: ").append(later.getMessage());
    }
  }

  private void settle(int ticks) {
    for (var i = 0; i < ticks; i++) {
      while (!labCluster.triggers.isEmpty())
        labCluster.controlPlane.handle(labCluster.triggers.removeFirst());
      labCluster.advance(60_000);
      labCluster.controlPlane.handle(new Trigger.Tick());
    }
  }

  private UserCommand command() {
    var job = choice.pick(List.of("ann/j-1", "bob/j-1", "j-2"));
    var slice = choice.pick(List.of("s-1", "s-2"));
    return switch (choice.between(1, 24)) {
      case 1, 2 -> cluster();
      case 3 -> new UserCommand.DownCluster("lab");
      case 4, 5 -> submit(job);
      case 6, 7 -> new UserCommand.StopJob("lab", job);
      case 8 -> new UserCommand.RetryJob("lab", job);
      case 9 -> new UserCommand.FollowLogs("lab", job);
      case 10 -> new UserCommand.DrainWorker("lab", "own-1");
      case 11 -> join();
      case 12 -> create(slice);
      case 13 -> new UserCommand.DeleteSlice("lab", slice);
      case 14 -> new UserCommand.StopTasks("lab", job, TaskRanges.parse("0"));
      case 15 -> new UserCommand.RetryTasks("lab", job, TaskRanges.parse("0"));
      case 16 -> new UserCommand.AddTasks("lab", job, Optional.empty(), List.of());
      case 17 -> new UserCommand.CloseJob("lab", job, Optional.empty());
      case 18 -> new UserCommand.Cordon("lab", choice.pick(List.of("own-1", "own")), Cordon.USUAL);
      case 19 -> new UserCommand.Uncordon("lab", choice.pick(List.of("own-1", "own")));
      case 20, 21 -> schedule();
      case 22, 23 ->
          new UserCommand.ChangeSchedule(
              "lab", "s", choice.pick(List.of(UserCommand.ChangeSchedule.Action.values())));
      default -> new UserCommand.ReshapeSlice("lab", slice, "v4-16", 2);
    };
  }

  private UserCommand cluster() {
    var own =
        new PoolSpec(
            "own",
            "own",
            Resources.cpu(2, 8L << 30),
            List.of("us-a"),
            Provisioning.STATIC,
            0,
            choice.between(1, 4),
            Duration.ofMinutes(10),
            Duration.ofHours(24),
            MachineSpec.PLAIN);
    return new UserCommand.ApplyCluster(
        base.with(List.of(base.pools().getFirst(), own)), Optional.empty(), false);
  }

  /** On static workers only, so that no machine is ordered for it. */
  private UserCommand submit(String name) {
    var spec =
        LabCluster.spec(
                name,
                new TaskSource.Count(choice.between(1, 2)),
                Optional.of("gs://lab/out/" + name + "/{index}"),
                false)
            .withPlacement(Placement.inPools(List.of("own")));
    return new UserCommand.SubmitJob(spec, Optional.empty());
  }

  private UserCommand schedule() {
    var period = Duration.ofMinutes(choice.pick(List.of(5, 30, 60)));
    var rule = ScheduleRule.every(period);
    var job = (UserCommand.SubmitJob) submit("s");
    return new UserCommand.SubmitJob(
        job.spec(), Optional.empty(), Optional.of(choice.pick(List.of(rule, rule.queued()))));
  }

  private UserCommand join() {
    var hash = Sha256.of("nonce " + choice.between(1, 1_000_000));
    return new UserCommand.JoinWorker("lab", "own", "own-1", "i-1", hash, Map.of());
  }

  private static UserCommand create(String name) {
    return new UserCommand.CreateSlice(
        "lab",
        name,
        "v4-32",
        1,
        Provisioning.SPOT,
        Optional.empty(),
        Optional.empty(),
        Optional.of("us-a"),
        Optional.empty());
  }

  /** The state that commands determine, without the machines' progress. */
  private Map<String, String> state() {
    var state = new TreeMap<String, String>();
    for (var name : documents(labCluster, ClusterName.class)) {
      var cluster = labCluster.store.read(name.cluster().orElseThrow()).orElseThrow().value();
      state.put("cluster " + name.name(), cluster.phase() + " " + pools(cluster));
    }
    for (var job : documents(labCluster, Job.class))
      state.put("job " + key(job), job.spec().address() + " " + job.state().getClass() + end(job));
    for (var schedule : documents(labCluster, Schedule.class))
      state.put(
          "schedule of " + born(schedule.cluster()),
          "%s %s %s".formatted(schedule.state(), schedule.rule(), schedule.next()));
    for (var worker : documents(labCluster, Worker.class))
      if (worker.name().startsWith("own"))
        state.put(
            "worker %s of %s".formatted(worker.name(), born(worker.cluster())),
            worker.state().getClass().getSimpleName());
    return state;
  }

  /** The uid of a scheduled job has that of its cluster in it, which is random. */
  private String key(Job job) {
    return job.spec().admission().schedule().isPresent()
        ? job.spec().name() + " of " + born(job.cluster())
        : job.uid();
  }

  private String born(String uid) {
    var cluster = labCluster.store.read(new DocumentKey.OfCluster(uid)).orElseThrow().value();
    return cluster.createdAt().toString();
  }

  private static String end(Job job) {
    return job.state() instanceof JobState.Ended e ? " " + e.result() : "";
  }

  private static List<String> pools(Cluster cluster) {
    return cluster.spec().pools().stream()
        .map(p -> p.name() + " " + p.max() + " " + p.machineType())
        .toList();
  }

  static ClusterSpec spec(LabCluster labCluster) {
    return labCluster
        .store
        .read(new DocumentKey.OfCluster(labCluster.uid))
        .orElseThrow()
        .value()
        .spec();
  }

  static <D extends LedgerDocument> List<D> documents(LabCluster labCluster, Class<D> type) {
    return labCluster.store.under("").stream().filter(type::isInstance).map(type::cast).toList();
  }
}

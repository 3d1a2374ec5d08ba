package dev.mayfly.sim.usecase;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.ClusterName;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.PoolSpec;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Worker;
import dev.mayfly.sim.fake.Dice;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One published sequence; with repeats, or without. */
final class CommandSequence {
  private static final int LONGEST = 14;

  private final Lab lab = new Lab();
  private final Dice choice;
  private final Dice chance;
  private final boolean repeats;
  private final ClusterSpec base;
  private final List<Message> published = new ArrayList<>();
  final StringBuilder story = new StringBuilder();
  private int number;

  CommandSequence(long seed, boolean repeats) {
    choice = new Dice(seed).of("commands");
    chance = new Dice(seed).of("repeats");
    this.repeats = repeats;
    base = spec(lab);
  }

  List<Command> commands() {
    var commands = new ArrayList<Command>();
    var many = choice.between(4, LONGEST);
    // A sequence begins with a cluster that has a pool for machines of one's own.
    commands.add(cluster());
    for (var i = 0; i < many; i++) commands.add(command());
    return commands;
  }

  Map<String, String> run() {
    for (var command : commands()) {
      story.append("\n").append(++number).append(' ').append(command.getClass().getSimpleName());
      var message = lab.message(command);
      published.add(message);
      deliver(message);
      repeat(2);
      settle(choice.between(0, 2));
      repeat(2);
    }
    settle(8);
    lab.pass(Duration.ofHours(3).toMillis());
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

  private void deliver(Message message) {
    try {
      lab.control.intake().receive(message);
    } catch (Unavailable later) {
      story.append(" not now: ").append(later.getMessage());
    }
  }

  private void settle(int ticks) {
    for (var i = 0; i < ticks; i++) {
      while (!lab.hints.isEmpty()) lab.control.look(lab.hints.removeFirst());
      lab.pass(60_000);
      lab.control.look(new Hint.Tick());
    }
  }

  private Command command() {
    var job = choice.pick(List.of("j-1", "j-2"));
    var slice = choice.pick(List.of("s-1", "s-2"));
    return switch (choice.between(1, 14)) {
      case 1, 2 -> cluster();
      case 3 -> new Command.DownCluster("lab");
      case 4, 5 -> submit(job);
      case 6, 7 -> new Command.StopJob("lab", job);
      case 8 -> new Command.RetryJob("lab", job);
      case 9 -> new Command.FollowLogs("lab", job);
      case 10 -> new Command.DrainWorker("lab", "own-1");
      case 11 -> join();
      case 12 -> create(slice);
      case 13 -> new Command.DeleteSlice("lab", slice);
      default -> new Command.ReshapeSlice("lab", slice, "v4-16", 2);
    };
  }

  private Command cluster() {
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
            Duration.ofHours(24));
    return new Command.ApplyCluster(base.with(List.of(base.pools().getFirst(), own)));
  }

  /** On machines of one's own alone, so that none is ordered for it. */
  private Command submit(String name) {
    var spec =
        Lab.spec(
                name,
                new TaskSource.Count(choice.between(1, 2)),
                Optional.of("gs://lab/out/" + name + "/{index}"),
                false)
            .at(Place.inPools(List.of("own")));
    return new Command.SubmitJob(spec, Optional.empty());
  }

  private Command join() {
    var hash = Sha256.of("nonce " + choice.between(1, 1_000_000));
    return new Command.JoinWorker("lab", "own", "own-1", "i-1", hash);
  }

  private static Command create(String name) {
    return new Command.CreateSlice(
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

  /** What people asked for, and what became of it; not what machines do meanwhile. */
  private Map<String, String> state() {
    var state = new TreeMap<String, String>();
    for (var name : documents(lab, ClusterName.class)) {
      var cluster = lab.store.read(new Key.OfCluster(name.uid())).orElseThrow().value();
      state.put("cluster " + name.name(), cluster.phase() + " " + pools(cluster));
    }
    for (var job : documents(lab, Job.class))
      state.put("job " + job.uid(), job.spec().name() + " " + job.state().getClass() + end(job));
    for (var worker : documents(lab, Worker.class))
      if (worker.name().startsWith("own"))
        state.put(
            "worker %s of %s".formatted(worker.name(), born(worker)),
            worker.state().getClass().getSimpleName());
    return state;
  }

  private String born(Worker worker) {
    var cluster = lab.store.read(new Key.OfCluster(worker.cluster())).orElseThrow().value();
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

  static ClusterSpec spec(Lab lab) {
    return lab.store.read(new Key.OfCluster(lab.uid)).orElseThrow().value().spec();
  }

  static <D extends Document> List<D> documents(Lab lab, Class<D> type) {
    return lab.store.under("").stream().filter(type::isInstance).map(type::cast).toList();
  }
}

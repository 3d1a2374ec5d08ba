package dev.mayfly.sim.world;

import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.Scenario;
import java.time.Duration;
import java.util.Optional;

/**
 * Commands that repeat or revoke earlier ones: a cluster's first file after a changed one, a retry
 * after a stop and a stop after the retry, a retry after sentinels were deleted, a slice created
 * and deleted, logs followed. In worlds with duplicates a quarter of all messages is redelivered,
 * hours later.
 *
 * <p>Its randomness is separate, so that the rest of a world is the same without it.
 */
final class FollowUpCommands {
  private static final String CLUSTER = "lab";

  /** How often a task of a held range is looked for. */
  private static final int TRIES = 6;

  private final World world;
  private final UserActions userActions;
  private final SimRandom simRandom;
  private int awaited;

  FollowUpCommands(World world, UserActions userActions) {
    this.world = world;
    this.userActions = userActions;
    simRandom = world.dice().of("words");
  }

  /** Whether a redelivery is still pending. */
  boolean awaited() {
    return awaited > 0;
  }

  void plan(Scenario scenario) {
    var storm = scenario.storm();
    for (var job : scenario.jobs()) {
      var name = job.spec().address();
      // Where tasks write their outputs themselves, a retry may delete a sentinel.
      var again = simRandom.chance(0.3) && job.spec().data().outputs() != OutputMode.WRITTEN;
      var stop = job.stopAt().orElse(job.at());
      var cluster = job.spec().cluster();
      if (again)
        at(
            stop.plus(simRandom.seconds(60, 900)),
            new UserCommand.RetryJob(cluster, name).upTo(raised(job)).lasting(longer(job)));
      if (again && simRandom.chance(0.3))
        at(stop.plus(simRandom.seconds(900, 1_500)), new UserCommand.StopJob(cluster, name));
      if (simRandom.chance(0.2))
        at(job.at().plus(simRandom.seconds(5, 300)), new UserCommand.FollowLogs(cluster, name));
    }
    scenario.jobs().forEach(this::planAgain);
    scenario.jobs().forEach(this::planTasks);
    if (simRandom.chance(0.2)) {
      // The first version of the file again.
      var back = new UserCommand.ApplyCluster(scenario.cluster(), Optional.empty(), false);
      at(part(storm, simRandom.between(20, 99)), back);
    }
    if (simRandom.chance(0.15)) byHand(storm);
  }

  /** Half of those that have a limit get ten times as much. */
  private Optional<Double> raised(PlannedJob job) {
    return job.spec()
        .admission()
        .maxUsd()
        .filter(_ -> world.dice().of("money " + job.number()).chance(0.5))
        .map(most -> 10 * most);
  }

  /** The same of those whose run time is limited. */
  private Optional<Duration> longer(PlannedJob job) {
    return job.spec()
        .admission()
        .maxRunTime()
        .filter(_ -> world.dice().of("time " + job.number()).chance(0.5))
        .map(most -> most.multipliedBy(10));
  }

  /** Has some tasks of an ended job run again: deletes their sentinels, and retries it. */
  private void planAgain(PlannedJob planned) {
    var dice = world.dice().of("again " + planned.number());
    if (!dice.chance(0.2) || planned.spec().data().outputs() == OutputMode.WRITTEN) return;
    var address = planned.spec().address();
    var cluster = planned.spec().cluster();
    awaited++;
    world
        .time()
        .after(
            planned.at().plus(dice.seconds(900, 5_400)),
            () -> {
              awaited--;
              if (userActions.going() || !deleteSentinels(address, dice)) return;
              world.trace().seen("sentinels deleted");
              userActions.publish(new UserCommand.RetryJob(cluster, address));
            });
  }

  /**
   * Stops a task inside a range that a worker holds, retries it soon, and sometimes stops it again;
   * or retries one that nobody stopped.
   */
  private void planTasks(PlannedJob planned) {
    var dice = world.dice().of("tasks " + planned.number());
    if (!dice.chance(0.3)) return;
    for (var n = dice.between(1, 4); n > 0; n--)
      tryTask(planned, dice, planned.at().plus(dice.seconds(5, 900)), TRIES);
  }

  private void tryTask(PlannedJob planned, SimRandom dice, Duration when, int tries) {
    awaited++;
    world
        .time()
        .after(
            when,
            () -> {
              awaited--;
              if (userActions.going()) return;
              var held = heldTask(planned, dice);
              if (held.isPresent()) stopAndRetry(planned, held.get(), dice);
              else if (tries > 1) tryTask(planned, dice, dice.seconds(20, 120), tries - 1);
            });
  }

  private void stopAndRetry(PlannedJob planned, long index, SimRandom dice) {
    world.trace().seen("a task of a held range retried");
    var cluster = planned.spec().cluster();
    var address = planned.spec().address();
    var task = TaskRanges.parse(Long.toString(index));
    if (dice.chance(0.8)) userActions.publish(new UserCommand.StopTasks(cluster, address, task));
    var retry = dice.seconds(1, 60);
    at(retry, new UserCommand.RetryTasks(cluster, address, task));
    if (dice.chance(0.2))
      at(retry.plus(dice.seconds(0, 60)), new UserCommand.StopTasks(cluster, address, task));
  }

  /** A task of the job that lies with others in a leased shard. */
  private Optional<Long> heldTask(PlannedJob planned, SimRandom dice) {
    var address = planned.spec().address();
    var uids =
        world.truth().all(Job.class).stream()
            .filter(j -> j.spec().address().equals(address) && j.running())
            .map(Job::uid)
            .toList();
    var shards =
        world.truth().all(Shard.class).stream()
            .filter(s -> uids.contains(s.job()) && s.owner().isPresent() && s.size() > 1)
            .toList();
    if (shards.isEmpty()) return Optional.empty();
    var shard = dice.pick(shards);
    return Optional.of(shard.start() + dice.between(0, (int) shard.size() - 1));
  }

  /** False if no such job has ended with tasks done. */
  private boolean deleteSentinels(String address, SimRandom dice) {
    var job =
        world.truth().all(Job.class).stream()
            .filter(j -> j.spec().address().equals(address) && j.state().ended())
            .findFirst();
    if (job.isEmpty()) return false;
    var done =
        world.truth().all(Shard.class).stream()
            .filter(s -> s.job().equals(job.get().uid()))
            .flatMap(s -> s.done().indexes().boxed())
            .toList();
    for (var n = 0; n < 3 && !done.isEmpty(); n++)
      userActions.deleteSentinel(job.get(), dice.pick(done));
    return !done.isEmpty();
  }

  private void byHand(Duration storm) {
    var made = part(storm, simRandom.between(5, 60));
    var zone = world.scenario().cluster().pools().getFirst().zones().getFirst();
    at(
        made,
        new UserCommand.CreateSlice(
            CLUSTER,
            "hand",
            "v4-8",
            1,
            Provisioning.SPOT,
            Optional.empty(),
            Optional.empty(),
            Optional.of(zone),
            Optional.empty()));
    at(made.plus(simRandom.seconds(30, 900)), new UserCommand.DeleteSlice(CLUSTER, "hand"));
  }

  private static Duration part(Duration of, int percent) {
    return of.multipliedBy(percent).dividedBy(100);
  }

  private void at(Duration when, UserCommand userCommand) {
    awaited++;
    world
        .time()
        .after(
            when,
            () -> {
              awaited--;
              // Still delete the slice: an older cluster message may bring its cluster back.
              var kept =
                  userCommand instanceof UserCommand.DeleteSlice
                      && userActions.clusterExists(CLUSTER);
              if (userActions.going() && !kept) return;
              // A deletion that arrives before its cluster cannot be stored: it is rejected, and
              // its author repeats it.
              if (userCommand instanceof UserCommand.DeleteSlice
                  && !userActions.clusterExists(CLUSTER)) at(Duration.ofSeconds(5), userCommand);
              else userActions.publish(userCommand);
            });
  }

  /** Redelivers the message ten minutes to three hours later. */
  void repeat(UserMessage userMessage) {
    if (!world.weather().has(Fault.MESSAGE_DUPLICATE) || !simRandom.chance(0.25)) return;
    awaited++;
    world
        .time()
        .after(
            simRandom.seconds(600, 10_800),
            () -> {
              awaited--;
              world.gateway().deliver(userMessage);
            });
  }
}

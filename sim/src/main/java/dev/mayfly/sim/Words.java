package dev.mayfly.sim;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Provisioning;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import java.time.Duration;
import java.util.Optional;

/**
 * Commands that repeat or revoke earlier ones: a cluster's first file after a changed one, a retry
 * after a stop and a stop after the retry, a slice that is made and deleted, logs that are read. In
 * worlds with duplicates a quarter of all messages is delivered once more, hours later.
 *
 * <p>Its dice are its own, so that the rest of a world is the same without it.
 */
final class Words {
  private static final String CLUSTER = "lab";

  private final World world;
  private final Users users;
  private final Dice dice;
  private int awaited;

  Words(World world, Users users) {
    this.world = world;
    this.users = users;
    dice = world.dice().of("words");
  }

  /** Whether a repeat is still on its way. */
  boolean awaited() {
    return awaited > 0;
  }

  void plan(Scenario scenario) {
    var storm = scenario.storm();
    for (var job : scenario.jobs()) {
      var name = job.spec().name();
      // Where tasks write their outputs themselves, a retry may take a sentinel back.
      var again = dice.chance(0.3) && job.spec().data().outputs() != JobSpec.Outputs.WRITTEN;
      var stop = job.stopAt().orElse(job.at());
      var cluster = job.spec().cluster();
      if (again) at(stop.plus(dice.seconds(60, 900)), new Command.RetryJob(cluster, name));
      if (again && dice.chance(0.3))
        at(stop.plus(dice.seconds(900, 1_500)), new Command.StopJob(cluster, name));
      if (dice.chance(0.2))
        at(job.at().plus(dice.seconds(5, 300)), new Command.FollowLogs(cluster, name));
    }
    if (dice.chance(0.2)) {
      // The file as it was at first, once more.
      var back = new Command.ApplyCluster(scenario.cluster());
      at(part(storm, dice.between(20, 99)), back);
    }
    if (dice.chance(0.15)) byHand(storm);
  }

  private void byHand(Duration storm) {
    var made = part(storm, dice.between(5, 60));
    var zone = world.scenario().cluster().pools().getFirst().zones().getFirst();
    at(
        made,
        new Command.CreateSlice(
            CLUSTER,
            "hand",
            "v4-8",
            1,
            Provisioning.SPOT,
            Optional.empty(),
            Optional.empty(),
            Optional.of(zone),
            Optional.empty()));
    at(made.plus(dice.seconds(30, 900)), new Command.DeleteSlice(CLUSTER, "hand"));
  }

  private static Duration part(Duration of, int percent) {
    return of.multipliedBy(percent).dividedBy(100);
  }

  private void at(Duration when, Command command) {
    awaited++;
    world
        .time()
        .after(
            when,
            () -> {
              awaited--;
              // A slice is deleted all the same: an older file's message may bring its cluster
              // back.
              var kept = command instanceof Command.DeleteSlice && users.up(CLUSTER);
              if (users.going() && !kept) return;
              // Where a deletion comes before its cluster, nothing can remember that it came: it is
              // refused, and whoever reads that says it again.
              if (command instanceof Command.DeleteSlice && !users.up(CLUSTER))
                at(Duration.ofSeconds(5), command);
              else users.publish(command);
            });
  }

  /** Delivers the message once more, ten minutes to three hours later. */
  void repeat(Message message) {
    if (!world.weather().has(Fault.MESSAGE_DUPLICATE) || !dice.chance(0.25)) return;
    awaited++;
    world
        .time()
        .after(
            dice.seconds(600, 10_800),
            () -> {
              awaited--;
              world.gateway().deliver(message);
            });
  }
}

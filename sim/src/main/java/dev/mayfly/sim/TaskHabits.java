package dev.mayfly.sim;

import dev.mayfly.core.agent.Attempt;
import dev.mayfly.core.model.Job;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Weather;
import java.time.Duration;
import java.util.Optional;

/** How tasks behave: how long they run, and whether this time they fail, hang or leave nothing. */
final class TaskHabits {
  /**
   * @param runs empty for ever
   * @param exitCode 0 if it does what it should
   */
  record Habit(
      Duration runs, boolean hangs, int exitCode, boolean outOfMemory, boolean leavesOutput) {}

  private final Dice dice;
  private final Weather weather;
  private final Duration shortest;
  private final Duration longest;

  private final Optional<Duration> settle;

  TaskHabits(
      Dice dice, Weather weather, Duration shortest, Duration longest, Optional<Duration> settle) {
    this.settle = settle;
    this.dice = dice;
    this.weather = weather;
    this.shortest = shortest;
    this.longest = longest;
  }

  /** How the tasks of that job behave in this world. */
  static TaskHabits of(World world, String uid) {
    var name =
        world.truth().all(Job.class).stream()
            .filter(j -> j.uid().equals(uid))
            .map(j -> j.spec().name())
            .findFirst()
            .orElseThrow();
    var planned =
        world.scenario().jobs().stream()
            .filter(j -> j.spec().name().equals(name))
            .findFirst()
            .orElseThrow();
    return new TaskHabits(
        world.dice().of("tasks"),
        world.weather(),
        planned.shortest(),
        planned.longest(),
        planned.spec().settle());
  }

  /** How long the last host of a gang may run after the first, as its user wrote it. */
  Optional<Duration> settle() {
    return settle;
  }

  /**
   * One start's. The time is the task's own: the same at each start.
   *
   * @param gang whether it is a part of what several hosts run together
   */
  Habit of(Attempt attempt, boolean gang) {
    var own = dice.of(attempt.lease().job() + "/" + attempt.index());
    var runs = own.millis((int) shortest.toMillis(), (int) longest.toMillis());
    if (weather.strikes(Fault.TASK_HANGS)) return new Habit(runs, true, 0, false, false);
    if (weather.strikes(Fault.TASK_FAILS))
      return new Habit(runs.dividedBy(2), false, 3, false, false);
    if (gang && weather.strikes(Fault.HOST_OF_A_GANG_FAILS))
      return new Habit(runs.dividedBy(2), false, 4, false, false);
    if (weather.strikes(Fault.TASK_OUT_OF_MEMORY))
      return new Habit(runs.dividedBy(2), false, 137, true, false);
    return new Habit(runs, false, 0, false, !weather.strikes(Fault.TASK_LEAVES_NO_OUTPUT));
  }
}

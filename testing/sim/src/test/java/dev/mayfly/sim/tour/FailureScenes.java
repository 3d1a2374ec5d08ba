package dev.mayfly.sim.tour;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;

import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentEvent.Prospect;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.time.Duration;
import java.util.List;

/** Tasks that begin and come to no good end. */
final class FailureScenes {
  private static final String PART = "Tasks that come to no good end";

  private FailureScenes() {}

  static List<Scene> all() {
    return List.of(
        crashLoop(),
        userError(),
        outOfMemory(),
        diskFull(),
        timeout(),
        preempted(),
        silent(),
        setup(),
        missingInput());
  }

  private static TourWorld exits(
      int code, FailureCause cause, String said, Duration after, JobBuilder job) {
    return TourWorld.ending(
        exited -> new AgentEvent.Exited(exited.attempt(), code, cause, said),
        TourJob.each(after, TourJob.first(job)));
  }

  private static TourWorld neverStarts(String said) {
    return TourWorld.endingOtherwise(
        exited ->
            new AgentEvent.StartFailed(
                exited.attempt(), FailureCause.USER, false, said, Prospect.OPEN),
        TourJob.each(ofSeconds(9), TourJob.first(TourJob.job(Scene.JOB, 2))));
  }

  private static Scene crashLoop() {
    var world =
        exits(
            1,
            FailureCause.USER,
            "Traceback (most recent call last):\n  File \"train.py\", line 3\n"
                + "ModuleNotFoundError: No module named 'flash_attn'\n",
            ofSeconds(20),
            TourJob.job(Scene.JOB, 40).retries(JobBuilder.retries(9)));
    return new Scene(
        PART,
        "crash-loop",
        "Every task fails the same way",
        "ModuleNotFoundError: No module named 'flash_attn'",
        "look for the mistake in the command",
        world.untilRuns(Scene.JOB).minutes(3));
  }

  private static Scene userError() {
    var world =
        exits(
            1,
            FailureCause.USER,
            "Traceback (most recent call last):\n  File \"train.py\", line 71\n"
                + "ValueError: line 1204 has 3 fields instead of 4\n",
            ofMinutes(3),
            TourJob.job(Scene.JOB, 2));
    return new Scene(
        PART,
        "user-error",
        "My job failed, and its program says why",
        "ValueError: line 1204 has 3 fields instead of 4",
        "mend the program or what it reads",
        world.untilEnded(Scene.JOB).minutes(4));
  }

  private static Scene outOfMemory() {
    var world =
        exits(
            137,
            FailureCause.OUT_OF_MEMORY,
            "epoch 2: loading 40,000 images\n",
            ofMinutes(4),
            TourJob.job(Scene.JOB, 2));
    return new Scene(
        PART,
        "out-of-memory",
        "My tasks are killed",
        "out of memory, exit code 137, SIGKILL",
        "ask for more memory than 12 GiB",
        world.untilEnded(Scene.JOB).minutes(4));
  }

  private static Scene diskFull() {
    var world = TourWorld.of(TourWorld.pool(1), TourJob.first(TourJob.job(Scene.JOB, 2)));
    world.untilRuns(Scene.JOB).minutes(6);
    world.busyHost().fillDisk(ofMinutes(30));
    return new Scene(
        PART,
        "disk-full",
        "The disk of my machine is full",
        "disk full: 0 MiB free",
        "a larger disk is machine.disk.sizeGb of its pool",
        world.minutes(6));
  }

  private static Scene timeout() {
    var job =
        TourJob.job(Scene.JOB, 2).run(RunBuilder.of("python3", "train.py").timeout(ofMinutes(15)));
    var world = TourWorld.of(TourWorld.pool(2), TourJob.each(ofMinutes(50), TourJob.first(job)));
    return new Scene(
        PART,
        "timeout",
        "My tasks run out of time",
        "still running after its timeout of 15m",
        "raise timeout above 15m",
        world.untilEnded(Scene.JOB).minutes(2));
  }

  private static Scene preempted() {
    var world =
        TourWorld.of(
            TourWorld.pool(1),
            TourJob.each(ofMinutes(50), TourJob.first(TourJob.job(Scene.JOB, 1))));
    for (var i = 0; i < 3; i++) {
      world.untilRuns(Scene.JOB).minutes(22);
      world.world.fleet().preempt(world.busyHost().machine(), true, ofSeconds(5), false);
      world.minutes(2);
    }
    return new Scene(
        PART,
        "preempted",
        "The cloud takes my machines back again and again",
        "3 attempts ended: preempted",
        "nothing, what was cut off runs again by itself",
        world.untilRuns(Scene.JOB).minutes(4));
  }

  private static Scene silent() {
    var world =
        TourWorld.of(
            TourWorld.pool(1),
            TourJob.each(ofMinutes(50), TourJob.first(TourJob.job(Scene.JOB, 1))));
    world.untilRuns(Scene.JOB).minutes(11);
    world.busyHost().freeze();
    return new Scene(
        PART,
        "silent",
        "My machine says nothing any more",
        "its report was due",
        "then its tasks run again elsewhere",
        world.advance(ofSeconds(55)));
  }

  private static Scene setup() {
    var world =
        neverStarts(
            "setup: ERROR: No matching distribution found for torch==2.99 (from -r requirements.txt)");
    return new Scene(
        PART,
        "setup",
        "My job's environment cannot be made",
        "No matching distribution found for torch==2.99",
        "mend what it names, and submit it again",
        world.untilEnded(Scene.JOB).minutes(2));
  }

  private static Scene missingInput() {
    var world = neverStarts("the input gs://lab/in/posts-003.jsonl.gz is not there");
    return new Scene(
        PART,
        "missing-input",
        "An input of my job is gone",
        "gs://lab/in/posts-003.jsonl.gz is not there",
        "mend what it names, and submit it again",
        world.untilEnded(Scene.JOB).minutes(2));
  }
}

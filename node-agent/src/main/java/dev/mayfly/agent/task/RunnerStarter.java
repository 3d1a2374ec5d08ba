package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.CodeStore;
import dev.mayfly.agent.files.LastingFolders;
import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import dev.mayfly.agent.process.LaunchSteps;
import dev.mayfly.agent.process.OomScore;
import dev.mayfly.agent.process.kill.TaskMarkers;
import dev.mayfly.agent.runner.Runner;
import dev.mayfly.agent.runner.RunnerKey;
import dev.mayfly.agent.runner.RunnerPool;
import dev.mayfly.agent.setup.SetupFailedException;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.RunnerTask;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Gives attempts to runners of their job: to an idle one, or to a new one. */
final class RunnerStarter {
  /** The variables that differ from task to task, beside those of the task's item. */
  private static final Set<String> OF_TASK =
      Set.of(
          "MAYFLY_INDEX",
          "MAYFLY_TASKS",
          "MAYFLY_ATTEMPT",
          "MAYFLY_INPUT",
          "MAYFLY_OUTPUT",
          "MAYFLY_INPUT_URL",
          "MAYFLY_OUTPUT_URL",
          "MAYFLY_NOTICE",
          "MAYFLY_STOP",
          "MAYFLY_METRICS",
          "MAYFLY_CHECKPOINT",
          "MAYFLY_TOKEN_FILE",
          "TMPDIR");

  /** Those that a runner has of its own. */
  private static final Set<String> OF_PROCESS = Set.of(TaskMarkers.ATTEMPT, "PWD");

  private final TaskContext taskContext;
  private final AttemptCommands attemptCommands;
  private final InputStaging inputStaging;
  private final SetupRunner setupRunner;
  private final LastingFolders lastingFolders;
  private final RunnerPool runnerPool;

  RunnerStarter(
      TaskContext taskContext,
      AttemptCommands attemptCommands,
      InputStaging inputStaging,
      SetupRunner setupRunner,
      LastingFolders lastingFolders,
      RunnerPool runnerPool) {
    this.taskContext = taskContext;
    this.attemptCommands = attemptCommands;
    this.inputStaging = inputStaging;
    this.setupRunner = setupRunner;
    this.lastingFolders = lastingFolders;
    this.runnerPool = runnerPool;
  }

  /** Gives the attempt to a runner, whose task is then the attempt's first process. */
  LaunchResult launch(SetupRunner.Use use)
      throws IOException, CodeStore.InvalidCode, SetupFailedException {
    var start = use.start();
    if (use.container().isPresent())
      throw new InvalidInputException("runner", "is not for containers yet; leave out the image");
    if (!start.peers().isEmpty())
      throw new InvalidInputException(
          "runner", "is not for tasks on several hosts yet; leave it out");
    var common = new HashMap<>(use.taskCommand().env());
    common.keySet().removeAll(OF_PROCESS);
    var own = new HashMap<>(common);
    own.keySet()
        .removeIf(name -> !OF_TASK.contains(name) && !start.item().variables().containsKey(name));
    common.keySet().removeAll(own.keySet());
    var key =
        new RunnerKey(
            start.attempt().lease().job(),
            use.taskCommand().argv(),
            common,
            attemptCommands.user(start),
            start.gpus());
    var task = task(use, own);
    for (var idle = runnerPool.take(key); idle.isPresent(); idle = runnerPool.take(key)) {
      var given = give(idle.get(), use, task);
      if (given.isPresent()) return new LaunchResult.Started(given.get().task());
    }
    runnerPool.makeRoom(Optional.of(key));
    return startNew(key, use, task);
  }

  private static RunnerTask task(SetupRunner.Use use, Map<String, String> own) {
    var attempt = use.start().attempt();
    return new RunnerTask(
        attempt.toString(),
        attempt.index(),
        attempt.name(),
        own.getOrDefault("MAYFLY_INPUT", ""),
        own.getOrDefault("MAYFLY_OUTPUT", ""),
        use.dir().work().toString(),
        own);
  }

  private Optional<Runner.Given> give(Runner runner, SetupRunner.Use use, RunnerTask task) {
    try {
      var given = runner.give(task, use.dir());
      given.ifPresent(it -> use.attemptState().setBounds(it.bounds(), false));
      return given;
    } catch (InvalidInputException tooLong) {
      runnerPool.idle(runner);
      throw tooLong;
    }
  }

  private LaunchResult startNew(RunnerKey key, SetupRunner.Use use, RunnerTask task)
      throws IOException, CodeStore.InvalidCode, SetupFailedException {
    var id = use.attemptState().id() + "/runner";
    var rules = use.start().jobInfo().spec().run().taskEnvironment().runner().orElseThrow();
    var dir = taskContext.workDir().attempt();
    Optional<Runner> runner = Optional.empty();
    var started = false;
    try {
      inputStaging.code(use.start(), dir);
      runner = Optional.of(runnerPool.add(id, key, rules, dir));
      var result = launch(runner.get(), command(id, key, dir), use, task);
      started = result instanceof LaunchResult.Started;
      return result;
    } finally {
      if (!started) runner.ifPresentOrElse(Runner::close, () -> TaskExecutor.delete(dir));
    }
  }

  private TaskCommand command(String id, RunnerKey key, AttemptDir dir) {
    var own = new HashMap<>(key.variables());
    own.putAll(TaskMarkers.of(taskContext.workDir().root(), id));
    own.put("TMPDIR", dir.temporary().toString());
    own.put("PWD", dir.work().toString());
    return new TaskCommand(key.command(), own);
  }

  /** The task is given first, so that a program that ends at once fails it. */
  private LaunchResult launch(
      Runner runner, TaskCommand command, SetupRunner.Use use, RunnerTask task)
      throws IOException, SetupFailedException {
    var start = use.start();
    var dir = runner.dir();
    var user = attemptCommands.user(start);
    if (user.isPresent()) {
      dir.giveTo(user.get());
      user.get().chown(runner.output());
    }
    var setup =
        setupRunner.ready(
            new SetupRunner.Use(use.attemptState(), start, dir, command, Optional.empty()));
    lastingFolders.hold(runner.id(), setup);
    var needs = start.jobInfo().spec().resources();
    var limits = taskContext.tools().limits();
    var bounds = limits.bounds(runner.id(), needs.cpuMillis(), needs.memoryBytes());
    runner.setBounds(bounds);
    var pipes = Optional.of(new LaunchSteps.Pipes(runner.tasks(), runner.answers()));
    var steps = new LaunchSteps(bounds.entrance(), OomScore.spared(), user, pipes);
    var process =
        attemptCommands.process(command, start, dir, runner.output(), setup, Optional.empty());
    var given = give(runner, use, task).orElseThrow();
    var result = taskContext.tools().launcher().launch(process.withSteps(steps));
    if (!(result instanceof LaunchResult.Started(var running))) return result;
    runner.started(running);
    return new LaunchResult.Started(given.task());
  }
}

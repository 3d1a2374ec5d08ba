package dev.mayfly.agent.task;

import dev.mayfly.agent.files.CodeStore;
import dev.mayfly.agent.process.CommandLauncher.LaunchResult;
import dev.mayfly.agent.process.LaunchSteps;
import dev.mayfly.agent.process.OomScore;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.runner.RunnerPool;
import dev.mayfly.agent.setup.SetupFailedException;
import java.io.IOException;
import java.util.Optional;

/** Starts the command of an attempt that has all that it needs, or gives it to a runner. */
final class CommandStarter {
  private final TaskContext taskContext;
  private final AttemptCommands attemptCommands;
  private final SetupRunner setupRunner;
  private final RunnerStarter runnerStarter;
  private final RunnerPool runnerPool;

  CommandStarter(
      TaskContext taskContext,
      AttemptCommands attemptCommands,
      SetupRunner setupRunner,
      RunnerStarter runnerStarter,
      RunnerPool runnerPool) {
    this.taskContext = taskContext;
    this.attemptCommands = attemptCommands;
    this.setupRunner = setupRunner;
    this.runnerStarter = runnerStarter;
    this.runnerPool = runnerPool;
  }

  /** For a task that needs devices before its command starts. */
  void makeRoom() {
    runnerPool.makeRoom(Optional.empty());
  }

  /** Starts the first process; the attempt has its bounds then, if it got that far. */
  LaunchResult launch(SetupRunner.Use use)
      throws IOException, CodeStore.InvalidCode, SetupFailedException {
    var spec = use.start().jobInfo().spec();
    return spec.run().taskEnvironment().runner().isPresent()
        ? runnerStarter.launch(use)
        : launchCommand(use);
  }

  private LaunchResult launchCommand(SetupRunner.Use use) throws IOException, SetupFailedException {
    var start = use.start();
    var attemptState = use.attemptState();
    var dir = use.dir();
    var setup = setupRunner.ready(use);
    makeRoom();
    var taskContainer = use.container().map(c -> setup.map(c::withSetup).orElse(c));
    var user = attemptCommands.user(start);
    var processCommand =
        attemptCommands.process(
            use.taskCommand(), start, dir, dir.log().path(), setup, taskContainer);
    var needs = start.jobInfo().spec().resources();
    var resourceLimits = taskContext.tools().limits();
    var bounds =
        taskContainer.isPresent()
            ? taskContainer.get().bounds(ResourceLimits.counting())
            : resourceLimits.bounds(attemptState.id(), needs.cpuMillis(), needs.memoryBytes());
    attemptState.setBounds(bounds, taskContainer.isPresent());
    // The engine switches the container to that user; its client runs with the agent's rights.
    var steps =
        new LaunchSteps(
            bounds.entrance(),
            OomScore.spared(),
            taskContainer.isPresent() ? Optional.empty() : user);
    attemptState.releasePort();
    return taskContext.tools().launcher().launch(processCommand.withSteps(steps));
  }
}

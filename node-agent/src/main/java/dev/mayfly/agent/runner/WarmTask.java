package dev.mayfly.agent.runner;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.process.ProcessExit;
import dev.mayfly.agent.process.ResourceLimits;
import dev.mayfly.agent.process.RunningProcess;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;

/**
 * One task in a runner, as if it were a process: it ends with the runner's answer, or with the
 * runner.
 */
final class WarmTask implements RunningProcess {
  private final Runner runner;
  private final String name;
  private final AttemptDir dir;
  private final CompletableFuture<ProcessExit> exit = new CompletableFuture<>();
  private volatile boolean goesOn;
  private volatile boolean neverBegan;

  /**
   * @param name of the attempt, which the runner's answer repeats
   */
  WarmTask(Runner runner, String name, AttemptDir dir) {
    this.runner = runner;
    this.name = name;
    this.dir = dir;
  }

  String name() {
    return name;
  }

  AttemptDir dir() {
    return dir;
  }

  /** Call it before {@link #end}: the task is not at fault. */
  void neverBegan() {
    neverBegan = true;
  }

  /**
   * @param stays whether the runner takes another task
   */
  void end(ProcessExit how, boolean stays) {
    goesOn = stays;
    exit.complete(how);
  }

  @Override
  public long pid() {
    return runner.pid();
  }

  @Override
  public CompletableFuture<ProcessExit> exit() {
    return exit;
  }

  @Override
  public void signal(Sig signal) {
    runner.signal(signal);
  }

  @Override
  public Optional<String> marker() {
    return Optional.of(runner.id());
  }

  @Override
  public boolean goesOn() {
    return goesOn;
  }

  /**
   * The bounds of the runner, as those of this attempt. Closing them gives the runner back.
   *
   * @param own of the runner's process
   */
  ResourceLimits.Bounds within(ResourceLimits.Bounds own) {
    var counted = own.group().isPresent() ? own : ResourceLimits.counting();
    return new ResourceLimits.Bounds() {
      @Override
      public Optional<Path> entrance() {
        return own.entrance();
      }

      @Override
      public boolean ranOutOfMemory() {
        return counted.ranOutOfMemory();
      }

      @Override
      public OptionalLong reachedProcessLimit() {
        return own.reachedProcessLimit();
      }

      @Override
      public boolean neverBegan(int code) {
        return neverBegan;
      }

      @Override
      public void kill() {
        if (!goesOn) own.kill();
      }

      @Override
      public void close() {
        runner.release(WarmTask.this);
      }
    };
  }
}

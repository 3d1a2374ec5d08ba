package dev.mayfly.agent;

import dev.mayfly.agent.files.DiskHealth;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.task.TaskExecutor;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.DiskProblem;
import dev.mayfly.core.model.sync.MachineProblem;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * Periodic maintenance: uploads logs, reads metrics, stores checkpoints, kills leftover processes,
 * checks the disk.
 */
final class MaintenanceLoop implements Runnable {
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int SELDOM = 10;

  private final TaskExecutor taskExecutor;
  private final LogUploader logUploader;
  private final DiskHealth diskHealth;
  private final Consumer<AgentEvent> events;
  private final Duration tick;
  private Optional<DiskProblem> lastProblem = Optional.empty();

  MaintenanceLoop(
      TaskExecutor taskExecutor,
      LogUploader logUploader,
      DiskHealth diskHealth,
      Consumer<AgentEvent> events,
      Duration shortest) {
    this.taskExecutor = taskExecutor;
    this.logUploader = logUploader;
    this.diskHealth = diskHealth;
    this.events = events;
    this.tick = shortest.compareTo(LONGEST) < 0 ? shortest : LONGEST;
  }

  @Override
  public void run() {
    try {
      for (long pass = 1; true; pass++) {
        Thread.sleep(tick);
        logUploader.tick(tick);
        taskExecutor.observe();
        if (pass % SELDOM == 0) {
          taskExecutor.sweep();
          reportDisk(diskHealth.problem());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void reportDisk(Optional<DiskProblem> found) {
    if (found.isPresent() != lastProblem.isPresent()) {
      events.accept(new AgentEvent.DeviceProblem(found.map(MaintenanceLoop::problem)));
    }
    lastProblem = found;
  }

  private static MachineProblem problem(DiskProblem disk) {
    return MachineProblem.Kind.OTHER.of(disk.what());
  }
}

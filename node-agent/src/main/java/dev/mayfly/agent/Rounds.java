package dev.mayfly.agent;

import dev.mayfly.agent.logs.Logs;
import dev.mayfly.agent.os.Disk;
import dev.mayfly.agent.task.Tasks;
import dev.mayfly.core.agent.AgentEvent;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/** What is looked after every second or so: logs to send, leftovers, the disk. */
final class Rounds implements Runnable {
  private static final Duration LONGEST = Duration.ofSeconds(1);
  private static final int SELDOM = 10;

  private final Tasks tasks;
  private final Logs logs;
  private final Disk disk;
  private final Consumer<AgentEvent> events;
  private final Duration tick;
  private Optional<String> trouble = Optional.empty();

  Rounds(Tasks tasks, Logs logs, Disk disk, Consumer<AgentEvent> events, Duration shortest) {
    this.tasks = tasks;
    this.logs = logs;
    this.disk = disk;
    this.events = events;
    this.tick = shortest.compareTo(LONGEST) < 0 ? shortest : LONGEST;
  }

  @Override
  public void run() {
    try {
      for (long round = 1; true; round++) {
        Thread.sleep(tick);
        logs.tick(tick);
        if (round % SELDOM == 0) {
          tasks.sweep();
          look(disk.trouble());
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void look(Optional<String> found) {
    if (found.isPresent() != trouble.isPresent()) {
      events.accept(new AgentEvent.DeviceTrouble(found));
    }
    trouble = found;
  }
}

package dev.mayfly.core.agent.sync;

import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.sync.SyncReport;
import java.util.Optional;

/** What is wrong with the machine and what it needs, for people to read. */
public final class MachineProblems {
  private Optional<String> machine = Optional.empty();
  private Optional<String> device = Optional.empty();
  private Optional<String> store = Optional.empty();
  private Optional<String> limits = Optional.empty();

  /** Whether this is news. */
  public boolean device(Optional<String> text) {
    var news = !device.equals(text);
    device = text;
    return news;
  }

  /**
   * Tasks run all the same, so it is told only while there is nothing worse. Whether it is news.
   */
  public boolean unlimited(String why) {
    var news = limits.isEmpty();
    limits = Optional.of(why);
    return news;
  }

  /** Why the machine takes no tasks. */
  public void machine(Optional<String> text) {
    machine = text;
  }

  /** What an answer of the object store says about it. */
  public void update(AgentEvent event) {
    store =
        switch (event) {
          case AgentEvent.TaskListFetchFailed failed -> degraded(failed.reason());
          case AgentEvent.SurveyFailed failed -> degraded(failed.reason());
          case AgentEvent.PublishFailed failed -> degraded(failed.reason());
          case AgentEvent.TaskListFetched there -> Optional.empty();
          case AgentEvent.Surveyed there -> Optional.empty();
          case AgentEvent.Sealed there -> Optional.empty();
          default -> store;
        };
  }

  /** A store that does not answer is no fault of the machine: another one would fare no better. */
  private static Optional<String> degraded(String reason) {
    return Optional.of(SyncReport.DEGRADED + reason);
  }

  Optional<String> current() {
    return machine.or(() -> device).or(() -> store).or(() -> limits);
  }
}

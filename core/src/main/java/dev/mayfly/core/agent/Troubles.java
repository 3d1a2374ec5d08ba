package dev.mayfly.core.agent;

import dev.mayfly.core.model.SyncReport;
import java.util.Optional;

/** What is wrong with the machine and what it needs, for people to read. */
final class Troubles {
  private Optional<String> machine = Optional.empty();
  private Optional<String> device = Optional.empty();
  private Optional<String> store = Optional.empty();
  private Optional<String> limits = Optional.empty();

  /** Whether this is news. */
  boolean device(Optional<String> text) {
    var news = !device.equals(text);
    device = text;
    return news;
  }

  /**
   * Tasks run all the same, so it is told only while there is nothing worse. Whether it is news.
   */
  boolean unlimited(String why) {
    var news = limits.isEmpty();
    limits = Optional.of(why);
    return news;
  }

  /** Why the machine takes no tasks. */
  void machine(Optional<String> text) {
    machine = text;
  }

  /** What an answer of the object store says about it. */
  void note(AgentEvent event) {
    store =
        switch (event) {
          case AgentEvent.FetchFailed failed -> degraded(failed.reason());
          case AgentEvent.SurveyFailed failed -> degraded(failed.reason());
          case AgentEvent.PublishFailed failed -> degraded(failed.reason());
          case AgentEvent.ItemsFetched there -> Optional.empty();
          case AgentEvent.Surveyed there -> Optional.empty();
          case AgentEvent.Sealed there -> Optional.empty();
          default -> store;
        };
  }

  /** A store that does not answer is no fault of the machine: another one would fare no better. */
  private static Optional<String> degraded(String reason) {
    return Optional.of(SyncReport.DEGRADED + reason);
  }

  Optional<String> newest() {
    return machine.or(() -> device).or(() -> store).or(() -> limits);
  }
}

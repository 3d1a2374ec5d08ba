package dev.mayfly.core.agent;

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
          case AgentEvent.FetchFailed failed -> Optional.of(failed.reason());
          case AgentEvent.SurveyFailed failed -> Optional.of(failed.reason());
          case AgentEvent.PublishFailed failed -> Optional.of(failed.reason());
          case AgentEvent.ItemsFetched there -> Optional.empty();
          case AgentEvent.Surveyed there -> Optional.empty();
          case AgentEvent.Sealed there -> Optional.empty();
          default -> store;
        };
  }

  Optional<String> newest() {
    return machine.or(() -> device).or(() -> store).or(() -> limits);
  }
}

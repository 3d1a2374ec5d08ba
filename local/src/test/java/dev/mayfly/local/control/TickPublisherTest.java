package dev.mayfly.local.control;

import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.porttests.TickSchedulerContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class TickPublisherTest extends TickSchedulerContract {
  private final TickPublisher tickPublisher =
      new TickPublisher(trigger -> {}, Duration.ofMinutes(1));

  @AfterEach
  void close() {
    tickPublisher.close();
  }

  @Override
  protected TickScheduler schedule() {
    return tickPublisher;
  }
}

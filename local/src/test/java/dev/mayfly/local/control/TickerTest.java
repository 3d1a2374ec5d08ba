package dev.mayfly.local.control;

import dev.mayfly.core.port.Schedule;
import dev.mayfly.porttests.ScheduleContract;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;

class TickerTest extends ScheduleContract {
  private final Ticker ticker = new Ticker(hint -> {}, Duration.ofMinutes(1));

  @AfterEach
  void close() {
    ticker.close();
  }

  @Override
  protected Schedule schedule() {
    return ticker;
  }
}

package dev.mayfly.functions.os;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.Alarms;
import dev.mayfly.porttests.AlarmsContract;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

class ThreadAlarmsTest extends AlarmsContract {
  private final InstantSource clock = InstantSource.system();
  private final ThreadAlarms alarms = new ThreadAlarms(clock, true);

  @AfterEach
  void stop() {
    alarms.close();
  }

  @Override
  protected Alarms alarms() {
    return alarms;
  }

  @Override
  protected Instant now() {
    return clock.instant();
  }

  @Override
  protected String next(BlockingQueue<String> rung) throws InterruptedException {
    var next = rung.poll(120, TimeUnit.SECONDS);
    assertThat(next).as("an alarm within two minutes").isNotNull();
    return next;
  }
}

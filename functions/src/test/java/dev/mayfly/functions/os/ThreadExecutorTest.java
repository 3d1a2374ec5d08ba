package dev.mayfly.functions.os;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.ScheduledExecutor;
import dev.mayfly.porttests.ScheduledExecutorContract;
import java.time.Instant;
import java.time.InstantSource;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;

class ThreadExecutorTest extends ScheduledExecutorContract {
  private final InstantSource clock = InstantSource.system();
  private final ThreadExecutor executor = new ThreadExecutor(clock, true);

  @AfterEach
  void stop() {
    executor.close();
  }

  @Override
  protected ScheduledExecutor executor() {
    return executor;
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

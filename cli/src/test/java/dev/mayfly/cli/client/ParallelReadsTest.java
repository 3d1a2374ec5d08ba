package dev.mayfly.cli.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class ParallelReadsTest {
  private final CountDownLatch failed = new CountDownLatch(1);

  @Test
  void firstFailureInOrderIsToldNotTheEarliest() {
    try (var reads = new ParallelReads()) {
      var first = reads.begin(() -> await(failed, "jobs are away"));
      var second = reads.begin(this::fail);

      assertThatThrownBy(first::get)
          .isInstanceOf(UnavailableException.class)
          .hasMessage("jobs are away");
      assertThatThrownBy(second::get).hasMessage("machines are away");
    }
  }

  @Test
  void closeGivesUpWhatNobodyWaitsFor() throws Exception {
    var begun = new CountDownLatch(1);
    var interrupted = new CountDownLatch(1);
    try (var reads = new ParallelReads()) {
      var unused =
          reads.begin(() -> {
            begun.countDown();
            try {
              return failed.await(30, TimeUnit.SECONDS);
            } catch (InterruptedException given) {
              interrupted.countDown();
              return false;
            }
          });
      assertThat(begun.await(30, TimeUnit.SECONDS)).isTrue();
    }

    assertThat(interrupted.await(30, TimeUnit.SECONDS)).isTrue();
  }

  private String fail() {
    failed.countDown();
    throw new UnavailableException("machines are away");
  }

  private static String await(CountDownLatch latch, String message) {
    try {
      assertThat(latch.await(30, TimeUnit.SECONDS)).isTrue();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    throw new UnavailableException(message);
  }
}

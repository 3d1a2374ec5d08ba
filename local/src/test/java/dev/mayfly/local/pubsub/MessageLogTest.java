package dev.mayfly.local.pubsub;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MessageLogTest {
  private static final Duration LIMIT = Duration.ofSeconds(20);

  @TempDir Path folder;

  private static MessageLog.LogEntry topic(String name) {
    return new MessageLog.LogEntry(null, null, name);
  }

  /** An interrupt stands for whatever ends the thread. */
  private static void breakWriter() throws InterruptedException {
    for (var thread : Thread.getAllStackTraces().keySet())
      if (thread.getName().equals("pubsub-journal")) {
        thread.interrupt();
        thread.join();
      }
  }

  @Test
  void publishFailsOnceNothingIsWrittenAnyMore() throws Exception {
    var log = new MessageLog(folder.resolve("journal.jsonl"));
    assertThat(log.add(topic("one"))).succeedsWithin(LIMIT);

    breakWriter();

    assertThat(log.add(topic("two")))
        .failsWithin(LIMIT)
        .withThrowableThat()
        .withCauseInstanceOf(IOException.class)
        .withMessageContaining("start it again");
    log.close();
  }
}

package dev.mayfly.agent.runner;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Nobody may have to wait for a program that reads nothing. */
class TaskWriterTest {
  @TempDir Path folder;

  private static byte[] line(int length) {
    var line = new byte[length];
    line[length - 1] = '\n';
    return line;
  }

  @Test
  void shortLineIsWrittenIntoAnEmptyPipe() throws IOException {
    var pipe = MarkedPipe.make(folder.resolve("tasks"));
    var writer = new TaskWriter(pipe);

    assertThat(writer.writeAtOnce(line(4096))).isTrue();
    assertThat(pipe.unread()).isEqualTo(4096);
    assertThat(writer.writeAtOnce(line(1))).isFalse();
    assertThat(pipe.unread()).isEqualTo(4096);
    writer.close();
  }

  @Test
  void longLineIsNotWrittenAtOnce() throws IOException {
    var pipe = MarkedPipe.make(folder.resolve("tasks"));
    var writer = new TaskWriter(pipe);

    assertThat(writer.writeAtOnce(line(4097))).isFalse();
    assertThat(pipe.unread()).isZero();
    writer.close();
  }
}

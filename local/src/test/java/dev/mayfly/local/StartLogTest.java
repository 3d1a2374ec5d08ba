package dev.mayfly.local;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The reason of a failed start is that of this start. */
class StartLogTest {
  @TempDir Path folder;
  private Path file;
  private StartLog log;

  @BeforeEach
  void oldLines() throws IOException {
    file =
        Files.writeString(
            folder.resolve("cloud.log"), "T ERROR ServerProcess x cannot start: old\n");
    log = StartLog.now(file);
  }

  private void say(String lines) throws IOException {
    Files.writeString(file, lines, StandardOpenOption.APPEND);
  }

  private String reason() throws Exception {
    var ended = new ProcessBuilder("sh", "-c", "exit 78").start();
    ended.waitFor();
    return log.reason(ended);
  }

  @Test
  void whatTheProcessSaysIsTheReason() throws Exception {
    say(
        "T ERROR ServerProcess the cloud cannot start: machines/zzz.json is damaged\nT INFO A bye\n");

    assertThat(reason()).isEqualTo("machines/zzz.json is damaged");
  }

  @Test
  void exceptionComesBeforeItsStackTrace() throws Exception {
    say(
        "Exception in thread \"main\" java.lang.IllegalStateException: no\n\tat dev.mayfly.A.b(A.java:1)\n");

    assertThat(reason()).contains("IllegalStateException: no");
  }

  @Test
  void oldLinesAreNoReason() throws Exception {
    assertThat(reason())
        .isEqualTo(
            "it ended with exit code 78 and wrote nothing, perhaps because its disk is full");
  }

  @Test
  void warningsOfThisStartAreFound() throws Exception {
    say("T WARNING SqliteLedger the log is damaged\nT INFO A b\n");

    assertThat(log.warnings()).containsExactly("the log is damaged");
  }

  @Test
  void damagedEndpointsAreWrittenAnew() throws IOException {
    Files.writeString(LocalEndpoints.file(folder), "{\"garbage\"");

    assertThat(LocalEndpoints.before(folder)).isEmpty();
    LocalEndpoints.of(9000, false, 1, 2).write(folder);
    assertThat(LocalEndpoints.before(folder)).isPresent();
  }
}

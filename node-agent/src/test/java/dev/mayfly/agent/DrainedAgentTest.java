package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.sync.SyncReport;
import java.io.RandomAccessFile;
import java.nio.file.Files;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An agent process whose worker is drained: what its tasks can still save. */
class DrainedAgentTest extends AgentProcessFixture {
  /**
   * At least the tasks' grace of five seconds; the rest is for a busy machine, because the task
   * must run before it is asked to end.
   */
  private static final int LEFT = 8;

  @Test
  void trapRunsAndItsCheckpointIsStored() throws Exception {
    var up = root.resolve("up");
    assertThat(new ProcessBuilder("mkfifo", up.toString()).start().waitFor()).isZero();
    command =
        "trap 'echo saved $(cat $MAYFLY_STOP) > $MAYFLY_CHECKPOINT/n; exit 7' TERM; echo up > "
            + up
            + "; while :; do sleep 0.05; done";
    checkpoint = Optional.of(bucket() + "/ck/{index}/");
    granting = true;
    launch();
    // A pipe opened for both has no end.
    try (var pipe = new RandomAccessFile(up.toFile(), "rw")) {
      for (var i = 0; i < 2; i++) assertThat(pipe.readLine()).isEqualTo("up");
    }

    drain = Optional.of(Instant.now().plusSeconds(LEFT));

    var last = report(SyncReport::drained);
    assertThat(last.leases().getFirst().failed())
        .extracting(
            AttemptFailure::cause,
            AttemptFailure::evidence,
            AttemptFailure::exitCode,
            AttemptFailure::isKept)
        .containsOnly(tuple(FailureCause.END_OF_LIFE, "the machine is old", 7, true));
    try (var stored = Files.walk(root.resolve("bucket/ck/0/files"))) {
      var file = stored.filter(Files::isRegularFile).findFirst().orElseThrow();
      assertThat(file).hasContent("saved drained");
    }
    assertThat(root.resolve("bucket/ck/0/manifests")).isNotEmptyDirectory();
    assertThat(root.resolve("bucket/mayfly/.jobs/j1/logs/00000000/s0e1/00000.log"))
        .content()
        .contains(
            "mayfly: the task is asked to end (drained) and killed in 5 s: the machine is old\n");
  }
}

package dev.mayfly.agent.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.MadeFrom;
import java.io.IOException;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** An attempt that continues from a checkpoint says from which one. */
class RestoredTextTest extends CheckpointFixture {
  private static CheckpointMaker maker(String name, String code, String command) {
    return new CheckpointMaker(
        Optional.of(name), new MadeFrom(Optional.empty(), Optional.of(code), Optional.of(command)));
  }

  private String saidAfter(CheckpointMaker first, String nextJob, CheckpointMaker next)
      throws IOException {
    maker = first;
    begin("s0e1");
    write("n", "1");
    sync.finish();
    assertThat(said).isEmpty();
    job = nextJob;
    maker = next;

    begin("s0e2");

    assertThat(said).hasSize(1);
    return said.getFirst();
  }

  @Test
  void ownCheckpointIsNamedByTimeAndAttempt() throws IOException {
    var same = maker("ann/train", "c1", "x1");

    assertThat(saidAfter(same, "j1", same))
        .matches("continues from checkpoint 1, stored at [-0-9:TZ]+ by attempt s0e1 of this job");
  }

  @Test
  void checkpointOfAnotherJobSaysHowToBeginAnew() throws IOException {
    assertThat(saidAfter(maker("ann/train", "c1", "x1"), "j2", maker("ann/train", "c2", "x1")))
        .contains("attempt s0e1 of another job (ann/train, j1), with other code;")
        .endsWith(
            "; to begin anew, delete what is below "
                + PLACE
                + " or put {job} into the job's checkpoint");
  }

  @Test
  void otherCommandIsSaid() throws IOException {
    assertThat(saidAfter(maker("train", "c1", "x1"), "j2", maker("train", "c1", "x2")))
        .contains(", with other command or environment;");
  }

  /** Older agents did not say what they stored it from. */
  @Test
  void whatIsNotKnownIsNotSaid() throws IOException {
    assertThat(saidAfter(CheckpointMaker.UNKNOWN, "j2", maker("train", "c1", "x1")))
        .contains("attempt s0e1 of another job (j1); to begin anew");
  }
}

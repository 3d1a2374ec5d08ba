package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Key;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** Whoever reads a job's logs has its agents send them soon, for a while. */
class FollowTest {
  private final Lab lab = new Lab();

  private Caller working() {
    lab.submit(Lab.count("j", 2));
    lab.submit(Lab.count("other", 2));
    lab.deliver();
    var worker = lab.machine("w");
    worker.wait = 1;
    worker.ask();
    assertThat(worker.held()).isNotEmpty();
    return worker;
  }

  private void follow(String job) {
    lab.publish(new Command.FollowLogs("lab", job));
    lab.pass(2_000);
  }

  private String version(String job) {
    return lab.store.read(new Key.OfJob(lab.uid, lab.job(job).uid())).orElseThrow().version();
  }

  @Test
  void itsWorkersAreToldAtTheirNextCallAndNotAfterTwoMinutes() {
    var worker = working();
    assertThat(worker.ask().followed()).isEmpty();

    follow("j");
    assertThat(worker.ask().followed()).containsExactly(lab.job("j").uid());

    lab.time.pass(Duration.ofMinutes(2));
    assertThat(worker.ask().followed()).isEmpty();
  }

  @Test
  void whoGoesOnReadingSaysSoAgain() {
    var worker = working();
    follow("j");
    for (var minutes = 0; minutes < 5; minutes++) {
      lab.time.pass(Duration.ofMinutes(1));
      follow("j");
    }

    assertThat(worker.ask().followed()).containsExactly(lab.job("j").uid());
  }

  @Test
  void howeverManyReadTheJobIsWrittenOnce() {
    working();
    follow("j");
    var before = version("j");

    for (var reader = 0; reader < 10; reader++) follow("j");

    assertThat(version("j")).isEqualTo(before);
  }

  @Test
  void aMessageThatCameLateChangesNothing() {
    working();
    var message = lab.message(new Command.FollowLogs("lab", "j"));
    lab.time.pass(Duration.ofMinutes(3));
    var before = version("j");

    lab.control.intake().receive(message);

    assertThat(version("j")).isEqualTo(before);
    assertThat(lab.refused(message)).isEmpty();
  }

  @Test
  void aJobThatIsNotThereIsRefusedAndOneThatHasEndedIsNot() {
    assertThat(lab.refused(lab.publish(new Command.FollowLogs("lab", "none"))))
        .singleElement()
        .asString()
        .contains("there is no job none");
    var worker = working();
    lab.stop("j");
    worker.release();
    worker.ask();

    assertThat(lab.refused(lab.publish(new Command.FollowLogs("lab", "j")))).isEmpty();
  }
}

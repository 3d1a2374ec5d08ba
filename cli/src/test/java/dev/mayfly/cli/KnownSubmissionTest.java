package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A submission id that a job has already is that of its content, and of no other. */
class KnownSubmissionTest {
  private static final String JOB =
      ViewFixtures.JOB + "checkpoint: 'gs://lab/{date}/{index}/'\nsubmission: s-1\n";
  private static final String USED = "was used by job reddit (%s) with other content";

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private final String uid = UserCommand.SubmitJob.uid("s-1");
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    assertThat(mayfly("submit", file(JOB))).isZero();
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void otherContentIsRefusedWhateverItsName() throws IOException {
    control.refusal = List.of("job x: submission: " + USED.formatted(uid));

    for (var changed : List.of(JOB.replace("12", "13"), JOB.replace("reddit", "totallynew"))) {
      var file = file(changed);
      assertThat(mayfly("submit", file)).isEqualTo(2);
      assertThat(err()).contains(USED.formatted(uid));
      err.reset();
    }
    assertThat(out()).doesNotContain("nothing is submitted twice");
  }

  @Test
  void dryRunRefusesInTheSameWords() throws IOException {
    for (var changed : List.of(JOB.replace("12", "13"), JOB.replace("reddit", "totallynew"))) {
      assertThat(mayfly("submit", file(changed), "--dry-run")).isEqualTo(2);
      assertThat(err()).contains("submission: " + USED.formatted(uid));
      err.reset();
    }
  }

  @Test
  void sameContentIsTheKnownJob() throws IOException {
    assertThat(mayfly("submit", file(JOB), "--dry-run")).isZero();
    assertThat(err()).contains("a submission changes nothing");
    assertThat(mayfly("submit", file(JOB))).isZero();
    assertThat(out()).contains("(" + uid + ") is live", "nothing is submitted twice");
  }

  @Test
  void lostAnswersNameTheSubmissionToRepeat() throws IOException {
    var file = file(ViewFixtures.JOB);
    control.losesReplies = true;

    assertThat(mayfly("submit", file)).isEqualTo(75);
    assertThat(err())
        .contains("may have been accepted", "mayfly jobs -c lab", "submission: fresh in its file");
    control.losesReplies = false;
    assertThat(mayfly("submit", file(ViewFixtures.JOB + "submission: fresh\n"))).isZero();
    assertThat(out()).contains("nothing is submitted twice");
  }

  @Test
  void otherCommandsWithLostAnswersMayBeRepeated() {
    control.losesReplies = true;

    assertThat(mayfly("stop", "reddit")).isEqualTo(75);
    assertThat(err()).contains("the StopJob", "a repeat changes nothing");
  }

  private int mayfly(String... args) {
    var screen = TestScreen.plain(out, err);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, span -> {});
    var variables = Map.of("MAYFLY_HOME", home.toString(), "MAYFLY_OWNER", "");
    return Main.run(new CliContext(variables, screen, conditionPoller, () -> "fresh"), args);
  }

  private String file(String text) throws IOException {
    return Files.writeString(home.resolve("job.yaml"), text).toString();
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}

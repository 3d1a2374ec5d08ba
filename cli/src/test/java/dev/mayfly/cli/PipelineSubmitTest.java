package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.message.UserCommand;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly submit} of a file whose jobs start after each other. */
class PipelineSubmitTest {
  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private int ids;
  private FakeControlPlane control;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
  }

  @AfterEach
  void stop() {
    control.close();
  }

  private static String job(String name, String after) {
    return ViewFixtures.JOB.replace("name: reddit", "name: " + name)
        + (after.isEmpty() ? "" : "after: " + after + "\n")
        + "---\n";
  }

  private int submit(String text, String... options) throws IOException {
    var file = Files.writeString(home.resolve("pipeline.yaml"), text).toString();
    var args = new java.util.ArrayList<>(List.of("submit", file));
    args.addAll(List.of(options));
    var screen = TestScreen.plain(out, err);
    var poller = new ConditionPoller(() -> ViewFixtures.NOW, _ -> {});
    var context =
        new CliContext(Map.of("MAYFLY_HOME", home.toString()), screen, poller, () -> "id-" + ++ids);
    return Main.run(context, args.toArray(String[]::new));
  }

  private List<UserCommand.SubmitJob> published() {
    return control.published.stream().map(UserCommand.SubmitJob.class::cast).toList();
  }

  private String err() {
    return err.toString(UTF_8);
  }

  @Test
  void predecessorsAreFirstAndMeanThisFilesJobs() throws IOException {
    var text =
        job("merge", "[train, {job: extract, on: end}]")
            + job("train", "[extract]")
            + job("extract", "");

    assertThat(submit(text)).isZero();

    assertThat(published())
        .extracting(c -> c.spec().name())
        .containsExactly("extract", "train", "merge");
    var extract =
        Optional.of(UserCommand.SubmitJob.uid(published().get(0).submission().orElseThrow()));
    var train =
        Optional.of(UserCommand.SubmitJob.uid(published().get(1).submission().orElseThrow()));
    assertThat(published().get(2).spec().admission().after())
        .containsExactly(
            new Predecessor("train", train, Predecessor.On.SUCCESS),
            new Predecessor("extract", extract, Predecessor.On.END));
    assertThat(published()).extracting(UserCommand.SubmitJob::submission).doesNotHaveDuplicates();
  }

  @Test
  void cycleIsRefusedByNameUnpublished() throws IOException {
    var text = job("a", "[c]") + job("b", "[a]") + job("c", "[b]") + job("d", "");

    assertThat(submit(text)).isEqualTo(2);

    assertThat(err())
        .contains(
            "pipeline.yaml:7: after: these jobs wait for one another: a after c after b after a");
    assertThat(control.published).isEmpty();
  }

  @Test
  void unknownPredecessorIsRefusedUnlessForced() throws IOException {
    assertThat(submit(job("merge", "[extract]"))).isEqualTo(2);
    assertThat(err()).contains("neither the file nor cluster lab has a job extract", "--force");
    assertThat(control.published).isEmpty();

    assertThat(submit(job("merge", "[extract]"), "--force")).isZero();
    assertThat(err()).contains("warning: ");
    assertThat(control.published).hasSize(1);
  }

  @Test
  void knownPredecessorNeedsNotBeInFile() throws IOException {
    control.add(ViewFixtures.job(ViewFixtures.jobSpec()).view());

    assertThat(submit(job("merge", "[reddit]"))).isZero();
    assertThat(published().getFirst().spec().admission().after())
        .containsExactly(new Predecessor("reddit", Optional.empty(), Predecessor.On.SUCCESS));
  }

  @Test
  void oneInvalidJobKeepsAllUnpublished() throws IOException {
    var impossible = job("merge", "[extract]").replace("---\n", "resources: {cpu: 400}\n---\n");

    assertThat(submit(job("extract", "") + impossible)).isEqualTo(2);
    assertThat(control.published).isEmpty();
  }

  @Test
  void successorOfRefusedJobIsNotSubmitted() throws IOException {
    control.refuses = "bad"::equals;

    assertThat(
            submit(
                job("bad", "") + job("next", "[bad]") + job("last", "[next]") + job("other", "")))
        .isEqualTo(2);

    assertThat(published()).extracting(c -> c.spec().name()).containsExactly("bad", "other");
    assertThat(err())
        .contains("job next is not submitted, because job bad was not accepted")
        .contains("job last is not submitted, because job next was not accepted");
  }

  @Test
  void waitExitsWithWorstCodeAndSaysWhy() throws IOException {
    control.onSubmit =
        job -> {
          var view =
              ViewFixtures.job(job.spec())
                  .uid(UserCommand.SubmitJob.uid(job.submission().orElseThrow()));
          return job.spec().name().equals("first")
              ? List.of(view.view(), view.state("succeeded").view())
              : List.of(view.state("waiting").view(), view.state("failed").view());
        };

    assertThat(submit(job("first", "") + job("second", "[first]"), "--wait")).isEqualTo(1);
    assertThat(out.toString(UTF_8)).contains("job second").contains("it starts after");
  }

  @Test
  void printedMessagesReferToEachOther() throws IOException {
    assertThat(submit(job("second", "[first]") + job("first", ""), "--print")).isZero();

    assertThat(out.toString(UTF_8).lines())
        .anyMatch(l -> l.contains("\"name\":\"first\"") && l.contains("\"submission\":\"id-"))
        .anyMatch(l -> l.contains("\"after\":[{\"job\":\"first\",\"submission\":\"id-"));
  }
}

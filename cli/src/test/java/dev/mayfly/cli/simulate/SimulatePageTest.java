package dev.mayfly.cli.simulate;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.page.ExportedSimulation;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly simulate --page}: the file with the page of a simulated cluster. */
class SimulatePageTest {
  private static final String NIGHT =
      """
      apiVersion: mayfly.dev/v1
      kind: Scenario
      cluster:
        pools:
          - name: cpu
            machine: {type: n2-standard-4}
            zones: [us-central1-a]
            provisioning: "{how}"
            workers: {max: 2, idleAfter: 5m}
      variables: {how: spot}
      jobs:
        - {job: {name: sweep, owner: ann, tasks: {count: 6}, resources: {cpu: 4}}, takes: 20m}
        - {job: {name: table, resources: {cpu: 4}}, at: 5m, takes: 10m}
      zones:
        - {boot: 90s, losses: [{at: 10m, count: 1}]}
      """;

  private static final Pattern DATA =
      Pattern.compile("id=\"exported\">(.*?)</script>", Pattern.DOTALL);

  @TempDir Path folder;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();

  @BeforeEach
  void writeScenario() throws IOException {
    Files.writeString(folder.resolve("night.yaml"), NIGHT);
  }

  @Test
  void hasWhatTheSimulatedControlPlaneAnswers() throws IOException {
    assertThat(simulate("night.yaml", "--page", "night.html")).as(err()).isZero();

    var has = exported("night.html");
    assertThat(has.jobs()).extracting("name").containsExactly("table", "sweep");
    var sweep = has.jobs().getLast();
    assertThat(has.tasks().get(sweep.uid()))
        .hasSize(6)
        .allMatch(it -> it.state() == TaskStatus.State.DONE && it.startedAt().isPresent());
    assertThat(has.workers()).extracting("state").containsOnly("gone", "drained").hasSize(3);
    assertThat(has.why().get(sweep.uid()).summary()).startsWith("succeeded");
    assertThat(has.uses().get(sweep.uid()).asks()).contains("4 CPU");
    assertThat(has.costs())
        .containsKeys("day 2026-01-01", "zone 2026-01-01", "day " + sweep.uid())
        .allSatisfy((_, cost) -> assertThat(cost.total().total().usd()).isPositive());
    assertThat(has.events()).extracting("what").contains("preempted", "succeeded");
    assertThat(err()).contains("night.yaml is night.html, 0.");
  }

  @Test
  void saysThatItIsASimulation() throws IOException {
    assertThat(simulate("night.yaml", "--page", "night.html", "--seed", "7")).as(err()).isZero();

    var of = exported("night.html").simulation();
    assertThat(of.scenario()).endsWith("night.yaml");
    assertThat(of.seed()).isEqualTo(7);
    assertThat(of.runs()).isEqualTo(1);
    assertThat(of.end()).startsWith("all jobs have ended after ").contains(", for $");
    assertThat(of.said())
        .anyMatch(it -> it.startsWith("ann/sweep: tasks waited "))
        .contains("ann/sweep: attempts without a result: 1 preempted");
    assertThat(of.waits().get("ann/sweep").getFirst()).startsWith("tasks waited ");
  }

  @Test
  void sameSeedGivesTheSameFile() throws IOException {
    simulate("night.yaml", "--page", "a.html");
    simulate("night.yaml", "--page", "b.html");

    assertThat(folder.resolve("a.html")).hasSameTextualContentAs(folder.resolve("b.html"));
  }

  @Test
  void isOfTheMiddleOfSeveralRuns() throws IOException {
    Files.writeString(
        folder.resolve("night.yaml"), NIGHT.replace("takes: 20m", "takes: {from: 5m, to: 40m}"));

    assertThat(simulate("night.yaml", "--runs", "3", "--page", "night.html")).as(err()).isZero();

    var of = exported("night.html").simulation();
    assertThat(of.runs()).isEqualTo(3);
    assertThat(out().replaceAll("\\s+", " "))
        .contains("seed %d, the middle one of 3 runs".formatted(of.seed()))
        .contains(of.end());
    simulate("night.yaml", "--seed", Long.toString(of.seed()), "--page", "one.html");
    assertThat(exported("night.html").jobs()).isEqualTo(exported("one.html").jobs());
  }

  @Test
  void comparedScenariosHaveAPageEachInAFolder() throws IOException {
    assertThat(simulate("night.yaml", "--compare", "how=on-demand", "--page", "pages"))
        .as(err())
        .isZero();

    assertThat(exported("pages/night.html").simulation().scenario()).endsWith("night.yaml");
    assertThat(exported("pages/how=on-demand.html").simulation().scenario())
        .isEqualTo("how=on-demand");
    assertThat(err()).contains("the page of how=on-demand is pages/how=on-demand.html");
  }

  @Test
  void comparedScenariosDoNotFitOneFile() {
    assertThat(simulate("night.yaml", "--compare", "how=on-demand", "--page", "a.html"))
        .isEqualTo(2);

    assertThat(err())
        .contains("--page is a.html, and with --compare there are 2 pages; name a folder");
    assertThat(out()).isEmpty();
  }

  @Test
  void fileThatIsNoPageIsNotReplaced() throws IOException {
    assertThat(simulate("night.yaml", "--page", "night.yaml")).isEqualTo(2);

    assertThat(err()).contains("--page is night.yaml, a file that is no page; name one such as");
    assertThat(Files.readString(folder.resolve("night.yaml"))).isEqualTo(NIGHT);
  }

  @Test
  void filesOfOthersAreNotReplaced() throws IOException {
    Files.writeString(folder.resolve("mine.html"), "precious");

    assertThat(simulate("night.yaml", "--page", "mine.html")).isEqualTo(2);
    assertThat(err()).contains("is not a page of Mayfly, so it is not replaced");
    Files.writeString(folder.resolve("mine.svg"), "precious");
    assertThat(simulate("night.yaml", "--plot", folder.resolve("mine.svg").toString()))
        .isEqualTo(2);
    assertThat(err()).contains("is not a plot of Mayfly, so it is not replaced");
    assertThat(simulate("night.yaml", "--page", "")).isEqualTo(2);
    assertThat(err()).contains("--page is empty");

    assertThat(folder.resolve("mine.html")).hasContent("precious");
    assertThat(folder.resolve("mine.svg")).hasContent("precious");
    assertThat(Files.readString(folder.resolve("night.yaml"))).isEqualTo(NIGHT);
    assertThat(out()).isEmpty();
  }

  @Test
  void ownFilesAreReplaced() {
    var plot = folder.resolve("night.svg").toString();
    for (var i = 0; i < 2; i++)
      assertThat(simulate("night.yaml", "--page", "night.html", "--plot", plot)).as(err()).isZero();
  }

  @Test
  void missingFolderIsSaidBeforeItRuns() {
    assertThat(simulate("night.yaml", "--page", "no/night.html")).isEqualTo(2);

    assertThat(err()).contains("there is no folder ").contains("/no");
    assertThat(out()).isEmpty();
  }

  @Test
  void largeJobsAreCutEqually() throws IOException {
    Files.writeString(
        folder.resolve("night.yaml"),
        NIGHT
            .replace("workers: {max: 2,", "workers: {max: 200,")
            .replace("{cpu: 4}}, takes: 20m", "{cpu: 1m}}, takes: 20m")
            .replace("count: 6", "count: 25000"));

    assertThat(simulate("night.yaml", "--page", "night.html")).as(err()).isZero();

    var has = exported("night.html");
    assertThat(has.tasks().values()).extracting(List::size).containsExactlyInAnyOrder(1, 19_999);
    assertThat(has.cut()).contains("Of job ann/sweep it has the first 19,999 of 25,000 tasks");
    assertThat(err()).contains("Of job ann/sweep it has the first 19,999");
  }

  private ExportedSimulation exported(String file) throws IOException {
    var data = DATA.matcher(Files.readString(folder.resolve(file)));
    assertThat(data.find()).isTrue();
    return Wire.shared()
        .read(ExportedSimulation.class, data.group(1).replace("\\u003c", "<").getBytes(UTF_8));
  }

  private int simulate(String file, String... more) {
    var args = new String[more.length + 2];
    args[0] = "simulate";
    args[1] = folder.resolve(file).toString();
    System.arraycopy(more, 0, args, 2, more.length);
    var clock = new ConditionPoller(() -> Instant.EPOCH, _ -> {});
    var screen = TestScreen.plain(out, err, 80);
    return Main.run(new CliContext(Map.of(), screen, clock, () -> "id", folder), args);
  }

  private String out() {
    return out.toString(UTF_8);
  }

  private String err() {
    return err.toString(UTF_8);
  }
}

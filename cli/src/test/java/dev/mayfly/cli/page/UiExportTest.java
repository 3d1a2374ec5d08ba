package dev.mayfly.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.Main;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.metrics.TaskFixtures;
import dev.mayfly.cli.output.CostFixtures;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.wire.Wire;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code mayfly ui --export}: the file of a job, what it has and what it never has. */
class UiExportTest {
  private static final String HOSTILE = "</script><script>alert(1)</script>\u2028<!--";
  private static final String JOB =
      ViewFixtures.JOB.replace(
          "command:", "env: {WORD: opensesame}\nsecrets: {KEY: hidden/latest}\ncommand:");
  private static final Pattern SCRIPT = Pattern.compile("<script>(.*?)</script>", Pattern.DOTALL);
  private static final Pattern STYLE = Pattern.compile("<style>(.*?)</style>", Pattern.DOTALL);
  private static final Pattern DATA =
      Pattern.compile("id=\"exported\">(.*?)</script>", Pattern.DOTALL);

  @TempDir Path home;
  private final ByteArrayOutputStream out = new ByteArrayOutputStream();
  private final ByteArrayOutputStream err = new ByteArrayOutputStream();
  private FakeControlPlane control;
  private boolean terminal;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.announce(home);
    control.clusters.put("lab", ViewFixtures.cluster());
    control.add(
        ViewFixtures.job(ViewFixtures.jobSpec(JOB))
            .bucket(bucket())
            .state("failed")
            .failures(ViewFixtures.failure(5, FailureCause.USER, HOSTILE + " " + home + "/data"))
            .view());
    answers();
  }

  private void answers() {
    var event =
        new EventRecord(
            "lab",
            "e1",
            ViewFixtures.NOW,
            "job/reddit",
            "failed",
            HOSTILE,
            Optional.empty(),
            Optional.of("m1"));
    var said = "failed: " + HOSTILE;
    var remedy = Optional.of("mend " + HOSTILE);
    control.explanations.add(
        new JobExplanation("reddit", said, List.of(), List.of(), List.of(event), remedy));
    control.pages.add(new TaskPage(TaskFixtures.sweep(), Optional.empty()));
  }

  @AfterEach
  void stop() {
    control.close();
  }

  @Test
  void fileRunsItsOwnScriptAndNothingElse() throws Exception {
    assertThat(run("ui", "--export", "a.html", "reddit")).isZero();

    var page = Files.readString(home.resolve("a.html"));
    assertThat(page)
        .contains(
            "default-src 'none'; script-src 'sha256-"
                + hash(SCRIPT, page)
                + "'; style-src 'sha256-"
                + hash(STYLE, page)
                + "'")
        .doesNotContain("unsafe", "src=\"", "@import")
        .containsOnlyOnce("<link rel=\"icon\" href=\"data:")
        .contains("The MIT License", "Apache License");
    assertThat(page.split("<script", -1)).hasSize(4);
    assertThat(out.toString(UTF_8)).contains("wrote a.html: job reddit with 6 tasks, 0.5 MB");
  }

  @Test
  void estimateAndRemedyAreInTheFile() throws Exception {
    control.estimate = JobEstimate.unknown("none of its tasks runs now");
    run("ui", "--export", "a.html", "reddit");
    assertThat(data("a.html")).doesNotContain("estimate");
    // Of a job that waits for another one too.
    control.add(
        ViewFixtures.job(ViewFixtures.jobSpec(JOB)).bucket(bucket()).state("waiting").view());
    answers();

    run("ui", "--export", "b.html", "reddit");

    assertThat(data("b.html"))
        .contains("\"text\":\"unknown: none of its tasks runs now\"", "\"remedy\":\"mend ")
        .contains("\"use\":{\"asks\":\"");
  }

  @Test
  void fileHasTheCostsThatThePageHas() throws Exception {
    control.cost = CostFixtures.cost();
    control.add(
        ViewFixtures.job(ViewFixtures.jobSpec("maxUsd: 12.5\n" + JOB))
            .bucket(bucket())
            .state("failed")
            .view());

    run("ui", "--export", "a.html", "reddit");

    assertThat(data("a.html"))
        .contains("\"maxUsd\":12.5", "\"beside\":{\"name\":\"(no job)\",")
        .doesNotContain("\"groups\"");
  }

  @Test
  void fileHasMetricsOverTimeWithinABound() throws Exception {
    history(0, 0, JobExport.MOST_POINTS + 1);
    history(4, 1_000, 3);

    run("ui", "--export", "a.html", "reddit");

    assertThat(data("a.html"))
        .contains(
            "\"curves\":[{\"index\":0,", "{\"step\":0.0}", "{\"step\":200.0}", "{\"step\":1002.0}")
        .contains(
            "the first 200 tasks that have some and of 200 attempts before",
            "each at most 200 points")
        .doesNotContain("{\"step\":199.0}");
  }

  @Test
  void unreadableBucketIsToldAndTheRestWritten() throws Exception {
    control.add(
        ViewFixtures.job(ViewFixtures.jobSpec(JOB)).bucket("gs://lab").state("failed").view());

    assertThat(run("ui", "--export", "a.html", "reddit")).isZero();

    assertThat(data("a.html")).contains("It has no metrics over time: ", "\"curves\":[]");
  }

  @Test
  void fileHasTheMachinesThatRanIt() throws Exception {
    control.workers.add(ViewFixtures.worker("lab-gpu-7f3a", "gone", 5, Optional.of("preempted")));
    control.workers.add(ViewFixtures.worker("lab-cpu-0", "ready", 5, Optional.empty()));
    var ran = TaskFixtures.reporting(TaskFixtures.sweep().getFirst(), Map.of());
    control.pages.clear();
    control.pages.add(new TaskPage(List.of(ran), Optional.empty()));

    run("ui", "--export", "a.html", "reddit");

    assertThat(data("a.html"))
        .contains("\"machines\":[{\"name\":\"lab-gpu-7f3a\",\"state\":\"gone\",")
        .doesNotContain("lab-cpu-0");
  }

  private String bucket() {
    return "file://" + home.resolve("data");
  }

  private void history(long index, int from, int rows) {
    var all =
        IntStream.range(from, from + rows)
            .mapToObj(it -> new MetricsRow(ViewFixtures.NOW, Map.of("step", (double) it)))
            .toList();
    ObjectStores.of(Map.of())
        .create(
            BucketLayout.of(bucket()).metrics("j1", index, "s0e1", 0),
            ObjectStore.Content.of(Wire.shared().metrics(all)),
            Map.of());
  }

  @Test
  void hostileTextsAreTexts() throws Exception {
    run("ui", "--export", "a.html", "reddit");

    assertThat(data("a.html"))
        .contains(
            "\"summary\":\"failed: \\u003c/script>\\u003cscript>alert(1)", "\\u2028\\u003c!--")
        .doesNotContain("<", "\u2028");
  }

  @Test
  void environmentSecretsAndHomeAreInNoFile() throws Exception {
    run("ui", "--export", "a.html", "reddit");

    assertThat(data("a.html"))
        .contains("\"run\":{\"command\":[\"echo\",\"{index}\"]}", "$MAYFLY_HOME/data")
        .doesNotContain(
            "opensesame", "hidden", "secrets\":", home.toString(), "messageId", "bucket");
  }

  @Test
  void fileIsReplacedOnlyIfThatIsMeant() throws Exception {
    Files.writeString(home.resolve("a.html"), "mine");

    assertThat(run("ui", "--export", "a.html", "reddit")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("a.html exists; --force replaces a file");
    assertThat(control.calls).isEmpty();
    assertThat(home.resolve("a.html")).hasContent("mine");
    assertThat(run("ui", "--export", "a.html", "--force", "reddit")).isZero();
    assertThat(Files.readString(home.resolve("a.html"))).contains("id=\"exported\"");
    try (var files = Files.list(home)) {
      assertThat(files.map(it -> it.getFileName().toString()))
          .containsExactlyInAnyOrder("a.html", "local.json");
    }
  }

  @Test
  void dashIsStdoutAndNothingBesideThePage() {
    assertThat(run("ui", "--export", "-", "reddit")).isZero();

    assertThat(out.toString(UTF_8)).startsWith("<!doctype html>").endsWith("</html>\n");
  }

  @Test
  void pageIsNotWrittenToATerminal() {
    terminal = true;

    assertThat(run("ui", "--export", "-", "reddit")).isEqualTo(2);
    assertThat(err.toString(UTF_8)).contains("mayfly ui --export - JOB > FILE.html");
    assertThat(out.size()).isZero();
  }

  @Test
  void unknownJobIsToldAndWritesNothing() {
    assertThat(run("ui", "--export", "a.html", "nosuch")).isEqualTo(4);

    assertThat(home.resolve("a.html")).doesNotExist();
  }

  @Test
  void jobAndForceAreForAFile() {
    assertThat(run("ui", "reddit")).isEqualTo(2);
    assertThat(run("ui", "--export", "a.html")).isEqualTo(2);
    assertThat(run("ui", "--export", "a.html", "--port", "1", "reddit")).isEqualTo(2);

    assertThat(err.toString(UTF_8))
        .contains(
            "are for --export FILE.html",
            "name the job: mayfly ui --export a.html JOB",
            "the page that is served");
  }

  @Test
  void tasksBeyondTheBoundAreToldWithTheRemedy() throws Exception {
    control.pages.clear();
    for (var from = 0; from < JobExport.MOST_TASKS; from += 500)
      control.pages.add(new TaskPage(tasks(from), Optional.of(from + 500L)));

    run("ui", "--export", "a.html", "reddit");

    var told =
        "It has the first 20,000 of 12 tasks, and 0 of 0 that failed. The others: mayfly tasks reddit --from 20000 -c lab";
    assertThat(err.toString(UTF_8)).contains("5,000 of 12 tasks read", told);
    assertThat(data("a.html")).contains("\"cut\":[\"" + told + "\"]", "\"index\":19999");
  }

  private static List<TaskStatus> tasks(long from) {
    return LongStream.range(from, from + 500)
        .mapToObj(it -> TaskFixtures.task(it, TaskStatus.State.DONE, Map.of(), Map.of()))
        .toList();
  }

  private int run(String... args) {
    var env = Map.of("MAYFLY_HOME", home.toString(), "HOME", "/home/ann", "USER", "ann");
    var screen =
        TestScreen.of(
            new PrintStream(out, true, UTF_8),
            new PrintStream(err, true, UTF_8),
            terminal,
            false,
            300);
    var conditionPoller = new ConditionPoller(() -> ViewFixtures.NOW, _ -> {});
    return Main.run(new CliContext(env, screen, conditionPoller, () -> "id", home), args);
  }

  private String data(String file) throws IOException {
    return group(DATA, Files.readString(home.resolve(file)));
  }

  private static String hash(Pattern pattern, String page) throws Exception {
    var digest = MessageDigest.getInstance("SHA-256").digest(group(pattern, page).getBytes(UTF_8));
    return Base64.getEncoder().encodeToString(digest);
  }

  private static String group(Pattern pattern, String page) {
    var found = pattern.matcher(page);
    assertThat(found.find()).isTrue();
    return found.group(1);
  }
}

package dev.mayfly.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.FakeControlPlane;
import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.metrics.TaskFixtures;
import dev.mayfly.core.model.MetricsRow;
import dev.mayfly.core.model.TaskUse;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.CutLog;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.io.OutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The page's server, over HTTP as browsers speak it. */
class PageServerTest {
  @TempDir Path home;
  private final HttpClient browser = HttpClient.newHttpClient();
  private FakeControlPlane control;
  private CliContext cliContext;
  private PageServer server;

  @BeforeEach
  void start() throws IOException {
    control = new FakeControlPlane();
    control.clusters.put("lab", ViewFixtures.cluster());
    var nowhere = new PrintStream(OutputStream.nullOutputStream());
    cliContext =
        new CliContext(
            Map.of("MAYFLY_HOME", home.toString(), "USER", "ann"),
            TestScreen.plain(nowhere, nowhere, 80),
            new ConditionPoller(() -> ViewFixtures.NOW, _ -> {}),
            () -> "secret");
    server = PageServer.start(cliContext, 0);
  }

  @AfterEach
  void stop() {
    browser.close();
    server.close();
    control.close();
  }

  @Test
  void addressShowsThePage() throws Exception {
    var reply = get(server.address(), "");

    assertThat(reply.statusCode()).isEqualTo(200);
    assertThat(reply.body()).contains("<title>Mayfly</title>").doesNotContain("<style", "onclick");
    assertThat(reply.headers().firstValue("Set-Cookie")).as("other ports read cookies").isEmpty();
    assertThat(reply.headers().firstValue("Content-Security-Policy"))
        .hasValueSatisfying(it ->
            assertThat(it)
                .contains("default-src 'none'", "script-src 'self'")
                .doesNotContain("unsafe"));
  }

  /** Every user of the computer sees the arguments of the browser that is started. */
  @Test
  void launchAddressIsOfUseOnce() throws Exception {
    assertThat(server.launchAddress()).contains("/?open=").doesNotContain("key");
    var word = server.launchAddress().replaceAll(".*open=", "");

    assertThat(exchange(word).body()).isEqualTo("{\"key\":\"secret\"}");
    var again = exchange(word);
    assertThat(again.statusCode()).isEqualTo(401);
    assertThat(again.body()).contains("was opened before", "in your terminal");
  }

  private HttpResponse<String> exchange(String word) throws Exception {
    var request =
        HttpRequest.newBuilder(URI.create(at(PageGuard.EXCHANGE)))
            .header(PageGuard.WORD, word)
            .build();
    return browser.send(request, HttpResponse.BodyHandlers.ofString());
  }

  @Test
  void apiHandsAnswersAndErrorsOn() throws Exception {
    control.announce(home);

    assertThat(own("/api/v1/clusters").body()).contains("\"name\":\"lab\"");
    assertThat(own("/api/v1/clusters/none").statusCode()).isEqualTo(404);
    assertThat(own("/api/viewer").body()).contains("\"user\":\"ann\"", "\"laptop\":true");
  }

  @Test
  void pathsBesideTheReadApiLeadNowhere() throws Exception {
    control.announce(home);

    for (var path :
        new String[] {"/api/v1/../../cloud", "/api/v1/%2e%2e/cloud", "/api/v2/clusters"})
      assertThat(own(path).statusCode()).isEqualTo(404);
    assertThat(control.calls).isEmpty();
  }

  @Test
  void deploymentMayComeLater() throws Exception {
    var reply = own("/api/v1/clusters");

    assertThat(reply.statusCode()).isEqualTo(503);
    assertThat(reply.body()).contains("no laptop cloud runs", "mayfly local");
    control.announce(home);
    assertThat(own("/api/v1/clusters").statusCode()).isEqualTo(200);
  }

  @Test
  void logsAreLinesOfJsonWithTheirColours() throws Exception {
    control.announce(home);
    var log = home.resolve("bucket/mayfly/.jobs/j1/logs/00000007/s0e1/00000000.log");
    Files.createDirectories(log.getParent());
    Files.writeString(log, "\u001b[31mbad\u001b[0m\nlast");
    ObjectStores.of(Map.of())
        .create(
            ObjectUrl.of("file://" + log.resolveSibling("00000001.log")),
            ObjectStore.Content.of("ly".getBytes(UTF_8)),
            CutLog.cut(200, 50));
    control.add(
        ViewFixtures.job(ViewFixtures.jobSpec())
            .bucket("file://" + home.resolve("bucket"))
            .state("succeeded")
            .view());

    assertThat(own("/logs/lab/j1").body().lines())
        .satisfiesExactly(
            first -> assertThat(first).contains("\"task\":7", "\\u001B[31mbad"),
            second -> assertThat(second).contains("\"text\":\"lastly\""),
            note ->
                assertThat(note).startsWith("{\"note\":\"attempt s0e1 of task 7: 50 bytes left"));
  }

  @Test
  void useIsToldInTheWordsOfExplain() throws Exception {
    control.announce(home);
    var spec = ViewFixtures.JOB.replace("tasks:", "resources: {cpu: 0.25, memory: 4Gi}\ntasks:");
    control.add(ViewFixtures.job(ViewFixtures.jobSpec(spec)).view());
    var task = TaskFixtures.task(0, TaskStatus.State.DONE, Map.of(), Map.of());
    var used = TaskFixtures.using(task, new TaskUse(9, 0.1, 600L << 20));
    control.pages.add(new TaskPage(List.of(used), Optional.empty()));

    assertThat(own("/api/use/lab/j1").body())
        .contains("\"used\":\"used: at most 600 MiB of 4 GiB asked for; 0.1 of 0.25 CPU");
    assertThat(own("/api/use/lab").statusCode()).isEqualTo(404);
  }

  @Test
  void metricsOverTimeAreThoseThatAgentsStored() throws Exception {
    control.announce(home);
    history(7, "s0e1", 1);
    history(7, "s0e2", 5);
    history(8, "s0e1", 9);
    control.add(
        ViewFixtures.job(ViewFixtures.jobSpec())
            .bucket("file://" + home.resolve("bucket"))
            .state("failed")
            .view());

    assertThat(own("/api/metrics/lab/j1/7").body())
        .contains("\"attempt\":\"s0e1\"", "\"attempt\":\"s0e2\"", "{\"step\":5.0}")
        .doesNotContain("\"index\":8");
    assertThat(own("/api/metrics/lab/j1/8,3").body())
        .startsWith("[{\"index\":8,\"attempt\":\"s0e1\"")
        .doesNotContain("\"index\":7");
    assertThat(own("/api/metrics/lab/none/8").statusCode()).isEqualTo(404);
    for (var path : new String[] {"x", "1,", "../8", "1,2,3,4,5,6,7,8,9,10,11,12,13"})
      assertThat(own("/api/metrics/lab/j1/" + path).statusCode()).as(path).isEqualTo(404);
  }

  private void history(int index, String attempt, int step) {
    ObjectStores.of(Map.of())
        .create(
            BucketLayout.of("file://" + home.resolve("bucket")).metrics("j1", index, attempt, 0),
            ObjectStore.Content.of(
                Wire.shared()
                    .metrics(
                        List.of(new MetricsRow(ViewFixtures.NOW, Map.of("step", (double) step))))),
            Map.of());
  }

  @Test
  void onlyThePagesFilesAreServed() throws Exception {
    assertThat(own("/vendor/uplot.js").statusCode()).isEqualTo(200);
    for (var path :
        new String[] {"/package-info.class", "/../PageServer.class", "/vendor/..%2fapp.js"})
      assertThat(own(path).statusCode()).isEqualTo(404);
  }

  @Test
  void takenPortIsNamedWithTheRemedy() {
    var port = URI.create(server.address()).getPort();

    assertThatThrownBy(() -> PageServer.start(cliContext, port))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("port " + port)
        .hasMessageContaining("--port 0");
  }

  private HttpResponse<String> own(String path) throws Exception {
    return get(at(path), "secret");
  }

  private String at(String path) {
    return "http://127.0.0.1:" + URI.create(server.address()).getPort() + path;
  }

  private HttpResponse<String> get(String url, String key) throws Exception {
    var request = HttpRequest.newBuilder(URI.create(url)).header(PageGuard.KEY, key).build();
    return browser.send(request, HttpResponse.BodyHandlers.ofString());
  }
}

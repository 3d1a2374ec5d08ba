package dev.mayfly.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncOrders;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.function.Predicate;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The agent as the process that a machine runs, with a metadata server and a control plane. */
@Timeout(120)
final class MainTest {
  private static final LeaseRef LEASE = new LeaseRef("j1", 0, 1);
  private static final int TASKS = 3;

  @TempDir Path root;
  private final LinkedBlockingQueue<SyncReport> reports = new LinkedBlockingQueue<>();
  private FakeMetadataServer metadata;
  private HttpServer control;
  private Process agent;
  private volatile boolean granting;
  private volatile boolean away;
  private volatile boolean unanswered;
  private final CountDownLatch over = new CountDownLatch(1);
  private String command = "echo running; echo task {index} > {outputFile}";

  @BeforeEach
  void start() throws IOException {
    control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    control.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    control.createContext("/v1/sync", this::sync);
    control.start();
    metadata = new FakeMetadataServer();
    var url = "http://127.0.0.1:" + control.getAddress().getPort();
    var visible = new Resources(2_000, 1L << 30, 0, 0);
    var sheet = new MachineSheet("c1", "w-1", "cpu", "secret", url, bucket(), visible);
    sheet.metadata().forEach((k, v) -> metadata.set("instance/attributes/" + k, v));
    metadata.set("instance/id", "4711");
    metadata.set("instance/preempted", "FALSE");
    metadata.set("instance/service-accounts/default/identity", "proof");
    metadata.set("project/project-id", "lab");
  }

  @AfterEach
  void stop() throws Exception {
    if (agent != null) {
      agent.destroy();
      assertThat(agent.waitFor(60, SECONDS)).isTrue();
    }
    control.stop(0);
    metadata.close();
  }

  @Test
  void runsItsLeaseWritesSentinelsAndEndsWhenAsked() throws Exception {
    granting = true;
    launch();

    var done = report(r -> r.leases().stream().anyMatch(l -> l.done().count() == TASKS));

    assertThat(done.incarnation().instanceId()).isEqualTo("4711");
    assertThat(done.nonce()).isEqualTo("secret");
    for (int i = 0; i < TASKS; i++) {
      assertThat(root.resolve("bucket/out/" + i)).hasContent("task " + i);
      assertThat(root.resolve("bucket/out/" + i + ".COMPLETE")).exists();
    }
    granting = false;
    agent.destroy();
    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    assertThat(agent.exitValue()).isEqualTo(Ending.DONE);
    assertThat(root.resolve("work/logs")).isDirectoryNotContaining("glob:**/*.log");
  }

  @Test
  void endsWithWhoeverStartedItAndSaysThatNothingIsLeft() throws Exception {
    launch(Map.of("MAYFLY_PARENT", "stdin"));
    report(r -> true);

    agent.getOutputStream().close();

    assertThat(report(SyncReport::drained).leases()).isEmpty();
    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    assertThat(agent.exitValue()).isEqualTo(Ending.DONE);
  }

  @Test
  void whoAskedAndGoesAwayDoesNotWaitForTasksThatCleanUp() throws Exception {
    var deaf = root.resolve("deaf");
    assertThat(new ProcessBuilder("mkfifo", deaf.toString()).start().waitFor()).isZero();
    command = "trap '' TERM; echo up > " + deaf + "; while true; do sleep 1; done";
    granting = true;
    unanswered = true;
    launch(Map.of("MAYFLY_PARENT", "stdin"));
    report(r -> r.leases().stream().anyMatch(l -> !l.running().isEmpty()));
    // Both that run have to ignore signals by now; opened for both, a pipe has no end.
    try (var up = new RandomAccessFile(deaf.toFile(), "rw")) {
      for (var i = 0; i < 2; i++) assertThat(up.readLine()).isEqualTo("up");
    }

    agent.toHandle().destroy();
    report(MainTest::leaves);
    agent.getOutputStream().close();

    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    over.countDown();
    assertThat(log()).contains("reason=told to end at once");
  }

  @Test
  void startFollowsTheLastOneOnTheDisk() throws Exception {
    var last = Instant.now().plus(Duration.ofDays(900));
    Files.createDirectories(root.resolve("work"));
    Files.writeString(root.resolve("work/start"), last + "\n");

    launch();

    assertThat(report(r -> true).incarnation().agentStart()).isAfter(last);
  }

  @Test
  void tellsOfTheNotice() throws Exception {
    launch();
    report(r -> r.notice().isEmpty());

    metadata.set("instance/preempted", "TRUE");

    assertThat(report(r -> r.notice().isPresent()).worker()).isEqualTo("w-1");
  }

  @Test
  void aHostOfASliceSpeaksWithItsRank() throws Exception {
    metadata.set("instance/attributes/agent-worker-number", "2");
    metadata.set(
        "instance/attributes/worker-network-endpoints", "a:b:10.0.0.1,a:b:10.0.0.2,a:b:10.0.0.3");

    launch();

    assertThat(report(r -> true).host()).isEqualTo(2);
  }

  /** The service's unit switches the machine off on this code, and a laptop's machine does. */
  @Test
  void whoIsCutOffEndsWithTheCodeThatSwitchesTheMachineOff() throws Exception {
    metadata.set("instance/attributes/mayfly-cut-off", "PT1S");
    metadata.set("instance/attributes/mayfly-power-off-after", "PT1S");
    launch();
    report(r -> true);

    away = true;

    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    assertThat(agent.exitValue()).isEqualTo(Ending.POWER_OFF);
  }

  @Test
  void wrongSettingsEndItWithOneClearLineForEach() throws Exception {
    metadata.set("instance/attributes/mayfly-nonce", "");
    metadata.set("instance/attributes/mayfly-cpu-millis", "many");

    launch();

    assertThat(agent.waitFor(60, SECONDS)).isTrue();
    assertThat(agent.exitValue()).isEqualTo(Ending.BAD_SETTINGS);
    assertThat(Files.readString(root.resolve("agent.log")))
        .contains("mayfly-nonce: is missing")
        .contains("mayfly-cpu-millis: is 'many'");
  }

  private static boolean leaves(SyncReport report) {
    return report.room().equals(Resources.ZERO) && report.waitSeconds() == 0;
  }

  private void launch() throws IOException {
    launch(Map.of());
  }

  private void launch(Map<String, String> more) throws IOException {
    var java = Path.of(System.getProperty("java.home"), "bin", "java").toString();
    var builder =
        new ProcessBuilder(
            java,
            "-XX:+UseSerialGC",
            "-XX:TieredStopAtLevel=1",
            "--enable-native-access=ALL-UNNAMED",
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName());
    builder.environment().clear();
    builder
        .environment()
        .putAll(
            Map.of(
                "PATH",
                "/usr/bin:/bin",
                "GCE_METADATA_HOST",
                metadata.host(),
                "MAYFLY_WORK_DIR",
                root.resolve("work").toString(),
                "MAYFLY_WAIT",
                "PT1S"));
    builder.environment().putAll(more);
    builder.redirectErrorStream(true).redirectOutput(root.resolve("agent.log").toFile());
    agent = builder.start();
  }

  private SyncReport report(Predicate<SyncReport> wanted) throws Exception {
    while (true) {
      var report = reports.poll(60, SECONDS);
      assertThat(report).as(() -> log()).isNotNull();
      if (wanted.test(report)) {
        return report;
      }
    }
  }

  private String log() {
    try {
      return Files.readString(root.resolve("agent.log"));
    } catch (IOException e) {
      return e.toString();
    }
  }

  private void sync(HttpExchange exchange) throws IOException {
    try (exchange) {
      var report = Wire.shared().report(exchange.getRequestBody().readAllBytes());
      reports.add(report);
      // Without an answer to its last word it waits as long as it may.
      if (unanswered && leaves(report)) over.await();
      if (away) {
        exchange.sendResponseHeaders(503, -1);
        return;
      }
      var body = Wire.shared().orders(orders(report));
      exchange.sendResponseHeaders(200, body.length);
      exchange.getResponseBody().write(body);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private SyncOrders orders(SyncReport report) {
    var now = Instant.now();
    var sheet = sheet();
    var leases =
        granting
            ? List.of(new SyncOrders.Lease(LEASE, TASKS, Bits.none(0), sheet.hash(), false))
            : List.<SyncOrders.Lease>of();
    return new SyncOrders(
        report.seq(),
        now,
        now.plusSeconds(2),
        leases,
        report.knows().contains(sheet.hash()) ? List.of() : List.of(sheet),
        Optional.empty(),
        false,
        List.of());
  }

  private JobSheet sheet() {
    return MainJob.of(TASKS, bucket(), command);
  }

  private String bucket() {
    return "file://" + root.resolve("bucket").toAbsolutePath();
  }
}

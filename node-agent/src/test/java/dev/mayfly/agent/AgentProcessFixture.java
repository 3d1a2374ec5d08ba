package dev.mayfly.agent;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.agent.machine.FakeMetadataServer;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.DrainCause;
import dev.mayfly.core.model.worker.DrainReason;
import dev.mayfly.core.model.worker.WorkerInfo;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.junit.jupiter.api.io.TempDir;

/** An agent process as on a machine, with a metadata server and a control plane. */
abstract class AgentProcessFixture {
  private static final LeaseRef LEASE = new LeaseRef("j1", 0, 1);
  static final int TASKS = 3;

  @TempDir Path root;
  private final LinkedBlockingQueue<SyncReport> reports = new LinkedBlockingQueue<>();
  FakeMetadataServer metadata;
  private HttpServer control;
  Process agent;
  volatile boolean granting;
  volatile boolean away;

  /** When the agent's tasks must have ended. */
  volatile Optional<Instant> drain = Optional.empty();

  Optional<String> checkpoint = Optional.empty();
  volatile boolean unanswered;
  final CountDownLatch over = new CountDownLatch(1);
  String command = "echo running; echo task {index} > {outputFile}";

  @BeforeEach
  void start() throws IOException {
    control = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    control.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    control.createContext("/v1/sync", this::sync);
    control.start();
    metadata = new FakeMetadataServer();
    var url = "http://127.0.0.1:" + control.getAddress().getPort();
    var visible = new Resources(2_000, 1L << 30, 0, 0);
    var jobInfo = new WorkerInfo("c1", "w-1", "cpu", "secret", url, bucket(), visible);
    jobInfo.metadata().forEach((k, v) -> metadata.set("instance/attributes/" + k, v));
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

  static boolean leaves(SyncReport report) {
    return report.room().equals(Resources.ZERO) && report.waitSeconds() == 0;
  }

  final void launch() throws IOException {
    launch(Map.of());
  }

  final void launch(Map<String, String> more) throws IOException {
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

  final SyncReport report(Predicate<SyncReport> wanted) throws Exception {
    while (true) {
      var report = reports.poll(60, SECONDS);
      assertThat(report).as(() -> log()).isNotNull();
      if (wanted.test(report)) {
        return report;
      }
    }
  }

  /** The next report sent from now on. */
  final SyncReport newReport() throws Exception {
    reports.clear();
    return report(r -> true);
  }

  final String log() {
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
      // An unanswered final report keeps the agent waiting for as long as it may.
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
    var jobInfo = jobInfo();
    var leases =
        granting
            ? List.of(new SyncOrders.Lease(LEASE, TASKS, TaskSet.none(0), jobInfo.hash(), false))
            : List.<SyncOrders.Lease>of();
    return new SyncOrders(
        report.seq(),
        now,
        now.plusSeconds(2),
        leases,
        report.knows().contains(jobInfo.hash()) ? List.of() : List.of(jobInfo),
        drain,
        false,
        List.of(),
        List.of(),
        drain.map(_ -> new DrainReason(DrainCause.END_OF_LIFE, "the machine is old")),
        Optional.empty());
  }

  private JobInfo jobInfo() {
    return MainTestJob.of(TASKS, bucket(), command, checkpoint);
  }

  final String bucket() {
    return "file://" + root.resolve("bucket").toAbsolutePath();
  }
}

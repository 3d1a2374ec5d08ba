package dev.mayfly.arch;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.functions.HttpRequest;
import com.google.cloud.functions.HttpResponse;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.ClusterName;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.SyncOrders;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.model.worker.Incarnation;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.sim.engine.SimRandom;
import dev.mayfly.sim.engine.SimTime;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIdGenerator;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import dev.mayfly.sim.fake.SimObjectStore;
import dev.mayfly.sim.fake.SimTickScheduler;
import dev.mayfly.sim.fault.FaultInjector;
import dev.mayfly.wire.Wire;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.io.BufferedReader;
import java.io.BufferedWriter;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.net.URI;
import java.time.Duration;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** One cluster, one worker and one job behind the real functions, and what a call of them walks. */
public final class WalkScene {
  private static final Instant NOW = Instant.parse("2026-11-01T00:00:00Z");
  private static final Resources TOTAL = Resources.cpu(2, 8L << 30);
  private static final String NONCE = "nonce";
  private static final String JOB =
      """
      {"apiVersion": "mayfly.dev/v1", "kind": "Job", "name": "count", "cluster": "lab",
       "command": ["true"], "tasks": {"count": 100, "output": "gs://lab/out/{index}"}}\
      """;

  private final SimTime time = new SimTime(NOW);
  private final SimLedger ledger = new SimLedger(time, () -> Duration.ZERO);
  private final ControlPlaneFunctions functions = functions();
  private long seq;

  /** Walks by name: the types of which a method began. */
  public static Map<String, Set<String>> walk() throws Exception {
    return new WalkScene().walks();
  }

  private Map<String, Set<String>> walks() throws Exception {
    var walks = new HashMap<String, Set<String>>();
    store();
    deliver(JOB);
    var first = sync(TOTAL, List.of());
    var leases = first.leases().stream().map(WalkScene::begun).toList();
    sync(Resources.ZERO, leases);
    time.advance(Duration.ofSeconds(1));
    sync(Resources.ZERO, leases);
    time.advance(Duration.ofSeconds(1));
    var done = first.leases().stream().map(WalkScene::done).toList();
    WalkRecorder.begin();
    sync(Resources.ZERO, done);
    walks.put("sync", WalkRecorder.end());
    WalkRecorder.begin();
    Wire.codec().commands(JOB.getBytes(UTF_8));
    walks.put("message", WalkRecorder.end());
    return walks;
  }

  private SyncOrders sync(Resources room, List<SyncReport.Lease> leases) throws Exception {
    var report =
        new SyncReport(
            "clab",
            "lab-small-1",
            0,
            new Incarnation("i-1", "boot-1", NOW),
            NONCE,
            ++seq,
            TOTAL,
            room,
            Map.of(),
            leases,
            List.of(),
            List.of(),
            Optional.empty(),
            false,
            0,
            Optional.empty(),
            List.of(),
            List.of(),
            List.of());
    var response = new Response();
    functions.workers().service(new Request(Wire.shared().json(report)), response);
    return Wire.shared().read(SyncOrders.class, response.body.toByteArray());
  }

  private static SyncReport.Lease begun(SyncOrders.Lease lease) {
    var start = lease.ref().start();
    return new SyncReport.Lease(
        lease.ref(), lease.end(), TaskSet.none(start), List.of(), List.of(start), start + 1, false);
  }

  private static SyncReport.Lease done(SyncOrders.Lease lease) {
    var start = lease.ref().start();
    return new SyncReport.Lease(
        lease.ref(),
        lease.end(),
        TaskSet.where(start, lease.end(), index -> index == start),
        List.of(),
        List.of(start + 1),
        start + 2,
        false);
  }

  private void deliver(String document) throws Exception {
    var data = Base64.getEncoder().encodeToString(document.getBytes(UTF_8));
    var envelope =
        "{\"message\":{\"data\":\"%s\",\"messageId\":\"m1\",\"publishTime\":\"%s\",\"attributes\":{}}}"
            .formatted(data, NOW);
    functions
        .jobs()
        .accept(
            CloudEventBuilder.v1()
                .withId("e1")
                .withSource(URI.create("//pubsub"))
                .withType("google.cloud.pubsub.topic.v1.messagePublished")
                .withData("application/json", envelope.getBytes(UTF_8))
                .build());
  }

  private void store() {
    var pool =
        new PoolSpec(
            "small",
            "n2-standard-2",
            TOTAL,
            List.of("europe-west4-a"),
            Provisioning.SPOT,
            0,
            1,
            Duration.ofMinutes(10),
            Duration.ofHours(24));
    var spec = new ClusterSpec("lab", "gs://lab", Map.of(), List.of(pool), Optional.of("lab"));
    ledger.commit(
        List.of(
            new LedgerWrite.Put(
                new Cluster("clab", spec, Cluster.Phase.UP, 1, 0, NOW, Optional.empty())),
            new LedgerWrite.Put(new ClusterName("lab", "clab")),
            new LedgerWrite.Put(worker())));
  }

  private static Worker worker() {
    return new Worker(
        "clab",
        "lab-small-1",
        "small",
        "europe-west4-a",
        "n2-standard-2",
        new WorkerState.Launching(NOW, NOW.plusSeconds(600)),
        0,
        0,
        Sha256.of(NONCE),
        Optional.empty(),
        Resources.ZERO,
        List.of(),
        Optional.empty(),
        Optional.of("i-1"),
        1,
        NOW,
        Optional.empty(),
        Optional.empty(),
        Provisioning.SPOT,
        List.of(),
        Optional.empty());
  }

  private ControlPlaneFunctions functions() {
    var faults = FaultInjector.none(new Trace(time));
    var context =
        new Context(
            ledger,
            trigger -> {},
            new SimFleet(time, new SimRandom(3), faults, new Unwatched()),
            new SimObjectStore(time),
            Wire.codec(),
            time,
            new SimTickScheduler(),
            new SimIdGenerator(new SimRandom(5)),
            time,
            Timings.DEFAULT);
    return ControlPlaneFunctions.of(context, "f1", "http://workers");
  }

  private record Unwatched() implements SimFleet.Observer {
    @Override
    public void on(SimMachine machine) {}

    @Override
    public void off(SimMachine machine) {}

    @Override
    public void notice(SimMachine machine) {}

    @Override
    public void deleteAsked(SimMachine machine) {}
  }

  private record Request(byte[] body) implements HttpRequest {
    @Override
    public String getMethod() {
      return "POST";
    }

    @Override
    public String getUri() {
      return "/v1/sync";
    }

    @Override
    public String getPath() {
      return "/v1/sync";
    }

    @Override
    public Optional<String> getQuery() {
      return Optional.empty();
    }

    @Override
    public Map<String, List<String>> getQueryParameters() {
      return Map.of();
    }

    @Override
    public Map<String, HttpPart> getParts() {
      return Map.of();
    }

    @Override
    public Optional<String> getContentType() {
      return Optional.of("application/json");
    }

    @Override
    public long getContentLength() {
      return body.length;
    }

    @Override
    public Optional<String> getCharacterEncoding() {
      return Optional.empty();
    }

    @Override
    public InputStream getInputStream() {
      return new ByteArrayInputStream(body);
    }

    @Override
    public BufferedReader getReader() {
      throw new UnsupportedOperationException();
    }

    @Override
    public Map<String, List<String>> getHeaders() {
      return Map.of();
    }
  }

  private static final class Response implements HttpResponse {
    private final ByteArrayOutputStream body = new ByteArrayOutputStream();

    @Override
    public void setStatusCode(int code) {
      if (code != 200) throw new IllegalStateException("status " + code);
    }

    @Override
    public void setStatusCode(int code, String message) {
      setStatusCode(code);
    }

    @Override
    public void setContentType(String contentType) {}

    @Override
    public Optional<String> getContentType() {
      return Optional.empty();
    }

    @Override
    public void appendHeader(String header, String value) {}

    @Override
    public Map<String, List<String>> getHeaders() {
      return Map.of();
    }

    @Override
    public OutputStream getOutputStream() {
      return body;
    }

    @Override
    public BufferedWriter getWriter() {
      return new BufferedWriter(new OutputStreamWriter(body, UTF_8));
    }
  }
}

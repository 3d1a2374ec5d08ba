package dev.mayfly.local.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.compute.v1.Operation;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Timings;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.IdGenerator;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.ledger.SqliteLedger;
import dev.mayfly.porttests.DocumentFixtures;
import dev.mayfly.wire.Wire;
import io.cloudevents.core.builder.CloudEventBuilder;
import java.net.URI;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.node.ObjectNode;

/** The function understands the entries of the simulated log sink. */
@Timeout(300)
class AuditLogSinkTest {
  private static final String LINK =
      "https://www.googleapis.com/compute/v1/projects/lab/zones/europe-west4-a/instances/w-1";

  @TempDir Path home;
  private final List<Trigger> triggers = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-02T03:05:00Z");
  private SqliteLedger ledger;
  private ControlPlaneFunctions controlPlaneFunctions;

  @BeforeEach
  void start() {
    ledger = SqliteLedger.open(home);
    var context =
        new Context(
            ledger,
            triggers::add,
            _ -> {},
            ComputeEngine.fleet(ComputeSettings.of("lab").withEndpoint("http://127.0.0.1:1")),
            ObjectStores.of(Map.of()),
            Wire.codec(),
            (at, action) -> {},
            TickScheduler.always(),
            new SimpleIds(),
            () -> now,
            Timings.DEFAULT);
    controlPlaneFunctions = ControlPlaneFunctions.of(context, "test", "http://workers");
    var ready = new WorkerState.Ready(DocumentFixtures.T0, Optional.of(DocumentFixtures.T0));
    var worker =
        DocumentFixtures.worker("c1", "w-1", ready, DocumentFixtures.T0)
            .withLeases(List.of(), DocumentFixtures.T0);
    ledger.commit(
        List.of(
            new LedgerWrite.Create(DocumentFixtures.cluster("c1", Cluster.Phase.UP)),
            new LedgerWrite.Create(worker)));
  }

  @AfterEach
  void stop() {
    controlPlaneFunctions.close();
    ledger.close();
  }

  private static Operation operation(String type, long id) {
    return Operation.newBuilder()
        .setName("operation-1")
        .setOperationType(type)
        .setTargetId(id)
        .setTargetLink(LINK)
        .setZone("https://www.googleapis.com/compute/v1/projects/lab/zones/europe-west4-a")
        .setEndTime("2026-01-02T03:04:05.678Z")
        .build();
  }

  private void deliver(ObjectNode entry) throws Exception {
    var data = Base64.getEncoder().encodeToString(RestCall.JSON.writeValueAsBytes(entry));
    var body = RestCall.JSON.createObjectNode();
    body.put("subscription", "s")
        .putObject("message")
        .put("data", data)
        .put("messageId", "1")
        .put("publishTime", "2026-01-02T03:04:06Z");
    controlPlaneFunctions
        .vmEvents()
        .accept(
            CloudEventBuilder.v1()
                .withId("1")
                .withSource(URI.create("//pubsub"))
                .withType("google.cloud.pubsub.topic.v1.messagePublished")
                .withData("application/json", RestCall.JSON.writeValueAsBytes(body))
                .build());
  }

  private WorkerState state() {
    return ledger.read(new DocumentKey.OfWorker("c1", "w-1")).orElseThrow().value().state();
  }

  @Test
  void aPreemptionIsKnownFromTheAuditLogAlone() throws Exception {
    deliver(AuditLogSink.entry(operation("compute.instances.preempted", 123), "lab"));

    assertThat(state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(FailureCause.PREEMPTED));
    assertThat(triggers).contains(Trigger.Reconcile.worker("c1", "w-1"));
  }

  @Test
  void irrelevantEntriesAreAcknowledged() throws Exception {
    deliver(
        AuditLogSink.entry(operation("compute.instances.migrateOnHostMaintenance", 123), "lab"));
    deliver(AuditLogSink.entry(operation("compute.instances.preempted", 124), "lab"));
    deliver(RestCall.JSON.createObjectNode().put("textPayload", "hello"));

    assertThat(state()).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void startedOrFailedDeleteIsNoEnd() throws Exception {
    var began = AuditLogSink.entry(operation("v1.compute.instances.delete", 123), "lab");
    began.putObject("operation").put("first", true);
    var failed = AuditLogSink.entry(operation("v1.compute.instances.delete", 123), "lab");
    failed.withObject("/protoPayload").putObject("status").put("code", 7);

    deliver(began);
    deliver(failed);
    assertThat(state()).isInstanceOf(WorkerState.Ready.class);

    deliver(AuditLogSink.entry(operation("v1.compute.instances.delete", 123), "lab"));
    assertThat(state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(FailureCause.LOST));
  }

  /**
   * The tick has found the change by then. An entry that failed its function would be redelivered
   * for a day.
   */
  @Test
  void entryThatComesLateIsLeft() throws Exception {
    now = Instant.parse("2026-01-02T03:30:00Z");

    deliver(AuditLogSink.entry(operation("v1.compute.instances.delete", 123), "lab"));

    assertThat(state()).isInstanceOf(WorkerState.Ready.class);
  }

  private static final class SimpleIds implements IdGenerator {
    private int last;

    @Override
    public String next(int length) {
      return ("%0" + length + "d").formatted(++last);
    }

    @Override
    public String secret() {
      return next(32);
    }
  }
}

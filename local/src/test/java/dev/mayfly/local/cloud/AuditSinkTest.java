package dev.mayfly.local.cloud;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.compute.v1.Operation;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Cluster;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Ids;
import dev.mayfly.core.port.Schedule;
import dev.mayfly.core.port.Write;
import dev.mayfly.functions.Deployment;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.ledger.SqliteLedger;
import dev.mayfly.porttests.Samples;
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

/** What the simulated log sink writes is what the function understands. */
@Timeout(300)
class AuditSinkTest {
  private static final String LINK =
      "https://www.googleapis.com/compute/v1/projects/lab/zones/europe-west4-a/instances/w-1";

  @TempDir Path home;
  private final List<Hint> hints = new ArrayList<>();
  private Instant now = Instant.parse("2026-01-02T03:05:00Z");
  private SqliteLedger ledger;
  private Deployment deployment;

  @BeforeEach
  void start() {
    ledger = SqliteLedger.open(home);
    var ports =
        new Ports(
            ledger,
            hints::add,
            ComputeEngine.fleet(ComputeSettings.of("lab").at("http://127.0.0.1:1")),
            ObjectStores.of(Map.of()),
            Wire.codec(),
            (at, action) -> {},
            Schedule.always(),
            new SimpleIds(),
            () -> now);
    deployment = Deployment.of(ports, Rules.DEFAULT, "test", "http://workers");
    var ready = new WorkerState.Ready(Samples.T0, Optional.of(Samples.T0));
    var worker = Samples.worker("c1", "w-1", ready, Samples.T0).holding(List.of());
    ledger.commit(
        List.of(
            new Write.Create(Samples.cluster("c1", Cluster.Phase.UP)), new Write.Create(worker)));
  }

  @AfterEach
  void stop() {
    deployment.close();
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
    var data = Base64.getEncoder().encodeToString(Call.JSON.writeValueAsBytes(entry));
    var body = Call.JSON.createObjectNode();
    body.put("subscription", "s")
        .putObject("message")
        .put("data", data)
        .put("messageId", "1")
        .put("publishTime", "2026-01-02T03:04:06Z");
    deployment
        .vmEvents()
        .accept(
            CloudEventBuilder.v1()
                .withId("1")
                .withSource(URI.create("//pubsub"))
                .withType("google.cloud.pubsub.topic.v1.messagePublished")
                .withData("application/json", Call.JSON.writeValueAsBytes(body))
                .build());
  }

  private WorkerState state() {
    return ledger.read(new Key.OfWorker("c1", "w-1")).orElseThrow().value().state();
  }

  @Test
  void aPreemptionIsKnownFromTheAuditLogAlone() throws Exception {
    deliver(AuditSink.entry(operation("compute.instances.preempted", 123), "lab"));

    assertThat(state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(Cause.PREEMPTED));
    assertThat(hints).contains(Hint.Look.worker("c1", "w-1"));
  }

  @Test
  void whatEndsNoMachineOfOursIsAcknowledgedAndChangesNothing() throws Exception {
    deliver(AuditSink.entry(operation("compute.instances.migrateOnHostMaintenance", 123), "lab"));
    deliver(AuditSink.entry(operation("compute.instances.preempted", 124), "lab"));
    deliver(Call.JSON.createObjectNode().put("textPayload", "hello"));

    assertThat(state()).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void aCallThatOnlyBeganOrFailedIsNoEnd() throws Exception {
    var began = AuditSink.entry(operation("v1.compute.instances.delete", 123), "lab");
    began.putObject("operation").put("first", true);
    var failed = AuditSink.entry(operation("v1.compute.instances.delete", 123), "lab");
    failed.withObject("/protoPayload").putObject("status").put("code", 7);

    deliver(began);
    deliver(failed);
    assertThat(state()).isInstanceOf(WorkerState.Ready.class);

    deliver(AuditSink.entry(operation("v1.compute.instances.delete", 123), "lab"));
    assertThat(state())
        .isInstanceOfSatisfying(
            WorkerState.Lost.class, s -> assertThat(s.cause()).isEqualTo(Cause.LOST));
  }

  /** The tick has found by then what it tells; one that ends its function would come for a day. */
  @Test
  void entryThatComesLateIsLeft() throws Exception {
    now = Instant.parse("2026-01-02T03:30:00Z");

    deliver(AuditSink.entry(operation("v1.compute.instances.delete", 123), "lab"));

    assertThat(state()).isInstanceOf(WorkerState.Ready.class);
  }

  private static final class SimpleIds implements Ids {
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

package dev.mayfly.local.machines.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.rpc.FailedPreconditionException;
import com.google.cloud.tpu.v2.DeleteQueuedResourceRequest;
import com.google.cloud.tpu.v2.QueuedResource;
import com.google.cloud.tpu.v2.QueuedResourceState.State;
import com.google.cloud.tpu.v2.TpuClient;
import com.google.cloud.tpu.v2.TpuSettings;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.Fleet.Ordered;
import dev.mayfly.core.port.Fleet.Progress;
import dev.mayfly.core.port.Fleet.Refusal;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.local.cloud.SimulatedCloud;
import dev.mayfly.porttests.FleetContract;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalInt;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Reserved TPUs from Cloud TPU's queue, through Google's client. */
@Timeout(300)
class QueuedTpuTest extends FleetContract {
  private static final String PARENT = "projects/lab/locations/" + ZONE;
  private static final CloudMachine.Name W1 = TpuOnlyFleet.tpu(order("w-1", "w1").name());

  @TempDir Path home;
  private SimulatedCloud simulatedCloud;
  private Fleet tpus;
  private Fleet fleet;

  @BeforeEach
  void start() throws IOException {
    simulatedCloud = TpuTestClouds.open(home);
    simulatedCloud.tpus().setReservation("r1", OptionalInt.of(1_024));
    tpus =
        CloudTpu.fleet(
            dev.mayfly.gcp.tpu.TpuSettings.of("lab").withEndpoint(simulatedCloud.grpcEndpoint()));
    fleet = new TpuOnlyFleet(tpus, "v4-8", Provisioning.RESERVED);
  }

  @AfterEach
  void stop() {
    TpuTestClouds.close(simulatedCloud);
  }

  @Override
  protected Fleet fleet() {
    return fleet;
  }

  /** A read advances the queue; then its nodes are created. */
  @Override
  protected void settle() {
    fleet.list();
    TpuTestClouds.settle(simulatedCloud);
  }

  @Override
  protected void preempt(CloudMachine.Name name) {
    simulatedCloud.tpus().vanish(name.name());
    fleet.delete(name);
  }

  @Test
  void aReservationWithoutRoomIsWaitedFor() {
    simulatedCloud.tpus().setReservation("r1", OptionalInt.of(64));
    tpus.order(reserved("w-1", "v4-128"));
    settle();
    var second = (Ordered.Accepted) tpus.order(reserved("w-2", "v4-64"));
    settle();

    var name = TpuOnlyFleet.tpu(order("w-2", "w2").name());
    assertThat(tpus.progress(name, second.operation()))
        .contains(new Progress.Queued("WAITING_FOR_RESOURCES"));
    assertThat(tpus.find(name)).map(CloudMachine::status).contains(CloudMachine.Status.QUEUED);
    assertThat(tpus.list().machines()).hasSize(2);
    assertThat(state("w-2")).isEqualTo(State.WAITING_FOR_RESOURCES);

    assertThat(tpus.delete(W1)).isTrue();
    settle();

    assertThat(tpus.find(name)).map(CloudMachine::status).contains(CloudMachine.Status.RUNNING);
    assertThat(tpus.progress(name, second.operation())).contains(new Progress.Done());
    assertThat(state("w-2")).isEqualTo(State.ACTIVE);
  }

  @Test
  void aReservationThatIsTooSmallFails() {
    simulatedCloud.tpus().setReservation("r1", OptionalInt.of(16));

    var ordered = (Ordered.Accepted) tpus.order(reserved("w-1", "v4-64"));

    var failed = (Progress.Failed) tpus.progress(W1, ordered.operation()).orElseThrow();
    assertThat(failed.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
    assertThat(failed.refusal().message()).contains("'r1' has fewer than 32 chips");
    assertThat(tpus.find(W1)).map(CloudMachine::status).contains(CloudMachine.Status.STOPPED);
    assertThat(tpus.delete(W1)).isTrue();
    assertThat(tpus.find(W1)).isEmpty();
  }

  /** A misspelt one is found on the laptop, not first in a project. */
  @Test
  void unknownReservationIsRefused() {
    simulatedCloud.tpus().setReservation("r1", OptionalInt.empty());

    var refused = (Ordered.Refused) tpus.order(reserved("w-1", "v4-8"));

    assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
    assertThat(refused.refusal().message()).contains("reservations/r1' does not exist");
  }

  @Test
  void reservationNameAndTopologyAreSent() {
    tpus.order(
        TpuOnlyFleet.typed(
            order("w-1", "w1"), "v4-32", Provisioning.RESERVED, made -> laidOut(made)));
    settle();

    var queued = queued("w-1");
    assertThat(queued.getReservationName()).isEqualTo(PARENT + "/reservations/r1");
    var node = simulatedCloud.tpus().nodes().getFirst();
    assertThat(node.getAcceleratorConfig().getTopology()).isEqualTo("4x2x2");
    assertThat(node.getNetworkEndpointsCount()).isEqualTo(4);
    assertThat(node.getQueuedResource()).isEqualTo(queued.getName());
    assertThat(node.getSchedulingConfig().getReserved()).isTrue();
  }

  @Test
  void withoutANamedReservationTheNodeItselfIsReserved() {
    tpus.order(TpuOnlyFleet.typed(order("w-1", "w1"), "v4-8", Provisioning.RESERVED, made -> made));
    settle();

    assertThat(simulatedCloud.tpus().nodes())
        .singleElement()
        .satisfies(node -> {
          assertThat(node.getSchedulingConfig().getReserved()).isTrue();
          assertThat(node.getQueuedResource()).isEmpty();
        });
  }

  @Test
  void suspendedRequestIsListedUntilDeleted() {
    tpus.order(reserved("w-1", "v4-8"));
    settle();
    simulatedCloud.tpus().vanish("w-1");

    assertThat(state("w-1")).isEqualTo(State.SUSPENDED);
    assertThat(tpus.list().machines())
        .singleElement()
        .satisfies(cloudMachine -> {
          assertThat(cloudMachine.status()).isEqualTo(CloudMachine.Status.STOPPED);
          assertThat(cloudMachine.labels()).containsEntry(CloudMachine.WORKER, "w1");
        });
    assertThat(tpus.delete(W1)).isTrue();
    assertThat(tpus.list().machines()).isEmpty();
    assertThat(tpus.order(reserved("w-1", "v4-8"))).isInstanceOf(Ordered.Accepted.class);
  }

  @Test
  void aNodeAndItsRequestGoTogether() {
    tpus.order(reserved("w-1", "v4-8"));
    settle();

    assertThat(tpus.delete(W1)).isTrue();

    assertThat(simulatedCloud.tpus().nodes()).isEmpty();
    assertThat(tpus.find(W1)).isEmpty();
    assertThat(tpus.delete(W1)).isFalse();
  }

  @Test
  void withoutForceARequestWithANodeStays() throws IOException {
    tpus.order(reserved("w-1", "v4-8"));
    settle();
    try (var client = client()) {
      var request = DeleteQueuedResourceRequest.newBuilder().setName(path("w-1")).build();

      assertThatThrownBy(() -> client.deleteQueuedResourceCallable().call(request))
          .isInstanceOf(FailedPreconditionException.class)
          .hasMessageContaining("ACTIVE");
      client.deleteQueuedResourceCallable().call(request.toBuilder().setForce(true).build());
    }
    assertThat(tpus.list().machines()).isEmpty();
  }

  @Test
  void aCloudThatStartsAgainKnowsItsQueue() throws IOException {
    simulatedCloud.tpus().setReservation("r1", OptionalInt.of(4));
    tpus.order(reserved("w-1", "v4-8"));
    settle();
    tpus.order(reserved("w-2", "v4-8"));
    settle();

    simulatedCloud.close();
    simulatedCloud = TpuTestClouds.open(home);

    assertThat(state("w-1")).isEqualTo(State.ACTIVE);
    // Its reservation has no limit any more, because fault controls are not stored.
    assertThat(state("w-2")).isIn(State.PROVISIONING, State.ACTIVE);
  }

  @Test
  void aTopologyThatDoesNotFitIsRefused() {
    var order =
        TpuOnlyFleet.typed(
            order("w-1", "w1"), "v4-64", Provisioning.RESERVED, made -> laidOut(made));

    var refused = (Ordered.Refused) tpus.order(order);

    assertThat(refused.refusal().kind()).isEqualTo(Refusal.Kind.INVALID);
    assertThat(refused.refusal().message()).contains("topology 4x2x2 does not fit");
  }

  private static MachineSpec laidOut(MachineSpec made) {
    var node = made.tpu().orElseThrow();
    return TpuOnlyFleet.reservation(
        made.with(new MachineSpec.Tpu(node.type(), Optional.of("4x2x2"), node.runtime())));
  }

  private static Fleet.Order reserved(String name, String type) {
    return TpuOnlyFleet.typed(
        order(name, name.replace("-", "")), type, Provisioning.RESERVED, TpuOnlyFleet::reservation);
  }

  private State state(String name) {
    return queued(name).getState().getState();
  }

  private QueuedResource queued(String name) {
    try (var client = client()) {
      return client.getQueuedResource(path(name));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private static String path(String name) {
    return PARENT + "/queuedResources/" + name;
  }

  private TpuClient client() throws IOException {
    return TpuClient.create(
        TpuSettings.newBuilder()
            .setCredentialsProvider(NoCredentialsProvider.create())
            .setTransportChannelProvider(
                InstantiatingGrpcChannelProvider.newBuilder()
                    .setEndpoint(simulatedCloud.grpcEndpoint())
                    .setChannelConfigurator(channel -> channel.usePlaintext())
                    .build())
            .build());
  }
}

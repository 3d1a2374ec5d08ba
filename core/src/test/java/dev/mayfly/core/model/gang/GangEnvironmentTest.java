package dev.mayfly.core.model.gang;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.job.TaskEnvironment.GangMode;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class GangEnvironmentTest {
  private static final List<String> HOSTS = List.of("10.0.0.1", "10.0.0.2");

  @Test
  void hostOfSliceFindsItsPeers() {
    assertThat(GangEnvironment.of(order("j", 0, 1, 1, HOSTS), true))
        .containsEntry("MAYFLY_RANK", "1")
        .containsEntry("MAYFLY_WORLD_SIZE", "2")
        .containsEntry("MAYFLY_HOSTS", "10.0.0.1,10.0.0.2")
        .containsEntry("MAYFLY_NODE_IP", "10.0.0.2")
        .containsEntry("MAYFLY_COORDINATOR", "10.0.0.1")
        .containsEntry("MAYFLY_COORDINATOR_PORT", "8476")
        .containsEntry("JAX_COORDINATOR_ADDRESS", "10.0.0.1:8476")
        .containsEntry("JAX_COORDINATOR_BIND_ADDRESS", "10.0.0.1:8476")
        .containsEntry("TPU_WORKER_ID", "1")
        .containsEntry("TPU_WORKER_HOSTNAMES", "10.0.0.1,10.0.0.2")
        .doesNotContainKey("RANK");
  }

  @Test
  void memberOfGangFindsWhatPytorchReads() {
    var env = GangEnvironment.of(order("j", 0, 1, 1, HOSTS), false);

    assertThat(env)
        .containsEntry("MASTER_ADDR", "10.0.0.1")
        .containsEntry("RANK", "1")
        .containsEntry("NODE_RANK", "1")
        .containsEntry("WORLD_SIZE", "2")
        .doesNotContainKeys("TPU_WORKER_ID", "LOCAL_RANK");
    assertThat(env.get("JAX_COORDINATOR_ADDRESS")).isEqualTo("10.0.0.1:" + env.get("MASTER_PORT"));
  }

  @Test
  void allRanksOfRunAgreeOnPort() {
    var first = GangEnvironment.of(order("j", 3, 2, 0, HOSTS), false);
    var second = GangEnvironment.of(order("j", 3, 2, 1, HOSTS), false);

    assertThat(first.get("MASTER_PORT")).isEqualTo(second.get("MASTER_PORT"));
  }

  @Test
  void reportedPortIsThatOfAllRanks() {
    for (var rank : List.of(0, 1))
      assertThat(
              GangEnvironment.of(
                  order("j", 3, 2, rank, HOSTS).withPort(Optional.of(23_456)), false))
          .containsEntry("MASTER_PORT", "23456")
          .containsEntry("JAX_COORDINATOR_ADDRESS", "10.0.0.1:23456");
    assertThat(GangEnvironment.of(order("j", 3, 2, 1, HOSTS).withPort(Optional.of(23_456)), true))
        .as("a slice has a port of its own")
        .containsEntry("MAYFLY_COORDINATOR_PORT", "8476");
  }

  @Test
  void candidatesStayInRangeAndDiffer() {
    assertThat(GangEnvironment.candidates(31_990))
        .hasSize(100)
        .doesNotHaveDuplicates()
        .startsWith(31_990)
        .contains(31_999, 20_000)
        .allMatch(port -> port >= 20_000 && port < 32_000);
  }

  @Test
  void lostPortIsClearFromLastWords() {
    var first = order("j", 3, 2, 0, HOSTS).withPort(Optional.of(23_456));
    var second = order("j", 3, 2, 1, HOSTS).withPort(Optional.of(23_456));
    var said = "RuntimeError: server socket failed to bind to 10.0.0.1:23456 (errno: 98)";

    assertThat(GangEnvironment.lostPort(first, false, said)).isTrue();
    assertThat(GangEnvironment.lostPort(first, false, "23456: OSError: Address already in use"))
        .isTrue();
    assertThat(GangEnvironment.lostPort(second, false, said)).as("not its port").isFalse();
    assertThat(GangEnvironment.lostPort(first, false, said.replace("23456", "6006")))
        .as("a port of the command's own")
        .isFalse();
    assertThat(GangEnvironment.lostPort(first, false, "lost 23456 rows")).isFalse();
  }

  @Test
  void gangsOnOneMachineHavePortsApart() {
    var ports = new HashSet<String>();
    for (int task = 0; task < 50; task++)
      ports.add(GangEnvironment.of(order("j", task, 1, 0, HOSTS), false).get("MASTER_PORT"));
    for (int run = 2; run < 52; run++)
      ports.add(GangEnvironment.of(order("k", 0, run, 0, HOSTS), false).get("MASTER_PORT"));

    assertThat(ports)
        .hasSizeGreaterThan(97)
        .allSatisfy(port -> assertThat(Integer.parseInt(port)).isBetween(20_000, 31_999));
  }

  @Test
  void addressesOfVersionSixAreBracketed() {
    assertThat(GangEnvironment.of(order("j", 0, 1, 0, List.of("fd20::1")), true))
        .containsEntry("JAX_COORDINATOR_ADDRESS", "[fd20::1]:8476")
        .containsEntry("MAYFLY_COORDINATOR", "fd20::1");
  }

  private static GangOrder order(String job, long start, long run, int rank, List<String> hosts) {
    return new GangOrder(new LeaseRef(job, start, 1), run, GangOrder.Step.RUN, rank, hosts);
  }

  /** JAX 0.10 and before read these names; see {@code jax/_src/clusters/ompi_cluster.py}. */
  @Test
  void jaxFindsALauncherItKnows() {
    var env = GangEnvironment.of(order("j", 0, 1, 1, HOSTS), false, Optional.of(GangMode.JAX), 2);

    assertThat(env)
        .containsEntry("OMPI_COMM_WORLD_SIZE", Integer.toString(HOSTS.size()))
        .containsEntry("OMPI_COMM_WORLD_RANK", "1")
        .containsEntry("OMPI_COMM_WORLD_LOCAL_RANK", "0")
        .containsEntry("JAX_LOCAL_DEVICE_IDS", "0,1")
        .containsEntry("OMPI_MCA_orte_hnp_uri", "0.0;tcp://" + env.get("JAX_COORDINATOR_ADDRESS"));
  }

  @Test
  void othersFindNoForeignLauncher() {
    var torch =
        GangEnvironment.of(order("j", 0, 1, 1, HOSTS), false, Optional.of(GangMode.TORCH), 2);

    assertThat(torch).containsEntry("LOCAL_RANK", "0").doesNotContainKey("OMPI_COMM_WORLD_RANK");
    assertThat(GangEnvironment.of(order("j", 0, 1, 1, HOSTS), false))
        .doesNotContainKeys("LOCAL_RANK", "OMPI_COMM_WORLD_RANK", "RAY_ADDRESS");
  }
}

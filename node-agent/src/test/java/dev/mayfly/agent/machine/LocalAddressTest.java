package dev.mayfly.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.agent.AgentStartup;
import dev.mayfly.agent.NodeSettings;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.worker.WorkerInfo;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class LocalAddressTest {
  private static final WorkerInfo WORKER =
      new WorkerInfo(
          "c1", "w-1", "cpu", "n", "http://127.0.0.1:1", "gs://lab", new Resources(2_000, 1, 0, 0));

  @Test
  void singleMachineReadsItsMetadata() throws Exception {
    try (var server = machine()) {
      server.set("instance/network-interfaces/0/ip", "10.128.0.7\n");

      assertThat(settings(server, Map.of()).address()).contains("10.128.0.7");
      assertThat(settings(server, Map.of("MAYFLY_ADDRESS", "10.9.9.9")).address())
          .contains("10.9.9.9");
    }
  }

  @Test
  void sliceAddressOverridesHosts() throws Exception {
    try (var server = machine()) {
      server.set("instance/network-interfaces/0/ip", "10.128.0.7");
      server.set("instance/attributes/" + TpuHost.NUMBER, "0");
      server.set("instance/attributes/" + TpuHost.ENDPOINTS, "x:y:10.130.0.12");

      assertThat(settings(server, Map.of()).address()).contains("10.130.0.12");
    }
  }

  @Test
  void machineWithoutMetadataUsesItsRoutes() {
    assertThat(LocalAddress.towards("http://127.0.0.1:8421/workers/")).isEqualTo("127.0.0.1");
    assertThat(LocalAddress.towards("http://no.such.host.invalid/")).isEmpty();
  }

  private static FakeMetadataServer machine() throws Exception {
    var server = new FakeMetadataServer();
    WORKER.metadata().forEach((key, value) -> server.set("instance/attributes/" + key, value));
    return server;
  }

  private static NodeSettings settings(FakeMetadataServer server, Map<String, String> environment) {
    return new AgentStartup(environment)
        .settings(Optional.of(MetadataClient.of(Map.of("GCE_METADATA_HOST", server.host()))));
  }
}

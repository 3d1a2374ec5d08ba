package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.gcp.EndpointOverride;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.gcp.tpu.TpuSettings;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.cloud.CloudSettings;
import dev.mayfly.local.cloud.SimulatedCloud;
import dev.mayfly.local.machines.BootCommand;
import dev.mayfly.porttests.ForeignServer;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A control plane whose cloud was killed, while another user's program has its port. */
@Timeout(120)
class ForeignCloudTest {
  private ForeignServer foreign;

  @BeforeEach
  void start() throws IOException {
    foreign = ForeignServer.start();
  }

  @AfterEach
  void stop() {
    foreign.close();
  }

  private EndpointOverride override(String address) {
    return new EndpointOverride(address, Optional.of(ForeignServer.OWNER_TOKEN));
  }

  @Test
  void getsNoMessages() {
    var publisher = new CloudPublisher(foreign.url(), "lab", ForeignServer.OWNER_TOKEN);

    assertThatThrownBy(() -> publisher.publish("mayfly-jobs", "SECRET".getBytes(UTF_8), Map.of()))
        .isInstanceOf(UnavailableException.class);
    foreign.assertAskedForProofOnly();
  }

  /** Its key would make every identity token valid that it signs. */
  @Test
  void givesNoKey() {
    var filter = new IdentityTokenFilter(foreign.url(), ForeignServer.OWNER_TOKEN);

    assertThat(filter.denialStatus("Bearer a.b.c")).isEqualTo(503);
    foreign.assertAskedForProofOnly();
  }

  @Test
  void isOrderedNoMachines() {
    var fleet =
        ComputeEngine.fleet(ComputeSettings.of("lab").withEndpoint(override(foreign.url())));

    assertThatThrownBy(fleet::list)
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("another program answers at");
    foreign.assertAskedForProofOnly();
  }

  @Test
  void ownCloudProvesItselfForBothProtocols(@TempDir Path home) throws Exception {
    var owner = OwnerToken.loadOrCreate(home);
    var cloud =
        SimulatedCloud.start(
            CloudSettings.from(
                Map.of("MAYFLY_HOME", home.toString(), "MAYFLY_CLOUD_PROJECT", "lab")),
            new BootCommand(List.of("true")),
            InstantSource.system(),
            new SimulatedCloud.Routes(List.of(), List.of()),
            event -> {},
            Optional.of(owner));
    try {
      var token = Optional.of(owner.text());
      var compute =
          ComputeSettings.of("lab").withEndpoint(new EndpointOverride(cloud.url(), token));
      var tpu =
          TpuSettings.of("lab").withEndpoint(new EndpointOverride(cloud.grpcEndpoint(), token));

      assertThat(ComputeEngine.fleet(compute).list().complete()).isTrue();
      assertThat(CloudTpu.fleet(tpu).list().complete()).isTrue();
    } finally {
      cloud.close();
    }
  }
}

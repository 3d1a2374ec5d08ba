package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.agent.credentials.IamTokenClient;
import dev.mayfly.agent.credentials.IdentityTokenCache;
import dev.mayfly.agent.machine.MetadataClient;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.porttests.ForeignServer;
import java.io.IOException;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.LinkedBlockingQueue;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** An agent whose laptop cloud was killed, while another user's program has its ports. */
@Timeout(60)
final class ForeignCloudTest {
  private ForeignServer foreign;

  @BeforeEach
  void start() throws IOException {
    foreign = ForeignServer.start();
  }

  @AfterEach
  void stop() {
    foreign.assertAskedForProofOnly();
    foreign.close();
  }

  @Test
  void anotherServerGetsNoReportAndGivesNoOrders() throws Exception {
    var events = new LinkedBlockingQueue<AgentEvent>();
    var identity = new IdentityTokenCache(() -> "SECRET", () -> Instant.EPOCH);
    var client =
        new SyncClient(
            foreign.url(),
            ForeignServer.MACHINE_TOKEN,
            Optional.of(identity),
            Runnable::run,
            events::add);

    client.send(new AgentEffect.Sync(SyncClientTest.report(1), Duration.ofSeconds(20)));

    assertThat(events.take())
        .isInstanceOfSatisfying(
            AgentEvent.SyncFailed.class,
            failed -> assertThat(failed.reason()).contains("another program answers at"));
  }

  @Test
  void metadataOfAnotherServerIsNotBelieved() {
    var environment =
        Map.of(
            "GCE_METADATA_HOST",
            foreign.address(),
            StoreSettings.TOKEN,
            ForeignServer.MACHINE_TOKEN);
    var client = MetadataClient.of(environment, Duration.ZERO);

    assertThatThrownBy(() -> client.attribute("mayfly-workers-url"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("another program answers at");
  }

  @Test
  void anotherServerIsNotAskedForTokens() {
    var client =
        new IamTokenClient(foreign.url(), "who", "audience", () -> ForeignServer.MACHINE_TOKEN);

    assertThatThrownBy(client::get).isInstanceOf(UnavailableException.class);
  }
}

package dev.mayfly.gcs;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.gcs.secrets.CloudSecrets;
import dev.mayfly.porttests.ForeignServer;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Another user's program at the address of a laptop cloud. */
@Timeout(60)
class ForeignServerTest {
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
  void getsNoObjects() {
    var store =
        ObjectStores.of(
            new StoreSettings(
                Optional.of(URI.create(foreign.url())),
                Optional.of(() -> ForeignServer.MACHINE_TOKEN),
                "",
                Duration.ofMillis(500)));
    var content = ObjectStore.Content.of("SECRET".getBytes(StandardCharsets.UTF_8));

    assertThatThrownBy(() -> store.create(ObjectUrl.of("gs://lab/out"), content, Map.of()))
        .isInstanceOf(UnavailableException.class);
    assertThatThrownBy(() -> store.read(ObjectUrl.of("gs://lab/in"), 1_000))
        .isInstanceOf(UnavailableException.class);
  }

  @Test
  void isAskedForNoSecrets() {
    var secrets =
        CloudSecrets.reader(foreign.url(), () -> "lab", () -> ForeignServer.MACHINE_TOKEN);

    assertThatThrownBy(() -> secrets.value("wandb/latest"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("another program answers at");
  }
}

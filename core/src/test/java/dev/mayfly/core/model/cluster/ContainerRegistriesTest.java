package dev.mayfly.core.model.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ContainerRegistriesTest {
  @Test
  void onlyHostLikeFirstWordIsRegistry() {
    for (var hub : List.of("ubuntu", "x:1", "lab/x:1", "docker.io/x", "index.docker.io/lab/x"))
      assertThat(ContainerRegistries.host(hub)).as(hub).isEqualTo("docker.io");
    assertThat(ContainerRegistries.host("localhost:5000/x")).isEqualTo("localhost:5000");
    assertThat(ContainerRegistries.host("localhost/x@sha256:ab")).isEqualTo("localhost");
    assertThat(ContainerRegistries.host("GHCR.io/lab/x:1")).isEqualTo("ghcr.io");
    assertThat(ContainerRegistries.writtenHost("GHCR.io/lab/x:1")).isEqualTo("GHCR.io");
  }

  private static final PoolSpec POOL =
      new PoolSpec(
          "cpu",
          "n2-standard-4",
          Resources.ZERO,
          List.of("z"),
          Provisioning.SPOT,
          0,
          1,
          Duration.ofMinutes(10),
          Duration.ofHours(24),
          MachineSpec.PLAIN);

  @Test
  void machineGetsLoginsOnlyWithImage() {
    var logins = Map.of("ghcr.io", "projects/p/secrets/s/versions/latest", "lab:5000", "b/2");
    var plain = SpecFixtures.cluster();
    var text =
        with(plain, Optional.of("ghcr.io/x:1"), logins)
            .preparationMetadata(POOL, "us-central1-a")
            .get("mayfly-registries");

    assertThat(ContainerRegistries.parse(text)).isEqualTo(logins);
    assertThat(ContainerRegistries.parse("")).isEmpty();
    assertThat(with(plain, Optional.empty(), logins).preparationMetadata(POOL, "us-central1-a"))
        .isEmpty();
    for (var bad : List.of("ghcr.io", "ghcr.io\t", "\tx/1", "a\tb\tc"))
      assertThatThrownBy(() -> ContainerRegistries.parse(bad))
          .hasMessageContaining("not a registry");
  }

  private static ClusterSpec with(
      ClusterSpec s, Optional<String> image, Map<String, String> logins) {
    return new ClusterSpec(
        s.name(),
        s.bucket(),
        s.env(),
        s.pools(),
        s.owner(),
        s.secrets(),
        image,
        logins,
        s.mounts(),
        s.rollout(),
        TaskRights.NONE,
        List.of(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        Map.of(),
        Optional.empty(),
        Optional.empty());
  }
}

package dev.mayfly.functions.webhook;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.Wire;
import org.junit.jupiter.api.Test;

/** What a deployment says of a cluster's webhook when the cluster comes up. */
class WebhookAccessTest {
  private static byte[] cluster(String url) {
    return """
    apiVersion: mayfly.dev/v1
    kind: Cluster
    name: lab
    bucket: gs://lab
    notifications: {webhook: {url: "%s", secret: hook/latest}}
    pools: [{name: cpu, machine: {type: n2-standard-4}, zones: [us-a1-b], workers: {max: 1}}]
    """
        .formatted(url)
        .getBytes(UTF_8);
  }

  private static int taken(WebhookReach reach, String url) {
    var access = new WebhookAccess(WebhookAccess.NONE.secrets(), reach);
    return Wire.codec(access::check).commands(cluster(url)).size();
  }

  @Test
  void privateNetworkIsRefusedWithTheRemedy() {
    for (var url : new String[] {"https://10.0.0.7/hook", "http://127.0.0.1:9000/hook"})
      assertThatThrownBy(() -> taken(WebhookReach.INTERNET, url))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageStartingWith("notifications.webhook.url: ");
    assertThatThrownBy(() -> taken(WebhookReach.INTERNET, "https://10.0.0.7/hook"))
        .hasMessageContaining("Terraform: webhook_private_networks = true");
  }

  @Test
  void deploymentThatSaysSoTakesIt() {
    assertThat(taken(WebhookReach.PRIVATE_NETWORKS, "https://10.0.0.7/hook")).isEqualTo(1);
    assertThat(taken(WebhookReach.THIS_COMPUTER, "http://127.0.0.1:9000/hook")).isEqualTo(1);
    assertThat(taken(WebhookReach.INTERNET, "https://hooks.lab.org/mayfly")).isEqualTo(1);
  }
}

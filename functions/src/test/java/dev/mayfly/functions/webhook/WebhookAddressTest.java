package dev.mayfly.functions.webhook;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import java.net.InetAddress;
import java.net.URI;
import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookAddressTest {
  private static InetAddress[] addresses(String... literals) {
    return Arrays.stream(literals).map(InetAddress::ofLiteral).toArray(InetAddress[]::new);
  }

  private static boolean isRefused(String url, WebhookReach reach) {
    return WebhookAddress.problem(URI.create(url), reach).isPresent();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://10.0.0.1/hook",
        "https://169.254.169.254/computeMetadata/v1/",
        "https://[fd00::1]/",
        "https://[::1]:8443/",
        "https://localhost/",
        "https://a.LOCALHOST./",
        "http://127.0.0.1:8420/hook",
        "http://hooks.lab.org/",
        "ftp://hooks.lab.org/",
        "https://hooks.lab.org:0/",
        "https://hooks.lab.org:99999/",
        "https:///hook",
        "mailto:ann@lab.org"
      })
  void addressIsRefusedWhereItIsWritten(String url) {
    assertThat(isRefused(url, WebhookReach.INTERNET)).isTrue();
  }

  @Test
  void deploymentsThatSaySoCallMore() {
    assertThat(isRefused("https://10.0.0.1/hook", WebhookReach.PRIVATE_NETWORKS)).isFalse();
    assertThat(isRefused("https://127.0.0.1/hook", WebhookReach.PRIVATE_NETWORKS)).isTrue();
    assertThat(isRefused("http://127.0.0.1:9/hook", WebhookReach.THIS_COMPUTER)).isFalse();
    assertThat(isRefused("https://hooks.lab.org:8443/hook", WebhookReach.INTERNET)).isFalse();
    assertThat(WebhookAddress.problem(URI.create("https://10.0.0.1/"), WebhookReach.INTERNET))
        .hasValueSatisfying(problem ->
            assertThat(problem)
                .contains("one of a private network", "webhook_private_networks = true"));
  }

  @Test
  void everyAddressOfANameMustBeAllowed() {
    var url = URI.create("https://hooks.lab.org/");

    assertThatThrownBy(() ->
            WebhookAddress.of(url, WebhookReach.INTERNET, host -> addresses("8.8.8.8", "10.1.2.3")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("one of a private network")
        .hasMessageNotContainingAny("10.1.2.3", "8.8.8.8");
  }

  /** A name server may answer otherwise a moment later. */
  @Test
  void nameIsLookedUpOnce() throws Exception {
    var answers =
        new ArrayDeque<>(List.of(addresses("8.8.8.8", "2600:1900::1"), addresses("127.0.0.1")));

    var allowed =
        WebhookAddress.of(
            URI.create("https://hooks.lab.org/"), WebhookReach.INTERNET, host -> answers.remove());

    assertThat(allowed).containsExactly(addresses("8.8.8.8", "2600:1900::1"));
    assertThat(answers).hasSize(1);
  }
}

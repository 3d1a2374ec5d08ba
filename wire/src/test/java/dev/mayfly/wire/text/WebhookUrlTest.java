package dev.mayfly.wire.text;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.NotificationKind;
import dev.mayfly.core.model.cluster.NotificationSpec;
import dev.mayfly.core.model.cluster.WebhookSpec;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebhookUrlTest {
  private static final WebhookSpec HOOK = new WebhookSpec("https://hooks.lab.org", "s/latest");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "https://hooks.lab.org/mayfly",
        "https://hooks.lab.org:8443/a?b=c",
        "http://127.0.0.1:9000/hook",
        "http://localhost/hook",
        "http://[::1]:9000/"
      })
  void mayBeCalled(String url) {
    assertThat(WebhookUrl.problem(url)).isEmpty();
  }

  @ParameterizedTest
  @CsvSource({
    "http://hooks.lab.org/mayfly, write https://hooks.lab.org",
    "ftp://hooks.lab.org/mayfly, write https://hooks.lab.org",
    "http://127.0.0.1.evil.org/, write https://127.0.0.1.evil.org",
    "https://ann:pw@hooks.lab.org/, name or password",
    "https://hooks.lab.org/#a, '#'",
    "https:///mayfly, no host",
    "https://hooks.lab.org:0/, has the port 0",
    "https://hooks.lab.org:65536/, write one from 1 to 65535",
    "http://127.0.0.1:99999/, has the port 99999",
    "mailto:ann, no host",
    "https://hooks lab.org, is not a URL"
  })
  void isRefusedWithARemedy(String url, String remedy) {
    assertThat(WebhookUrl.problem(url)).get().asString().contains(remedy);
  }

  @Test
  void onlyPlainHttpIsForTheLaptopAlone() {
    assertThat(HOOK.isLoopback()).isFalse();
    assertThat(new WebhookSpec("https://127.0.0.1/", "s/1").isLoopback()).isFalse();
    assertThat(new WebhookSpec("http://127.0.0.1:9/", "s/1").isLoopback()).isTrue();
  }

  @Test
  void withoutKindsAllAreWanted() {
    var all = new NotificationSpec(HOOK, List.of());
    var ended = new NotificationSpec(HOOK, List.of(NotificationKind.JOB_ENDED));

    assertThat(NotificationKind.values()).allMatch(all::wants);
    assertThat(NotificationKind.values())
        .filteredOn(ended::wants)
        .containsExactly(NotificationKind.JOB_ENDED);
  }
}

package dev.mayfly.local.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ControlSettingsTest {
  private static final String SHA = "a".repeat(64);

  private static ControlSettings with(Map<String, String> more) {
    var variables = new HashMap<>(Map.of("MAYFLY_CONTROL_CLOUD", "http://127.0.0.1:8420"));
    variables.putAll(more);
    return ControlSettings.from(variables);
  }

  @Test
  void machinesFetchBundleWhereThereIsOne() {
    assertThat(with(Map.of()).bundle()).isEmpty();
    assertThat(
            with(Map.of(
                    "MAYFLY_CONTROL_BUNDLE_URL",
                    "gs://lab/agent.tar.gz",
                    "MAYFLY_CONTROL_BUNDLE_SHA256",
                    SHA))
                .bundle())
        .contains(new ControlSettings.AgentBundle("gs://lab/agent.tar.gz", SHA));
  }

  @Test
  void halfOfBundleIsRefusedWithRemedy() {
    assertThatThrownBy(() -> with(Map.of("MAYFLY_CONTROL_BUNDLE_URL", "file:///agent")))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MAYFLY_CONTROL_BUNDLE_URL is 'file:///agent'; it must be gs://")
        .hasMessageContaining("MAYFLY_CONTROL_BUNDLE_SHA256 is ''; it must be 64 hex digits");
    assertThatThrownBy(() -> with(Map.of("MAYFLY_CONTROL_BUNDLE_SHA256", SHA)))
        .hasMessageContaining("MAYFLY_CONTROL_BUNDLE_URL is ''");
  }
}

package dev.mayfly.functions;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.functions.handler.AllowedAccounts;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class FunctionSettingsTest {
  private static final Map<String, String> LEAST =
      Map.of(
          "GOOGLE_CLOUD_PROJECT", "lab",
          "MAYFLY_WORKERS_URL", "https://lab.example/mayfly-workers",
          "MAYFLY_AGENT_ACCOUNT", "agent@lab",
          "MAYFLY_AUTOSCALE_ACCOUNT", "autoscale@lab");

  @Test
  void projectUrlAndTwoAccountsAreRequired() {
    var functionSettings = FunctionSettings.from(LEAST);

    assertThat(functionSettings.database()).isEqualTo("(default)");
    assertThat(functionSettings.identity()).isTrue();
    assertThat(functionSettings.tick()).isEqualTo(Duration.ofSeconds(60));
    assertThat(functionSettings.overrides().firestore()).isEmpty();
  }

  @Test
  void reportsAllProblemsAtOnce() {
    var env =
        Map.of(
            "MAYFLY_WORKERS_URL", "https://lab.example/",
            "MAYFLY_DATABSE", "x",
            "MAYFLY_BUNDLE_URL", "gs://lab/bundle.tar.gz",
            "PUBSUB_EMULATOR_HOST", "http://127.0.0.1:1");

    assertThatThrownBy(() -> FunctionSettings.from(env))
        .hasMessageContaining("GOOGLE_CLOUD_PROJECT is not set")
        .hasMessageContaining("MAYFLY_WORKERS_URL is 'https://lab.example/'")
        .hasMessageContaining("MAYFLY_DATABSE is not a setting")
        .hasMessageContaining("go together")
        .hasMessageContaining("MAYFLY_AGENT_ACCOUNT is not set")
        .hasMessageContaining("MAYFLY_AUTOSCALE_ACCOUNT is not set")
        .hasMessageContaining("PUBSUB_EMULATOR_HOST is 'http://127.0.0.1:1'; it must be HOST:PORT");
  }

  @Test
  void submitterAccountNeedsApiUrl() {
    var env = new java.util.HashMap<>(LEAST);
    env.put("MAYFLY_SUBMITTER_ACCOUNT", "task-submitter@lab");
    assertThatThrownBy(() -> FunctionSettings.from(env))
        .hasMessageContaining("MAYFLY_SUBMITTER_ACCOUNT and MAYFLY_API_URL go together");

    env.put("MAYFLY_API_URL", "https://lab.example/mayfly-api");
    assertThat(FunctionSettings.from(env).submitter())
        .contains(
            new FunctionSettings.Submitter("task-submitter@lab", "https://lab.example/mayfly-api"));
    assertThat(FunctionSettings.from(LEAST).submitter()).isEmpty();
  }

  @Test
  void staticAccountsAreAList() {
    var env = new java.util.HashMap<>(LEAST);
    env.put("MAYFLY_STATIC_ACCOUNTS", "a@lab,b@lab");

    assertThat(FunctionSettings.from(env).accounts())
        .isEqualTo(
            new AllowedAccounts("agent@lab", "autoscale@lab", java.util.Set.of("a@lab", "b@lab")));
  }

  @Test
  void terraformSetsWhatIsReadAndNothingElse() throws IOException {
    var file = Path.of("..", "terraform/modules/control-plane/main.tf");
    var block =
        Files.readString(file).replaceAll("(?s).*?\\n  environment = \\{(.*?)\\n  }.*", "$1");
    var set = new HashSet<String>();
    var line = Pattern.compile("(?m)^ +((?:MAYFLY|GOOGLE)_[A-Z0-9_]+) +=").matcher(block);
    while (line.find()) set.add(line.group(1));

    var read =
        Arrays.stream(EnvironmentVariable.values())
            .filter(v -> !v.isOverride())
            .map(Enum::name)
            .toList();
    assertThat(set).containsExactlyInAnyOrderElementsOf(read);
  }
}

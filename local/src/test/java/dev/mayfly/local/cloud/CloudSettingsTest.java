package dev.mayfly.local.cloud;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

class CloudSettingsTest {
  @Test
  void everythingHasADefault() {
    var settings = CloudSettings.from(Map.of());

    assertThat(settings.home()).isEqualTo(Path.of(System.getProperty("user.home"), ".mayfly"));
    assertThat(settings.folder()).isEqualTo(settings.home().resolve("cloud"));
    assertThat(settings.port()).isZero();
    assertThat(settings.project()).isEqualTo("mayfly-local");
    assertThat(settings.bootDelay()).isEqualTo(Duration.ofMillis(300));
    assertThat(settings.notice()).isEqualTo(Duration.ofSeconds(30));
    assertThat(settings.agentJvm()).contains("-Xmx96m", "-XX:+UseSerialGC");
    assertThat(settings.bootCommand().arguments()).endsWith("dev.mayfly.agent.Main");
  }

  /** A task must not succeed on a laptop where a project's default would refuse it. */
  @Test
  void outputPrefixesAreTerraformsDefault() throws IOException {
    var text = Files.readString(Path.of("../terraform/variables.tf"));
    var usual =
        Pattern.compile("output_prefixes += optional\\(set\\(string\\), \\[([^]]*)]\\)")
            .matcher(text);

    assertThat(usual.find()).isTrue();
    assertThat(CloudSettings.from(Map.of()).outputPrefixes())
        .isEqualTo(List.of(usual.group(1).replaceAll("[\" ]", "").split(",")));
  }

  @Test
  void everySettingCanBeSet() {
    var settings =
        CloudSettings.from(
            Map.of(
                "MAYFLY_HOME", "/h",
                "MAYFLY_CLOUD_PORT", "8099",
                "MAYFLY_CLOUD_PROJECT", "lab",
                "MAYFLY_CLOUD_BOOT_DELAY_MS", "5",
                "MAYFLY_CLOUD_NOTICE_MS", "5000",
                "MAYFLY_CLOUD_AGENT_CLASSPATH", "agent.jar:lib/*",
                "MAYFLY_CLOUD_AGENT_JVM", "-Xmx64m -Da=b",
                "MAYFLY_CLOUD_CONTROL_PLANE", "http://127.0.0.1:9",
                "MAYFLY_CLOUD_MACHINE", "/bin/sh",
                "MAYFLY_CLOUD_OUTPUT_PREFIXES", "a/,b/c/"));

    assertThat(settings)
        .isEqualTo(
            new CloudSettings(
                Path.of("/h"),
                8099,
                "lab",
                Duration.ofMillis(5),
                Duration.ofSeconds(5),
                "agent.jar:lib/*",
                List.of("-Xmx64m", "-Da=b"),
                "http://127.0.0.1:9",
                Optional.of(Path.of("/bin/sh")),
                List.of("a/", "b/c/")));
    assertThat(settings.bootCommand().arguments()).containsExactly("/bin/sh");
  }

  @Test
  void allErrorsAreReportedAtOnce() {
    var wrong =
        Map.of(
            "MAYFLY_CLOUD_PORT",
            "66000",
            "MAYFLY_CLOUD_NOTICE_MS",
            "soon",
            "MAYFLY_CLOUD_MACHINE",
            "qemu",
            "MAYFLY_CLOUD_X",
            "");

    assertThatThrownBy(() -> CloudSettings.from(wrong))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining("MAYFLY_CLOUD_PORT is '66000'")
        .hasMessageContaining("MAYFLY_CLOUD_NOTICE_MS is 'soon'")
        .hasMessageContaining("MAYFLY_CLOUD_MACHINE is 'qemu'; it must be the absolute path")
        .hasMessageContaining("MAYFLY_CLOUD_X is not a setting");
  }
}

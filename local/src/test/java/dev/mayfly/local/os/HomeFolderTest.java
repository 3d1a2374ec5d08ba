package dev.mayfly.local.os;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.local.cloud.CloudSettings;
import dev.mayfly.local.control.ControlSettings;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The laptop cloud and the command line must use the same folder. */
class HomeFolderTest {
  @Test
  void homeFolderIsFoundByEnvironmentFirst() {
    assertThat(HomeFolder.of(Map.of("HOME", "/h/ada"))).isEqualTo(Path.of("/h/ada/.mayfly"));
    assertThat(HomeFolder.of(Map.of("HOME", "/h/ada", "MAYFLY_HOME", "/m")))
        .isEqualTo(Path.of("/m"));
    assertThat(HomeFolder.of(Map.of("HOME", "/h/ada", "MAYFLY_HOME", " ")))
        .isEqualTo(Path.of("/h/ada/.mayfly"));
    assertThat(HomeFolder.of(Map.of()))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".mayfly"));
  }

  @Test
  void everyProcessHasTheHomeOfItsEnvironment() {
    var env = Map.of("HOME", "/h/ada", "MAYFLY_CONTROL_CLOUD", "http://127.0.0.1:1");

    assertThat(CloudSettings.from(env).home()).isEqualTo(Path.of("/h/ada/.mayfly"));
    assertThat(ControlSettings.from(env).home()).isEqualTo(Path.of("/h/ada/.mayfly"));
  }
}

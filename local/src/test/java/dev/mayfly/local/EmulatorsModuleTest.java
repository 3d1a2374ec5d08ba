package dev.mayfly.local;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Where the laptop cloud finds what runs its control plane on Google's emulators. */
class EmulatorsModuleTest {
  @TempDir Path project;

  private LocalOptions options(String... arguments) {
    var env = Map.of("MAYFLY_HOME", "/home", "MAYFLY_PROJECT_DIR", project.toString());
    return LocalOptions.of(arguments, env);
  }

  private Path make(String jar) throws IOException {
    var file = project.resolve(jar);
    Files.createDirectories(file.getParent());
    return Files.createFile(file);
  }

  @Test
  void checkoutsModuleComesBeforeItsLibraries() throws IOException {
    make("node-agent/target/mayfly-node-agent.jar");
    var jar = make("testing/emulators/target/mayfly-emulators.jar");

    var classPath = options("--emulators").emulators().orElseThrow().classPath().split(":");

    assertThat(classPath).startsWith(jar.toString());
    assertThat(classPath).endsWith(jar.resolveSibling("lib") + "/*");
    assertThat(classPath).contains(System.getProperty("java.class.path").split(":"));
  }

  @Test
  void installedMayflyNamesTheRemedy() throws IOException {
    make("node-agent/target/mayfly-node-agent.jar");
    assertThat(options().emulators()).as("not asked for").isEmpty();

    assertThatThrownBy(() -> options("--emulators"))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(project + "/testing/emulators/target/mayfly-emulators.jar is missing")
        .hasMessageContaining("start with the checkout's ./mayfly");
  }

  @Test
  void withoutAFolderTheLauncherIsNamed() {
    var env = Map.of("MAYFLY_HOME", "/home");

    assertThatThrownBy(() -> LocalOptions.of(new String[] {"--emulators"}, env))
        .hasMessageContaining("MAYFLY_PROJECT_DIR")
        .hasMessageContaining("./mayfly");
  }
}

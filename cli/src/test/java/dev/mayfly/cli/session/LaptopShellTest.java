package dev.mayfly.cli.session;

import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.cli.TestScreen;
import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.cli.client.ConditionPoller;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Sessions on the laptop cloud's machines are its owner's. */
class LaptopShellTest {
  private static final SessionTarget TARGET =
      new SessionTarget(
          new Machine("lab", "lab-cpu-1", 0, "us-a", false, false, Optional.of("vm-1")),
          Optional.empty());

  @TempDir Path home;

  private LaptopShell shell(String token, String person) throws IOException {
    Files.createDirectories(home.resolve("cloud"));
    Files.writeString(home.resolve("cloud/token"), token);
    Files.writeString(home.resolve("cloud/person"), person);
    var out = new ByteArrayOutputStream();
    var env = Map.of("MAYFLY_HOME", home.toString(), "MAYFLY_PROJECT_DIR", home.toString());
    return new LaptopShell(
        new CliContext(
            env,
            TestScreen.plain(out, out, 80),
            new ConditionPoller(() -> ViewFixtures.NOW, span -> {}),
            () -> "id",
            home));
  }

  @Test
  void invitedPeopleHaveNone() throws IOException {
    var shell = shell("ann's", "ann's");

    assertThatThrownBy(() -> shell.program(TARGET, List.of("id"), false, Duration.ZERO))
        .isInstanceOf(CommandException.class)
        .hasMessageContaining("are the owner's of this laptop cloud");
    assertThatThrownBy(() -> shell.forward(TARGET, List.of()))
        .hasMessageContaining("are the owner's of this laptop cloud");
  }

  @Test
  void ownerIsNotRefused() throws IOException {
    var shell = shell("owner's", "a person's");

    assertThatThrownBy(() -> shell.program(TARGET, List.of("id"), false, Duration.ZERO))
        .hasMessageContaining("enter-task is missing");
  }
}

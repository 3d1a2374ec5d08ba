package dev.mayfly.agent.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.cluster.SetupSpec;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SetupKeyTest {
  @TempDir Path code;

  @BeforeEach
  void writeCode() throws IOException {
    Files.createDirectories(code.resolve("a"));
    Files.writeString(code.resolve("a/r.txt"), "six==1.16.0\n");
    Files.writeString(code.resolve("other.txt"), "six==1.16.0\n");
  }

  @Test
  void whatChangesTheContentChangesTheKey() throws Exception {
    var keys = new HashSet<String>();
    var setup = setup(List.of("make"), List.of("a/r.txt"));
    keys.add(key(setup));
    keys.add(SetupKey.of(setup, code, Optional.of("lab/image@sha256:1")));
    keys.add(key(setup(List.of("ma", "ke"), List.of("a/r.txt"))));
    keys.add(key(setup(List.of("make"), List.of("other.txt"))));
    keys.add(key(python(Optional.of("a/r.txt"), Optional.empty())));
    keys.add(key(python(Optional.of("a/r.txt"), Optional.of("3.12"))));
    Files.writeString(code.resolve("a/r.txt"), "six==1.17.0\n");
    keys.add(key(setup));

    assertThat(keys).hasSize(7).allMatch(key -> key.matches("[0-9a-f]{24}"));
  }

  @Test
  void otherFilesAndLimitsDoNotChangeIt() throws Exception {
    var before = key(setup(List.of("make"), List.of("a/r.txt")));
    Files.writeString(code.resolve("other.txt"), "changed");
    var slower =
        new SetupSpec(
            List.of("make"), List.of("a/r.txt"), Duration.ofHours(9), true, Optional.empty());

    assertThat(key(slower)).isEqualTo(before);
  }

  @Test
  void missingFileIsNamed() {
    assertThatThrownBy(() -> key(setup(List.of("make"), List.of("gone.txt"))))
        .isInstanceOf(FileNotFoundException.class)
        .hasMessageContaining("gone.txt is not a file of the job's code");
  }

  @Test
  void linkIsNotFollowed() throws Exception {
    Files.createSymbolicLink(code.resolve("link.txt"), Path.of("/etc/passwd"));

    assertThatThrownBy(() -> key(setup(List.of("make"), List.of("link.txt"))))
        .hasMessageContaining("link.txt");
  }

  private String key(SetupSpec setup) throws IOException {
    return SetupKey.of(setup, code, Optional.empty());
  }

  private static SetupSpec setup(List<String> command, List<String> files) {
    return new SetupSpec(command, files, Duration.ofMinutes(1), false, Optional.empty());
  }

  private static SetupSpec python(Optional<String> requirements, Optional<String> version) {
    return new SetupSpec(
        List.of(),
        requirements.stream().toList(),
        Duration.ofMinutes(1),
        false,
        Optional.of(new SetupSpec.Python(requirements, version)));
  }
}

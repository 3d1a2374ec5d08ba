package dev.mayfly.agent.setup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.FailureCause;
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
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class SetupKeyTest {
  private static final Optional<String> BUNDLE = Optional.of("gs://lab/code.zip");
  private static final SetupSpec REQUIREMENTS = python(Optional.of("a/r.txt"), Optional.empty());

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
    keys.add(SetupKey.of(setup, code, BUNDLE, Optional.of("lab/image@sha256:1")));
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

  @Test
  void whatRequirementsIncludeChangesTheKey() throws Exception {
    var keys = new HashSet<String>();
    write("a/r.txt", "-r base.txt\n--constraint=../c.txt  # pins\n");
    keys.add(key(REQUIREMENTS));
    write("a/base.txt", "numpy\n");
    keys.add(key(REQUIREMENTS));
    write("c.txt", "numpy==1\n-r a/r.txt\n");
    keys.add(key(REQUIREMENTS));
    write("c.txt", "numpy==2\n-r a/r.txt\n");
    keys.add(key(REQUIREMENTS));

    assertThat(keys).hasSize(4);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "./",
        ".",
        "./pkg[extra]",
        "lib/pkg-1.0-py3-none-any.whl",
        "pkg-1.0.tar.gz ; python_version > '3'",
        "pkg @ file:lib/pkg",
        "--find-links ./wheels",
        "pkg \\\n  @ ./lib"
      })
  void packagesOfTheCodeAreMadeAnewWithIt(String line) throws Exception {
    write("a/r.txt", "six==1.16.0\n" + line + "\n");

    assertThat(SetupKey.of(REQUIREMENTS, code, Optional.of("gs://lab/other.zip"), Optional.empty()))
        .isNotEqualTo(key(REQUIREMENTS));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "six==1.16.0",
        "pkg @ git+https://example.com/a/b.git@main",
        "-e git+https://example.com/a/b.git#egg=b",
        "--index-url https://example.com/simple",
        "six==1.16.0 --hash=sha256:aa/bb",
        "# ./",
        "-r https://example.com/r.txt"
      })
  void packagesOfOthersAreKept(String line) throws Exception {
    write("a/r.txt", line + "\n");

    assertThat(SetupKey.of(REQUIREMENTS, code, Optional.of("gs://lab/other.zip"), Optional.empty()))
        .isEqualTo(key(REQUIREMENTS));
  }

  @ParameterizedTest
  @ValueSource(strings = {"-e .", "--editable ./pkg", "-e pkg"})
  void editableInstallIsRefusedWithItsLine(String line) throws Exception {
    write("a/base.txt", line + "\n");
    write("a/r.txt", "-r base.txt\n");

    assertThatThrownBy(() -> key(REQUIREMENTS))
        .isInstanceOfSatisfying(
            SetupFailedException.class,
            refused -> assertThat(refused.failureCause()).isEqualTo(FailureCause.USER))
        .hasMessageContaining("a/base.txt: " + line + ": an editable install is a link");
  }

  private void write(String file, String text) throws IOException {
    Files.writeString(code.resolve(file), text);
  }

  private String key(SetupSpec setup) throws IOException, SetupFailedException {
    return SetupKey.of(setup, code, BUNDLE, Optional.empty());
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

package dev.mayfly.cli.document;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.SetupSpec;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class UnkeyedFilesTest {
  private static List<String> files(String script, String... key) {
    var setup =
        new SetupSpec(
            List.of("sh", "-eu", "-c", script),
            List.of(key),
            SetupSpec.TIMEOUT,
            false,
            Optional.empty());
    return UnkeyedFiles.of(Optional.of(setup)).stream()
        .map(warning -> {
          assertThat(warning.path()).isEqualTo("setup.key");
          return warning.message().replaceAll("does not name (\\S+), .*", "$1");
        })
        .toList();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "pip install -r requirements.txt | requirements.txt",
        "uv pip install --python x --requirement=./a/r.txt numpy | a/r.txt",
        "conda env create -p $MAYFLY_SETUP -f env.yml | env.yml",
        "python -m pip install -e . | pyproject.toml",
        "pip install './[dev]' && echo done | pyproject.toml"
      })
  void fileThatTheKeyLacksIsNamed(String script, String file) {
    assertThat(files("uv venv $MAYFLY_SETUP\n" + script)).containsExactly(file);
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "pip install -r requirements.txt",
        "pip install numpy==1.26 scipy",
        "pip install -r /opt/all.txt",
        "rm -f x.txt",
        "pip install ."
      })
  void whatTheKeyOrNobodyNamesIsNot(String script) {
    assertThat(files(script, "requirements.txt")).isEmpty();
  }

  @Test
  void environmentsOfMayflysOwnHaveTheirKey() {
    var python = new SetupSpec.Python(Optional.of("requirements.txt"), Optional.empty());
    var setup =
        new SetupSpec(
            List.of(),
            List.of("requirements.txt"),
            Duration.ofMinutes(1),
            false,
            Optional.of(python));

    assertThat(UnkeyedFiles.of(Optional.of(setup))).isEmpty();
  }
}

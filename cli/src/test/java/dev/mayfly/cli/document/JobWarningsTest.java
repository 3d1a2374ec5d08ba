package dev.mayfly.cli.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.core.error.InputError;
import dev.mayfly.wire.UserDocuments;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class JobWarningsTest {
  private static List<InputError> warnings(String tasks, String command) {
    var text =
        """
        apiVersion: mayfly.dev/v1
        kind: Job
        name: reddit
        cluster: lab
        tasks: {%s}
        command: %s
        """
            .formatted(tasks, command);
    var document = UserDocuments.parse(text.getBytes(UTF_8), "j.yaml", Map.of()).getFirst();
    return JobWarnings.of(JobSubmitter.spec(document));
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[python3, train.py]",
        "[sh, -c, 'echo $MY_MAYFLY_INPUT']",
        "[echo, '{index}', '{outputFile}']"
      })
  void inputThatNoCommandNamesIsWarning(String command) {
    assertThat(warnings("inputs: 'gs://lab/in/*'", command))
        .singleElement()
        .satisfies(w -> assertThat(w.path()).isEqualTo("command"))
        .satisfies(w -> assertThat(w.message()).contains("tasks.downloaded: true"));
    assertThat(warnings("inputs: 'gs://lab/in/*', downloaded: true", command)).isEmpty();
    assertThat(warnings("inputs: {all: 'gs://lab/in/*'}", command)).isEmpty();
    assertThat(warnings("count: 3", command)).isEmpty();
  }

  @ParameterizedTest
  @ValueSource(
      strings = {
        "[cat, '{inputFile}']",
        "[curl, '{input}']",
        "[echo, '{stem}']",
        "[sh, -c, 'wc < \"$MAYFLY_INPUT\"']",
        "[sh, -c, 'curl \"${MAYFLY_INPUT_URL}\"']"
      })
  void inputThatCommandNamesIsNone(String command) {
    assertThat(warnings("inputs: 'gs://lab/in/*'", command)).isEmpty();
    assertThat(warnings("inputsOf: other", command)).isEmpty();
  }
}

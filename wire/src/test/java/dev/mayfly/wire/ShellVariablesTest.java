package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.text.TaskTemplate;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** {@code ${name}} is a shell's: Mayfly fills in no brace after a {@code $}. */
class ShellVariablesTest {
  private static final String HEAD =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: a
      cluster: lab
      variables: {lr: 0.1}
      """;
  private static final Map<String, String> VALUES =
      Map.of("index", "7", "job", "j1", "file", "a b.txt", "lr", "0.5", "seed", "3");

  @ParameterizedTest
  @ValueSource(
      strings = {
        "index=$MAYFLY_INDEX; echo \"seed=${index}\"",
        "for file in one two; do echo \"file=${file}\"; done",
        "lr=5; echo ${lr} ${HOME} ${lr:-1} ${#lr} $((lr + 1))",
        "read -r job; echo ${job}"
      })
  void aShellsTextStaysAsItIs(String text) {
    var job =
        job(HEAD + "tasks: {matrix: {seed: [1, 2]}}\ncommand:\n- bash\n- -c\n- |-\n  " + text);

    assertThat(TaskTemplate.fill(job.run().command().getLast(), VALUES)).isEqualTo(text);
  }

  @Test
  void scriptsKeepTheirVariables() {
    var job = job(HEAD + "tasks: {count: 1}\ncommand: [ls]\nsetup: {script: 'echo ${HOME} ${lr}'}");

    assertThat(job.run().taskEnvironment().setup().map(SetupSpec::command).orElseThrow())
        .endsWith("echo ${HOME} ${lr}");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          env: {A: "${HOME}/x"} | env.A: ${HOME} is for a shell, and none reads this; set HOME under variables and write {HOME}, or ${{HOME}} for the text ${HOME}
          env: {A: "${lr}"}     | env.A: ${lr} is for a shell, and none reads this; write {lr}, or ${{lr}} for the text ${lr}
          checkpoint: "gs://lab/${index}/" | checkpoint: ${index} is for a shell, and none reads this; write {index}
          setup: {command: [make, "${HOME}"]} | setup.command[1]: ${HOME} is for a shell
          image: "${IMAGE}" | image: ${IMAGE} is for a shell
          """)
  void elsewhereTheyAreRefused(String field, String why) {
    refused(HEAD + "tasks: {count: 1}\ncommand: [ls]\n" + field, why);
  }

  @Test
  void aCommandWithoutAShellHasNone() {
    refused(
        HEAD + "tasks: {count: 1}\ncommand: [python, a.py, \"${HOME}\"]",
        "command[2]: ${HOME} is for a shell");
    assertThat(
            job(HEAD + "tasks: {count: 1}\ncommand: [perl, \"${{HOME}}\"]").run().command().stream()
                .map(word -> TaskTemplate.fill(word, VALUES)))
        .containsExactly("perl", "${HOME}");
  }

  @ParameterizedTest
  @CsvSource({
    "index,write $MAYFLY_INDEX",
    "seed,write $MAYFLY_VAR_SEED",
    "stem,take it from $MAYFLY_INPUT"
  })
  void aNameThatTheShellLacksIsRefused(String name, String remedy) {
    var command = "tasks: {matrix: {seed: [1, 2]}}\ncommand: [sh, -c, 'echo ${%s}']\n";
    var text = HEAD + command.formatted(name);

    refused(
        text,
        "command[2]: ${%1$s} is the shell's, which has no variable %1$s here: %2$s, or write ${{%1$s}} if it has"
            .formatted(name, remedy));
    assertThat(job(text + "env: {" + name + ": x}").run().command()).hasSize(3);
  }

  @Test
  void noBraceAfterDollarIsEverFilled() {
    var random = new SplittableRandom(4);
    var parts =
        List.of("${index}", "$", "{{index}}", "{index}", " ", "${file}", "x", "{", "}", "${");
    for (var i = 0; i < 2_000; i++) {
      var text = new StringBuilder();
      for (var left = random.nextInt(1, 8); left > 0; left--)
        text.append(parts.get(random.nextInt(parts.size())));
      var filled = TaskTemplate.fill(text.toString(), VALUES);

      assertThat(count(filled, "${index}"))
          .as(text.toString())
          .isEqualTo(count(text.toString(), "${index}") + count(text.toString(), "${{index}}"));
    }
  }

  private static int count(String text, String of) {
    return text.split(java.util.regex.Pattern.quote(of), -1).length - 1;
  }

  private static void refused(String text, String why) {
    assertThatThrownBy(() -> job(text))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(why);
  }

  /** As the control plane reads what a command published. */
  private static JobSpec job(String text) {
    var published = UserDocuments.parse(text.getBytes(UTF_8), "job.yaml", Map.of()).getFirst();
    var command = Wire.codec().commands(published.bytes()).getFirst();
    return ((UserCommand.SubmitJob) command).spec();
  }
}

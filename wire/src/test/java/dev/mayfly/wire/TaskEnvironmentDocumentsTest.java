package dev.mayfly.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskEnvironment;
import dev.mayfly.core.model.message.UserCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What a job says of its tasks' environment. */
final class TaskEnvironmentDocumentsTest {
  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: j
      cluster: lab
      tasks: {count: 3}
      command: [x]
      code: gs://lab/mayfly/.code/%s.zip
      """
          .formatted("a".repeat(64));

  @Test
  void setupIsReadWithItsDefaults() {
    var setup = setup("setup: {script: 'uv venv $MAYFLY_SETUP', key: [a/r.txt]}\n").orElseThrow();

    assertThat(setup)
        .isEqualTo(
            new SetupSpec(
                List.of("sh", "-eu", "-c", "uv venv $MAYFLY_SETUP"),
                List.of("a/r.txt"),
                Duration.ofMinutes(30),
                false,
                Optional.empty()));
    assertThat(setup("")).isEmpty();
  }

  @Test
  void shortFormNamesFileAndVersionAsWritten() {
    var setup =
        setup("python: {requirements: r.txt, version: 3.10, store: true, timeout: 5m}\n")
            .orElseThrow();

    assertThat(setup.python())
        .contains(new SetupSpec.Python(Optional.of("r.txt"), Optional.of("3.10")));
    assertThat(setup.files()).containsExactly("r.txt");
    assertThat(setup.stored()).isTrue();
    assertThat(setup.timeout()).isEqualTo(Duration.ofMinutes(5));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          setup: {key: [r.txt]} | setup.command: names no program
          setup: {script: a, command: [b]} | setup.command: stands beside script
          setup: {script: a, key: [../r.txt]} | '../r.txt' is not a file of the code
          setup: {script: a, key: [/etc/passwd]} | '/etc/passwd' is not a file of the code
          python: {} | python.requirements: is missing
          python: {version: "3.x"} | '3.x' is not a version of Python
          checkpoint: gs://lab/ck/{index} | checkpoint: 'gs://lab/ck/{index}' is a folder of objects; write a /
          checkpoint: gs://lab/ck/ | checkpoint: 'gs://lab/ck/' is one folder for all tasks; put {index} in it
          checkpoint: gs://lab/ck/{x}/ | checkpoint: {x} has no value
          gang: {mode: jax} | gang
          gang: {hosts: 2, mode: horovod} | gang.mode
          gang: 0 | gang: 0 is too little
          runner: yes | runner
          runner: {restartAfter: 0} | runner.restartAfter: 0 is too little
          runner: {restartAbove: 12} | runner.restartAbove
          {runner: {restart: 3}} | runner.restart: is not known
          {runner: true, image: python} | runner: is not for jobs with image yet; leave one of both out
          {runner: true, gang: 2} | runner: is not for jobs with gang yet; leave one of both out
          {setup: {script: a}, python: {version: "3.12"}} | python: is a short form of setup
          """)
  void unusableSetupIsRefused(String field, String message) {
    var text = field.startsWith("{") ? field.substring(1, field.length() - 1) : field;
    var lines = text.replaceAll(", (python|image|gang):", "\n$1:");

    assertThatThrownBy(() -> job(JOB + lines + "\n")).hasMessageContaining(message);
  }

  @Test
  void gangIsNumberOrObject() {
    var plain = job(JOB + "gang: 4\nsettle: 1h\n");
    var full = job(JOB + "gang: {hosts: 4, settle: 1h, mode: ray}\n");

    assertThat(full.gang()).isEqualTo(plain.gang()).isEqualTo(4);
    assertThat(full.settle()).isEqualTo(plain.settle()).contains(Duration.ofHours(1));
    assertThat(full.run().taskEnvironment().gangMode()).contains(TaskEnvironment.GangMode.RAY);
    assertThat(plain.run().environment()).isEmpty();
  }

  @Test
  void runnerIsTrueOrObject() {
    var plain = job(JOB + "runner: true\n").run().taskEnvironment();
    var full = job(JOB + "runner: {restartAfter: 1000, restartAbove: 12Gi}\n");

    assertThat(plain.runner())
        .contains(new TaskEnvironment.Runner(Optional.empty(), Optional.empty()));
    assertThat(full.run().taskEnvironment().runner())
        .contains(new TaskEnvironment.Runner(Optional.of(1000), Optional.of(12L << 30)));
    assertThat(job(JOB + "runner: false\n").run().environment()).isEmpty();
    assertThat(job(JOB.replace("[x]", "[x, \"{job}\"]") + "runner: true\n").run().command())
        .containsExactly("x", "{job}");
    assertThatThrownBy(() -> job(JOB.replace("[x]", "[x, \"{index}\"]") + "runner: true\n"))
        .hasMessageContaining("command[1]: {index} is of one task, and a runner is started once");
  }

  @Test
  void filesNeedCode() {
    var without = JOB.substring(0, JOB.indexOf("code:"));

    assertThatThrownBy(() -> job(without + "python: {requirements: r.txt}\n"))
        .hasMessageContaining("python.requirements: names r.txt, but the job has no code");
    assertThat(job(without + "python: {version: \"3.12\"}\n").run().environment()).isPresent();
  }

  @Test
  void namesOfOneVariableAreRefused() {
    var matrix = JOB.replace("{count: 3}", "{matrix: {lr: [1], LR: [2]}}");
    var items = JOB.replace("{count: 3}", "{items: [{a: 1}, {b: 1, B: 2}]}");

    assertThatThrownBy(() -> job(matrix))
        .hasMessageContaining("tasks.matrix.LR: and lr would both be the variable MAYFLY_VAR_LR");
    assertThatThrownBy(() -> job(items))
        .hasMessageContaining("tasks.items[1].B: and b would both be the variable MAYFLY_VAR_B");
  }

  private static Optional<SetupSpec> setup(String fields) {
    return job(JOB + fields).run().taskEnvironment().setup();
  }

  private static JobSpec job(String text) {
    var parsed =
        UserDocuments.parse(text.getBytes(StandardCharsets.UTF_8), "job.yaml", Map.of()).getFirst();
    return ((UserCommand.SubmitJob) parsed.command()).spec();
  }
}

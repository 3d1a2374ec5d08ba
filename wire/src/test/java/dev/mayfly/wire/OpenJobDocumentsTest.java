package dev.mayfly.wire;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Open jobs, and what is added to them. */
final class OpenJobDocumentsTest {
  private static UserCommand parse(String text) {
    return UserDocuments.parse(text.getBytes(StandardCharsets.UTF_8), "", Map.of())
        .getFirst()
        .command();
  }

  private static UserCommand job(String tasks, String command) {
    return parse(
        """
        apiVersion: mayfly.dev/v1
        kind: Job
        name: j
        cluster: lab
        tasks: {%s}
        command: [%s]
        """
            .formatted(tasks, command));
  }

  private static UserCommand added(String tasks) {
    return parse(
        """
        apiVersion: mayfly.dev/v1
        kind: AddTasks
        cluster: lab
        job: j
        tasks: [%s]
        """
            .formatted(tasks));
  }

  @Test
  void anOpenJobHasItsTimes() {
    var submit = (UserCommand.SubmitJob) job("open: true, variables: [lr]", "x, '{lr}'");

    assertThat(submit.spec().tasks())
        .isEqualTo(
            new TaskSource.Open(
                List.of(), List.of("lr"), Duration.ofHours(24), Duration.ofHours(1)));
    var own = (UserCommand.SubmitJob) job("open: true, openFor: 2h, idleAfter: 5m", "x");
    assertThat(own.spec().tasks())
        .isEqualTo(
            new TaskSource.Open(List.of(), List.of(), Duration.ofHours(2), Duration.ofMinutes(5)));
  }

  @Test
  void anOpenJobMayReadInputs() {
    assertThat(job("open: true", "x, '{input}'")).isInstanceOf(UserCommand.SubmitJob.class);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          open: true | '{lr}' | {lr} has no value
          open: true, count: 3 | y | tasks.count: is not for open jobs
          open: true, inputs: 'gs://lab/*' | y | tasks.inputs: is not for open jobs
          open: true, seeds: 3 | y | tasks.seeds: is not for open jobs
          open: true, samples: {count: 2, of: {a: [1, 2]}} | y | tasks.samples
          open: true, variables: [index] | y | is what each task has by itself
          open: true, variables: [lr, LR] | y | would both be the variable MAYFLY_VAR_LR
          open: true, variables: [lr], items: [{x: 1}] | y | lacks lr, which variables declares
          open: true, items: [{x: 1}] | '{input}' | {input} has no value in the tasks that tasks.items names
          open: true, output: 'gs://lab/o' | y | is one output for all tasks; put {index} in it
          open: true, variables: [lr], output: 'gs://lab/{lr}' | y | put {index} in it
          open: true, openFor: 31d | y | tasks.openFor: 31d is too long
          open: true, idleAfter: 1s | y | tasks.idleAfter: 1s is too short
          count: 3, idleAfter: 5m | y | tasks.idleAfter: is for open jobs
          count: 3, variables: [lr] | y | tasks.variables: is for open jobs
          """)
  void unusableOpenJobsAreRefused(String tasks, String argument, String problem) {
    assertThatThrownBy(() -> job(tasks, "x, " + argument)).hasMessageContaining(problem);
  }

  @Test
  void tasksAreAddedInTheirOrder() {
    assertThat(added("{variables: {lr: 0.1}}, {input: gs://lab/a}, {}"))
        .isEqualTo(
            new UserCommand.AddTasks(
                "lab",
                "j",
                Optional.empty(),
                List.of(
                    new UserCommand.NewTask(Optional.empty(), Map.of("lr", "0.1")),
                    new UserCommand.NewTask(Optional.of("gs://lab/a"), Map.of()),
                    new UserCommand.NewTask(Optional.empty(), Map.of()))));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '~',
      textBlock =
          """
          {variables: {index: 1}} | tasks[0].variables.index: is what each task has by itself
          {variables: {a: 1, A: 2}} | would both be the variable
          {variables: {a-b: 1}} | tasks[0].variables
          {input: gs://lab} | tasks[0].input
          {input: gs://lab/folder/} | tasks[0].input: 'gs://lab/folder/' is not an object
          {inputs: a} | tasks[0]
          """)
  void unusableTasksAreRefused(String task, String problem) {
    assertThatThrownBy(() -> added(task)).hasMessageContaining(problem);
  }

  @Test
  void anAdditionHasSomeTasks() {
    assertThatThrownBy(() -> added("")).hasMessageContaining("tasks");
    assertThatThrownBy(() -> added("{}, ".repeat(100) + "{}")).hasMessageContaining("tasks");
  }
}

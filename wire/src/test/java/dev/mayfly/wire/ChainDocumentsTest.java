package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Jobs whose tasks are the outputs of another job. */
class ChainDocumentsTest {
  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: classify
      cluster: lab
      command: [classify, "{inputFile}", "{outputFile}"]
      """;

  private static final String TASKS =
      JOB + "tasks: {inputsOf: extract, output: 'gs://lab/out/{stem}'}\n";

  private static ParsedDocument parsed(String text) {
    return UserDocuments.parse(text.getBytes(UTF_8), "", Map.of()).getFirst();
  }

  private static JobSpec spec(ParsedDocument document) {
    return ((UserCommand.SubmitJob) document.command()).spec();
  }

  @Test
  void sourceImpliesThatJobComesAfter() {
    var spec = spec(parsed(TASKS));

    assertThat(spec.tasks()).isEqualTo(new TaskSource.InputsOf("extract"));
    assertThat(spec.admission().after())
        .containsExactly(new Predecessor("extract", Optional.empty(), Predecessor.On.SUCCESS));
  }

  @Test
  void gatheredOutputsAreOneTask() {
    var gather = TASKS.replace("extract", "{job: extract, gather: true}").replace("{stem}", "all");

    assertThat(spec(parsed(gather)).tasks())
        .isEqualTo(new TaskSource.Gather(new TaskSource.InputsOf("extract")));
    assertThat(spec(parsed(gather)).admission()).isEqualTo(spec(parsed(TASKS)).admission());
    assertThat(spec(parsed(gather).withPredecessors(Map.of("extract", "s-1"))).admission().after())
        .extracting(Predecessor::uid)
        .containsExactly(Optional.of(UserCommand.SubmitJob.uid("s-1")));
  }

  @Test
  void jobWithoutGatherMeansItsName() {
    assertThat(spec(parsed(TASKS.replace("extract", "{job: extract}"))))
        .isEqualTo(spec(parsed(TASKS)));
  }

  @Test
  void gatheredObjectsAreOneTask() {
    var spec = spec(parsed(JOB + "tasks: {inputs: {all: 'gs://lab/in/*'}, output: gs://lab/all}"));

    assertThat(spec.tasks())
        .isEqualTo(new TaskSource.Gather(new TaskSource.Inputs("gs://lab/in/*")));
    assertThat(spec.admission().after()).isEmpty();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "inputs: {all: 'gs://lab/in/*'}, output: 'gs://lab/{stem}' | {stem} is of one object",
        "inputs: {all: 'gs://lab/'} | names no objects",
        "inputs: {of: 'gs://lab/in/*'} | tasks.inputs",
        "inputs: {} | tasks.inputs",
        "inputs: lab/in/* | tasks.inputs",
        "inputsOf: {gather: true} | tasks.inputsOf",
        "inputsOf: {job: Extract, gather: true} | tasks.inputsOf.job",
        "inputsOf: Extract | tasks.inputsOf",
        "inputsOf: {job: extract, gather: 3} | tasks.inputsOf.gather",
      })
  void wrongGatherIsRefused(String tasks, String message) {
    assertThatThrownBy(() -> parsed(JOB + "tasks: {" + tasks + "}"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(message);
  }

  @Test
  void writtenEndOfPredecessorHolds() {
    assertThat(spec(parsed(TASKS + "after: [{job: extract, on: end}]\n")).admission().after())
        .containsExactly(new Predecessor("extract", Optional.empty(), Predecessor.On.END));
  }

  @Test
  void submissionOfImpliedPredecessorIsWritten() {
    var linked = parsed(TASKS).withPredecessors(Map.of("extract", "s-1", "other", "s-2"));

    assertThat(spec(linked).admission().after())
        .extracting(Predecessor::uid)
        .containsExactly(Optional.of(UserCommand.SubmitJob.uid("s-1")));
    assertThat(parsed(TASKS).withPredecessors(Map.of("other", "s-2")).json())
        .isEqualTo(parsed(TASKS).json());
  }

  @Test
  void onlyOneSourceIsAllowed() {
    assertThatThrownBy(() -> parsed(JOB + "tasks: {inputsOf: extract, count: 3}\n"))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("has inputsOf and count; keep one of them");
  }

  @Test
  void outputMustDifferByTask() {
    assertThatThrownBy(() -> parsed(TASKS.replace("{stem}", "all")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("{index}")
        .hasMessageContaining("inputsOf: {job: extract, gather: true}");
  }
}

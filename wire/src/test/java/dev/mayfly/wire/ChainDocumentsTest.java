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
        .hasMessageContaining("{index}");
  }
}

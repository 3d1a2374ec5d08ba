package dev.mayfly.wire.items;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.Wire;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** Files of items and limits of logs, as a job's document names them. */
class ItemsFileDocumentTest {
  private static final String JOB =
      """
      apiVersion: mayfly.dev/v1
      kind: Job
      name: a
      cluster: lab
      tasks: {count: 3}
      command: [ls]
      """;

  @Test
  void aFileOfItemsIsReadByTheClient() {
    var file = JOB.replace("{count: 3}", "{items: {file: '{set}.csv'}}");
    var text = file.replace("[ls]", "[echo, '{model}', '{set}']") + "variables: {set: a}\n";
    var job = UserDocuments.parse(text.getBytes(UTF_8), "", Map.of()).getFirst();

    assertThat(((UserCommand.SubmitJob) job.command()).spec().tasks())
        .isEqualTo(new TaskSource.ItemsFile("a.csv", List.of()));
    assertThatThrownBy(() -> Wire.codec().commands(job.bytes()))
        .hasMessageContaining(
            "tasks.items.file: 'a.csv' is a file that the submitter's client reads");

    var ready = job.withItems("gs://lab/ab.jsonl", List.of("model", "lr"));
    assertThat(Wire.codec().commands(ready.bytes())).containsExactly(ready.command());
    assertThatThrownBy(() -> job.withItems("gs://lab/ab.jsonl", List.of("lr")))
        .hasMessageContaining("{model} has no value");
    assertThatThrownBy(() -> job.withItems("gs://lab/ab.jsonl", List.of("model", "index")))
        .hasMessageContaining("items.names.index: is what each task has by itself");
  }

  @Test
  void aLogHasALimitBetweenTwo() {
    assertThat(job(JOB + "logLimit: 1Gi\n").run().taskEnvironment().logLimit()).contains(1L << 30);
    assertThat(job(JOB).run().taskEnvironment().logLimit()).isEmpty();
    for (var wrong : List.of("1k", "1Ti", "0Gi"))
      assertThatThrownBy(() -> job(JOB + "logLimit: " + wrong + "\n"))
          .hasMessageContaining("logLimit: is not between 64Ki and 10Gi");
  }

  @Test
  void aFailureIsKeptForADayAtMost() {
    assertThat(job(JOB + "keepFailed: 30m\n").run().taskEnvironment().keepFailed())
        .contains(Duration.ofMinutes(30));
    assertThat(job(JOB).run().taskEnvironment().keepFailed()).isEmpty();
    for (var wrong : List.of("30s", "25h"))
      assertThatThrownBy(() -> job(JOB + "keepFailed: " + wrong + "\n"))
          .hasMessageContaining("keepFailed: ");
  }

  private static JobSpec job(String text) {
    var document = UserDocuments.parse(text.getBytes(UTF_8), "", Map.of()).getFirst();
    return ((UserCommand.SubmitJob) document.command()).spec();
  }
}

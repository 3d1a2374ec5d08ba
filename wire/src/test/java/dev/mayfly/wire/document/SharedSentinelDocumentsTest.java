package dev.mayfly.wire.document;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.UserDocuments;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Which jobs may have one sentinel object for many tasks. */
final class SharedSentinelDocumentsTest {
  private static JobSpec job(String tasks, String more) {
    var text =
        """
        apiVersion: mayfly.dev/v1
        kind: Job
        name: j
        cluster: lab
        tasks: {%s}
        command: [x, "{output}"]
        %s
        """
            .formatted(tasks, more);
    var command =
        UserDocuments.parse(text.getBytes(StandardCharsets.UTF_8), "", Map.of())
            .getFirst()
            .command();
    return ((UserCommand.SubmitJob) command).spec();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "count: 2",
        "count: 2, sentinels: each",
        "count: 2, sentinels: each, output: 'gs://lab/out/{index}'",
      })
  void eachIsTheDefault(String tasks) {
    assertThat(job(tasks, "").data().sealedTogether()).isFalse();
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "count: 2, sentinels: together",
        "count: 2, sentinels: together, outputs: none",
        "count: 2, sentinels: together, output: 'gs://lab/out/{job}/{index}.json'",
      })
  void ownOutputsMayBeTogether(String tasks) {
    var data = job(tasks, "").data();

    assertThat(data.sealedTogether()).isTrue();
    assertThat(job(tasks, "").withOutput(data.output()).data()).isEqualTo(data);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {
        "output: 'gs://lab/out/{index}' | | without {job} in output",
        "outputs: written               | | outputs: written",
        "downloaded: false              | 'exclusive: true' | exclusive jobs",
        "downloaded: false              | 'gang: 2'         | gangs",
      })
  void whatOthersMayLookForIsRefused(String tasks, String more, String reason) {
    assertThatThrownBy(
            () -> job("count: 2, sentinels: together, " + tasks, more == null ? "" : more))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("tasks.sentinels")
        .hasMessageContaining("together is not")
        .hasMessageContaining(reason);
  }

  @Test
  void unknownWordIsRefused() {
    assertThatThrownBy(() -> job("count: 2, sentinels: shard", ""))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("each")
        .hasMessageContaining("together");
  }
}

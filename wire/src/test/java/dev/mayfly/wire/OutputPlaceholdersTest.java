package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** The words that an output may have beside those of a command. */
class OutputPlaceholdersTest {
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
  void outputHasOwnerNameDateAndJob() {
    var template = "gs://lab/{owner}/{date}/{name}/{job}/{index}";
    var document =
        JOB.replace("{count: 3}", "{count: 3, output: '" + template + "'}") + "owner: ann\n";
    var published = parse(document, Map.of()).getFirst().json();
    var at = Instant.parse("2026-01-31T23:00:00Z");

    assertThat(job(document).data().output()).hasValue(template);
    var stored = TaskTemplate.fillSubmission(job(published), at);
    assertThat(
            TaskTemplate.outputUrl(
                stored, "gs://lab", "u1", new TaskItem(2, Optional.empty(), Map.of())))
        .isEqualTo("gs://lab/ann/2026-01-31/a/u1/2");
  }

  @Test
  void variableNamedLikeOutputWordWins() {
    var document =
        JOB.replace("{count: 3}", "{count: 3, output: 'gs://lab/{date}/{index}'}")
            + "variables: {date: monday}\n";

    assertThat(job(document).data().output()).hasValue("gs://lab/monday/{index}");
  }

  private static JobSpec job(String text) {
    return ((UserCommand.SubmitJob) Wire.codec().commands(text.getBytes(UTF_8)).getFirst()).spec();
  }

  private static List<ParsedDocument> parse(String text, Map<String, String> variables) {
    return UserDocuments.parse(text.getBytes(UTF_8), "job.yaml", variables);
  }
}

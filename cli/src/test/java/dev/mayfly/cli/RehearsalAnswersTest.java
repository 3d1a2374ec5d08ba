package dev.mayfly.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.wire.FieldChange;
import dev.mayfly.wire.UserDocuments;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;

/**
 * What commands are trained with still fits them. Training itself would only warn: a command that
 * fails in it starts slower.
 */
class RehearsalAnswersTest {
  private static final Path SOURCES = Path.of("src/bundle");

  @Test
  void answersAreViewsOfThisVersion() throws IOException {
    read(WorkerStatus.class, "worker");
    read(JobExplanation.class, "explanation");
    read(EventRecord.class, "event");
    read(ClusterCost.class, "cost");
    assertThat(read(JobStatus.class, "job").state()).isEqualTo("succeeded");
  }

  /** Otherwise {@code up} would wait for a minute. */
  @Test
  void clusterOfAnswersIsThatOfFile() throws IOException {
    var file = Files.readAllBytes(SOURCES.resolve("project/cluster.yaml"));
    var document = UserDocuments.parse(file, "", Map.of()).getFirst();
    var spec = ((UserCommand.ApplyCluster) document.command()).spec();

    assertThat(FieldChange.between(read(ClusterStatus.class, "cluster").spec(), spec)).isEmpty();
  }

  @Test
  void trainedCommandsExist() throws IOException {
    for (var kind : new String[] {"reading", "working"})
      assertThat(Files.readAllLines(SOURCES.resolve("commands").resolve(kind)))
          .extracting(line -> line.split(" ")[0])
          .filteredOn(word -> !word.equals("no-such-command"))
          .isNotEmpty()
          .allMatch(Commands.names()::contains);
  }

  private static <T> T read(Class<T> type, String name) throws IOException {
    var file = SOURCES.resolve("answers").resolve(name + ".json");
    return Wire.shared().read(type, Files.readAllBytes(file));
  }
}

package dev.mayfly.cli.flow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Places;
import dev.mayfly.gcs.ObjectStores;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class JobLogsTest {
  @TempDir Path temp;
  private final Objects objects = ObjectStores.of(Map.of());
  private final List<String> lines = new ArrayList<>();

  @Test
  void piecesAreReadInOrderAndOnce() {
    write(1, "2", 0, "second try\n");
    write(1, "1", 1, "tle\nlast");
    write(1, "1", 0, "first lit");
    write(10, "1", 0, "ten\n");
    var logs = new JobLogs(objects, bucket(), "j1", OptionalLong.empty());

    assertThat(logs.news(this::add)).isEqualTo(4);
    assertThat(lines).containsExactly("1/1 first little", "1/2 second try", "10/1 ten");
    assertThat(logs.news(this::add)).isZero();

    write(10, "1", 1, "more\n");
    assertThat(logs.news(this::add)).isEqualTo(1);
    logs.rest(this::add);
    assertThat(lines).endsWith("10/1 more", "1/1 last");
  }

  @Test
  void oneTasksLogIsNotThatOfItsNeighbours() {
    write(1, "1", 0, "one\n");
    write(10, "1", 0, "ten\n");

    new JobLogs(objects, bucket(), "j1", OptionalLong.of(1)).news(this::add);

    assertThat(lines).containsExactly("1/1 one");
  }

  private void add(JobLogs.Line line) {
    lines.add(line.task() + "/" + line.attempt() + " " + line.text());
  }

  private String bucket() {
    return "file://" + temp.resolve("bucket");
  }

  private void write(long task, String attempt, int piece, String text) {
    var place = Places.of(bucket()).log("j1", task, attempt, piece);
    objects.create(place, Objects.Content.of(text.getBytes(UTF_8)), Map.of());
  }
}

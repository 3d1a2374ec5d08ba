package dev.mayfly.cli.page;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import dev.mayfly.cli.ViewFixtures;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Which jobs the file of a job tells of. */
class JobNeighboursTest {
  private final Map<String, JobStatus> older = new HashMap<>();
  private final List<String> asked = new ArrayList<>();

  @Test
  void jobsOfAnyStepsAreFoundAndNoOthers() {
    var me = job("me", "a");
    var listed = List.of(job("c", "b"), job("b", "me"), me, job("a", "z"), job("other"), job("z"));

    assertThat(neighbours(me, listed)).containsExactly("c", "b", "a", "z");
    assertThat(asked).isEmpty();
  }

  @Test
  void circleEnds() {
    var me = job("me", "a");

    assertThat(neighbours(me, List.of(me, job("a", "me")))).containsExactly("a");
  }

  @Test
  void olderJobsAreReadOnceAndMayBeGone() {
    older.put("a", job("a", "lost", "b"));
    older.put("b", job("b", "a"));

    var found = read(job("me", "a", "b"), List.of());

    assertThat(found)
        .extracting(ExportedJob.Neighbour::uid, it -> it.state().isPresent())
        .containsExactly(tuple("a", true), tuple("b", true), tuple("lost", false));
    assertThat(asked).containsExactly("a", "b", "lost");
  }

  @Test
  void soManyAreReadAndNoMore() {
    var before = Stream.iterate(0, it -> it + 1).limit(30).map(it -> "p" + it).toList();
    before.forEach(uid -> older.put(uid, job(uid)));

    assertThat(neighbours(job("me", before.toArray(String[]::new)), List.of()))
        .hasSize(JobNeighbours.MOST_OLDER);
    assertThat(asked).hasSize(JobNeighbours.MOST_OLDER);
  }

  private List<String> neighbours(JobStatus job, List<JobStatus> listed) {
    return read(job, listed).stream().map(ExportedJob.Neighbour::uid).toList();
  }

  private List<ExportedJob.Neighbour> read(JobStatus job, List<JobStatus> listed) {
    return JobNeighbours.of(
        job,
        listed,
        uid -> {
          asked.add(uid);
          return Optional.ofNullable(older.get(uid));
        });
  }

  private static JobStatus job(String uid, String... after) {
    var predecessors =
        Stream.of(after)
            .map(it -> "{\"job\":\"%1$s\",\"uid\":\"%1$s\",\"on\":\"success\"}".formatted(it))
            .collect(Collectors.joining(","));
    var plain = ViewFixtures.job(ViewFixtures.jobSpec()).uid(uid).view();
    var json = new String(Wire.shared().json(plain), UTF_8);
    var waiting = json.replace("\"after\":[]", "\"after\":[" + predecessors + "]");
    return Wire.shared().read(JobStatus.class, waiting.getBytes(UTF_8));
  }
}

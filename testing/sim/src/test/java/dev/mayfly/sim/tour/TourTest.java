package dev.mayfly.sim.tour;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.query.cost.CostBy;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/**
 * What the control plane answers about jobs that wait or fail, a file for each situation: {@code
 * docs/tour.md} is printed from them, and the page of {@code mayfly ui} is opened on them. After a
 * deliberate change of words run it with {@code -Dtest.jvm=-Dgolden=write}, then {@code
 * TourPageTest} of {@code cli} with {@code -Dmayfly.docs=write}, and read the page.
 */
class TourTest {
  private static final Path FOLDER = Path.of("src/test/resources/dev/mayfly/sim/tour");
  private static final String LAB = "lab";

  @Test
  void answersAreThoseOfTheFiles() throws IOException {
    var files = new ArrayList<String>();
    var number = 0;
    for (var scene : Scene.all()) {
      var file = FOLDER.resolve("%02d-%s.txt".formatted(++number, scene.name()));
      files.add(file.getFileName().toString());
      var text = text(scene);
      if ("write".equals(System.getProperty("golden"))) {
        Files.createDirectories(FOLDER);
        Files.writeString(file, text, UTF_8);
      }
      assertThat(text).as(file.toString()).isEqualTo(Files.readString(file));
    }
    try (var there = Files.list(FOLDER)) {
      assertThat(there.map(it -> it.getFileName().toString()))
          .as("files of no scene are deleted by hand")
          .containsExactlyInAnyOrderElementsOf(files);
    }
  }

  /** Facts about the scene, then paths of the read API, each with its answer in the line below. */
  private static String text(Scene scene) {
    var lines = new ArrayList<String>();
    var queries = scene.world().queries();
    var job = queries.job(LAB, Scene.JOB);
    lines.add("part: " + scene.part());
    lines.add("title: " + scene.title());
    lines.add("evidence: " + scene.evidence());
    lines.add("remedy: " + scene.remedy());
    lines.add("now: " + scene.world().now());
    lines.add("uid: " + job.uid());
    answer(lines, "clusters", queries.clusters());
    answer(lines, "clusters/lab", queries.cluster(LAB));
    answer(lines, "clusters/lab/workers", queries.workers(LAB, false));
    answer(lines, "clusters/lab/jobs", queries.jobs(LAB, 50));
    answer(lines, "clusters/lab/jobs/train", job);
    answer(lines, "clusters/lab/jobs/train/explain", queries.explain(LAB, Scene.JOB));
    answer(lines, "clusters/lab/jobs/train/estimate", queries.estimate(LAB, Scene.JOB));
    job.failures().stream()
        .map(AttemptFailure::index)
        .distinct()
        .forEach(index ->
            answer(
                lines,
                "clusters/lab/jobs/train/tasks/" + index,
                queries.task(LAB, Scene.JOB, index)));
    var cost = queries.cost(LAB, CostBy.DAY, Optional.empty(), Optional.of(Scene.JOB));
    answer(lines, "clusters/lab/cost", cost);
    return String.join("\n", lines) + "\n";
  }

  private static void answer(List<String> lines, String path, Object view) {
    lines.add("/v1/" + path);
    lines.add(new String(Wire.shared().json(view), UTF_8));
  }
}

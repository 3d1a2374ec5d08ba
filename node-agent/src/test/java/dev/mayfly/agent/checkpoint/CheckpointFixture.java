package dev.mayfly.agent.checkpoint;

import dev.mayfly.agent.FakeObjects;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.TaskFolder;
import dev.mayfly.agent.files.WorkDir;
import dev.mayfly.core.model.CheckpointManifest;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A task's folder and its place in a bucket, with a clock that tests move. */
abstract class CheckpointFixture {
  static final String PLACE = "gs://lab/ck/7/";
  private static final Instant START = Instant.parse("2026-01-31T10:00:00Z");

  @TempDir Path root;
  final FakeObjects objects = new FakeObjects();
  private WorkDir workDir;
  AttemptDir dir;
  CheckpointSync sync;
  Duration passed = Duration.ofHours(1);

  /** The job whose attempts begin. */
  String job = "j1";

  CheckpointMaker maker = CheckpointMaker.UNKNOWN;

  /** What the task's log has of Mayfly. */
  final List<String> said = new ArrayList<>();

  @BeforeEach
  void open() throws IOException {
    workDir = WorkDir.open(root);
    begin("s0e1");
  }

  @AfterEach
  void close() throws IOException {
    workDir.close();
  }

  /** An attempt on a machine that has nothing yet. */
  Optional<CheckpointManifest> begin(String attempt) throws IOException {
    dir = workDir.attempt();
    var store = new CheckpointStore(objects, ObjectUrl.of(PLACE));
    var restored = store.restore(dir.checkpoint());
    sync =
        new CheckpointSync(
            store,
            new TaskFolder(dir::checkpoints),
            new CheckpointSync.Attempt(job, attempt, maker),
            restored,
            said::add,
            () -> passed.toNanos());
    return restored.map(CheckpointStore.Restored::manifest);
  }

  void write(String path, String text) throws IOException {
    var file = dir.checkpoint().resolve(path);
    Files.createDirectories(file.getParent());
    Files.writeString(file, text);
    Files.setLastModifiedTime(file, FileTime.from(START.plus(passed)));
  }

  void seconds(int count) {
    for (var i = 0; i < count; i++) {
      passed = passed.plusSeconds(1);
      sync.tick();
    }
  }

  List<String> manifests() {
    return objects.urls().stream().filter(url -> url.contains("/manifests/")).toList();
  }
}

package dev.mayfly.agent.checkpoint;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

/** A task's folder and the bucket, second by second. */
final class CheckpointSyncTest extends CheckpointFixture {
  @Test
  void quietFolderIsStoredAndRestored() throws Exception {
    write("model/w.bin", "weights");
    write("step", "3");
    seconds(5);
    assertThat(objects.urls()).as("not quiet long enough").isEmpty();
    seconds(2);
    assertThat(manifests()).hasSize(1);

    var restored = begin("s0e2");

    assertThat(restored).isPresent();
    assertThat(dir.checkpoint().resolve("model/w.bin")).hasContent("weights");
    assertThat(dir.checkpoint().resolve("step")).hasContent("3");
    seconds(20);
    assertThat(manifests()).as("what was restored is not stored again").hasSize(1);
  }

  @Test
  void changingFolderIsStoredWhenItIsQuiet() throws Exception {
    for (var step = 0; step < 10; step++) {
      write("step", "step " + step);
      seconds(3);
    }
    assertThat(objects.urls()).isEmpty();

    seconds(6);
    assertThat(manifests()).hasSize(1);
  }

  @Test
  void markerStoresAtOnceAndOnly() throws Exception {
    write("w", "1");
    write(".complete", "");
    seconds(1);
    assertThat(manifests()).hasSize(1);

    write("w", "22");
    seconds(60);
    assertThat(manifests()).as("the task has not said that it is complete").hasSize(1);
    write(".complete", "");
    seconds(1);
    assertThat(manifests()).hasSize(2);
  }

  @Test
  void halfUploadIsNeverRead() throws Exception {
    write("a", "1");
    write("b", "1");
    seconds(7);
    write("a", "22");
    write("b", "22");
    passed = passed.plusSeconds(1);
    sync.tick();
    passed = passed.plusSeconds(5);
    // The listing of manifests and the first file succeed.
    objects.failAfter(2);
    sync.tick();
    assertThat(manifests()).hasSize(1);

    begin("s0e2");

    assertThat(dir.checkpoint().resolve("a")).hasContent("1");
    assertThat(dir.checkpoint().resolve("b")).hasContent("1");
  }

  @Test
  void failedUploadIsRepeatedAfterPause() throws Exception {
    write("a", "1");
    seconds(5);
    objects.failNext(1);
    seconds(1);
    assertThat(objects.urls()).isEmpty();
    seconds(14);
    assertThat(objects.urls()).isEmpty();

    seconds(2);
    assertThat(manifests()).hasSize(1);
  }

  @Test
  void twoCheckpointsAreKept() throws Exception {
    write("fixed", "never changes");
    for (var step = 1; step <= 5; step++) {
      write("step", "x".repeat(step));
      seconds(7);
    }

    assertThat(manifests()).hasSize(2);
    assertThat(objects.urls().stream().filter(url -> url.endsWith("/step"))).hasSize(2);
    assertThat(objects.urls().stream().filter(url -> url.endsWith("/fixed")))
        .containsExactly(PLACE + "files/000000000001-s0e1/fixed");
    begin("s0e2");
    assertThat(dir.checkpoint().resolve("step")).hasContent("xxxxx");
    assertThat(dir.checkpoint().resolve("fixed")).hasContent("never changes");
  }

  @Test
  void damagedCheckpointFallsBackToOneBefore() throws Exception {
    write("step", "1");
    seconds(7);
    write("step", "22");
    seconds(7);
    var newest =
        objects.urls().stream()
            .filter(url -> url.endsWith("2-s0e1/step"))
            .findFirst()
            .orElseThrow();
    objects.put(newest, "replaced by somebody");

    var restored = begin("s0e2");

    assertThat(restored.orElseThrow().number()).isEqualTo(1);
    assertThat(dir.checkpoint().resolve("step")).hasContent("1");
  }

  @Test
  void leftoversOfDeadAttemptsGo() throws Exception {
    objects.put(PLACE + "files/000000000001-s9e9/half", "left by a dead attempt");
    objects.put(PLACE + "files/000000000099-s9e9/half", "in progress elsewhere");
    objects.put(PLACE + "files/readme", "somebody's");
    for (var step = 1; step <= 3; step++) {
      write("step", "x".repeat(step));
      seconds(7);
    }

    assertThat(objects.urls())
        .doesNotContain(PLACE + "files/000000000001-s9e9/half")
        .contains(PLACE + "files/000000000099-s9e9/half", PLACE + "files/readme");
  }

  @Test
  void endStoresWhatIsThere() throws Exception {
    write("step", "last");

    sync.finish();

    assertThat(manifests()).hasSize(1);
    sync.finish();
    assertThat(manifests()).hasSize(1);
  }

  @Test
  void emptyFolderIsNoCheckpoint() {
    seconds(20);
    sync.finish();

    assertThat(objects.urls()).isEmpty();
  }

  @Test
  void foreignManifestIsIgnored() throws Exception {
    objects.put(PLACE + "manifests/000000000009-x.json", "{}");
    objects.put(
        PLACE + "manifests/000000000010-x.json",
        """
        {"number": 10, "job": "j", "attempt": "x",
         "files": [{"path": "../../escaped", "object": "files/a", "generation": 1, "size": 1,
         "crc32c": "", "modified": "2026-01-31T10:00:00Z"}]}
        """);
    objects.put(PLACE + "files/a", "x");

    assertThat(begin("s0e2")).isEmpty();
    assertThat(root.resolve("attempts/escaped")).doesNotExist();
  }
}

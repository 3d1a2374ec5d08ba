package dev.mayfly.agent.files;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.loop.DiskProblem;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Path;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

class DiskHealthTest {
  private long free = 1L << 40;
  private final DiskHealth diskHealth =
      new DiskHealth(Path.of("/work"), () -> free, () -> 1L << 41);

  @Test
  void littleRoomIsAProblemAndNotTheEnd() {
    free = 100L << 20;

    assertThat(diskHealth.problem())
        .contains(new DiskProblem.Full("disk full: 100 MiB free under /work"));
    assertThat(diskHealth.exhausted()).isEmpty();
  }

  @Test
  void watchTellsOfEachLookAtFullDisk() {
    var seen = new ArrayList<DiskProblem>();
    var watch = new DiskWatch(diskHealth, seen::add);
    watch.look();
    free = 4_096;
    watch.look();
    watch.look();

    assertThat(seen)
        .hasSize(2)
        .containsOnly(new DiskProblem.Full("disk full: 0 MiB free under /work"));
  }

  @Test
  void diskThatCannotBeReadIsBrokenNotFull() {
    var broken =
        new DiskHealth(
            Path.of("/work"),
            () -> {
              throw new IOException("/work: Input/output error");
            },
            () -> 1L << 41);

    assertThat(broken.exhausted())
        .contains(new DiskProblem.Broken("disk broken: /work: Input/output error"));
  }

  @Test
  void failedWriteTellsOfFullDiskAndQuota() {
    assertThat(DiskHealth.isFull(new FileSystemException("f", null, "No space left on device")))
        .isTrue();
    assertThat(DiskHealth.isFull(new IOException("x", new IOException("Disk quota exceeded"))))
        .isTrue();
    assertThat(DiskHealth.isFull(new IOException("Connection reset"))).isFalse();
  }
}

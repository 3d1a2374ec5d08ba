package dev.mayfly.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.Mount;
import dev.mayfly.core.model.sync.MountUse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class MountUseWatchTest {
  @TempDir Path folder;
  private final List<MountUse> measured = new ArrayList<>();
  private Path table;

  @BeforeEach
  void empty() throws IOException {
    table = Files.writeString(folder.resolve("mounts"), "proc /proc proc rw 0 0\n");
  }

  private boolean measure(Mount... mounts) {
    return new MountUseWatch(List.of(mounts), measured::addAll, table).measure();
  }

  private Mount nfs() {
    return new Mount(Mount.Kind.NFS, "h:/a", folder.toString(), false, Optional.of("a"));
  }

  @Test
  void unmountedVolumeIsNotMeasured() {
    assertThat(measure(nfs())).isFalse();
    assertThat(measured).isEmpty();
  }

  @Test
  void mountedVolumeHasUsedAndTotal() throws IOException {
    Files.writeString(table, "h:/a " + folder + " nfs4 rw 0 0\n");

    measure(nfs());

    assertThat(measured)
        .singleElement()
        .satisfies(use -> {
          assertThat(use.label()).isEqualTo("a");
          assertThat(use.totalBytes()).isGreaterThan(use.usedBytes()).isPositive();
          assertThat(use.percent()).isBetween(0, 100);
        });
  }

  @Test
  void playedFolderIsMeasuredOnceItIsThere() {
    var played = nfs().playedBy(folder.resolve("missing").toString());
    measure(played);
    assertThat(measured).isEmpty();

    assertThat(measure(nfs().playedBy(folder.toString()))).isTrue();

    assertThat(measured).hasSize(1);
  }

  @Test
  void bucketIsNeverFull() throws IOException {
    Files.writeString(table, "lab " + folder + " fuse rw 0 0\n");
    var bucket = new Mount(Mount.Kind.GCS, "lab", folder.toString(), false);

    assertThat(new MountUseWatch(List.of(bucket), measured::addAll, table).isEmpty()).isTrue();
  }
}

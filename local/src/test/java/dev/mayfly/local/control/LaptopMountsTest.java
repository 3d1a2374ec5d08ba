package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What machines of a laptop cannot mount is refused before any is bought. */
class LaptopMountsTest {
  private static final String OF_A_BUCKET =
      "storage: [{name: data, bucket: lab-data, path: /mnt/data}]";

  @TempDir Path folder;

  @BeforeEach
  void noMounts() throws IOException {
    Files.createFile(folder.resolve("mounts"));
  }

  @Test
  void bucketWithoutGcsfuseIsRefused() throws IOException {
    assertThat(why(OF_A_BUCKET, "spot"))
        .hasValueSatisfying(why ->
            assertThat(why)
                .contains("this laptop cannot mount bucket lab-data", "gcsfuse", "inputs"));

    program("gcsfuse");
    assertThat(why(OF_A_BUCKET, "spot")).isEmpty();
  }

  @Test
  void bucketWithoutNameIsMountedByPerson() throws IOException {
    var bucket = "mounts: [{bucket: lab-data, path: /mnt/b}]";
    program("gcsfuse");

    assertThat(why(bucket, "spot"))
        .hasValueSatisfying(why -> assertThat(why).contains("name lab-data in storage"));
    Files.writeString(folder.resolve("mounts"), "lab-data /mnt/b fuse.gcsfuse rw 0 0\n");
    assertThat(why(bucket, "spot")).isEmpty();
  }

  @Test
  void volumeWithoutNameIsMountedOrRefused() throws IOException {
    var volume = "mounts: [{nfs: 'server:/v', path: /mnt/v}]";

    assertThat(why(volume, "spot"))
        .hasValueSatisfying(why -> assertThat(why).contains("NFS server:/v", "name it in storage"));
    Files.writeString(folder.resolve("mounts"), "server:/v /mnt/v nfs4 rw 0 0\n");
    assertThat(why(volume, "spot")).isEmpty();
  }

  @Test
  void folderPlaysNamedVolumesAndPeopleMountTheirOwn() {
    assertThat(why("storage: [{name: v, nfs: 'server:/v', path: /mnt/v}]", "spot")).isEmpty();
    assertThat(why("storage: [{name: v, filestore: {}, path: /mnt/v}]", "spot")).isEmpty();
    assertThat(why(OF_A_BUCKET, "static")).isEmpty();
  }

  private void program(String name) throws IOException {
    assertThat(Files.createFile(folder.resolve(name)).toFile().setExecutable(true)).isTrue();
  }

  private Optional<String> why(String mounts, String provisioning) {
    var document =
        """
        apiVersion: mayfly.dev/v1
        kind: Cluster
        name: lab
        bucket: gs://lab
        pools:
          - {name: p, machine: {type: n2-standard-4}, zones: [us-central1-a], provisioning: %s, workers: {max: 1}}
        %s
        """
            .formatted(provisioning, mounts);
    var parsed = UserDocuments.parse(document.getBytes(UTF_8), "", Map.of()).getFirst();
    var spec = ((UserCommand.ApplyCluster) parsed.command()).spec();
    return new LaptopMounts(List.of(folder), folder.resolve("mounts"))
        .whyUnmounted(spec, spec.pools().getFirst());
  }
}

package dev.mayfly.local.machines.tpu;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.cloud.tpu.v2.Node;
import dev.mayfly.local.machines.StoredRecords;
import dev.mayfly.local.machines.VmHandle;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A later version of the laptop cloud finds the nodes of an earlier one. */
class StoredTpuNodeTest {
  @TempDir Path folder;

  @Test
  void nodeIsReadAndWritten() throws IOException {
    Files.writeString(
        folder.resolve("7.json"),
        """
        {"bootAt":"2026-11-01T00:00:00.300Z","network":4,"node":{"id":"7","state":"READY"},
         "traces":[{"pid":1,"startTicks":2,"metadataPort":3}]}\
        """);
    var node = Node.newBuilder().setId(7).setState(Node.State.READY).build();
    var bootAt = Instant.parse("2026-11-01T00:00:00.300Z");
    var expected = new TpuNode(node, 4, Optional.empty(), bootAt, List.of(new VmHandle(1, 2, 3)));

    var files = StoredRecords.of(folder, TpuNode.class, Node.getDefaultInstance(), TpuNode::id);

    assertThat(files.find("7")).contains(expected);
    assertThat(files.put(expected)).isEqualTo(expected);
    assertThat(
            StoredRecords.of(folder, TpuNode.class, Node.getDefaultInstance(), TpuNode::id)
                .list(any -> true))
        .containsExactly(expected);
  }
}

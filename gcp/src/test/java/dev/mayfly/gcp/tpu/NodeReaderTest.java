package dev.mayfly.gcp.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.tpu.v2.Node;
import com.google.protobuf.Timestamp;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import org.junit.jupiter.api.Test;

class NodeReaderTest {
  private static final String NAME = "projects/p/locations/z/nodes/n";

  @Test
  void readsNodeNameAndTime() {
    var node = Node.newBuilder().setName(NAME).setCreateTime(at(7)).build();

    assertThat(NodeReader.machine(node).name())
        .isEqualTo(new CloudMachine.Name(CloudMachine.Kind.TPU, "z", "n"));
  }

  @Test
  void unreadableNodeIsNotMissing() {
    var nameless = Node.newBuilder().setName("n").build();
    var ageless = Node.newBuilder().setName(NAME).setCreateTime(at(Long.MAX_VALUE)).build();

    assertThatThrownBy(() -> NodeReader.machine(nameless))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("'n' exists");
    assertThatThrownBy(() -> NodeReader.machine(ageless))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining(NAME);
  }

  private static Timestamp at(long second) {
    return Timestamp.newBuilder().setSeconds(second).build();
  }
}

package dev.mayfly.gcp.tpu;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.tpu.v2.Node;
import com.google.protobuf.Timestamp;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet;
import java.lang.reflect.Proxy;
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

  @Test
  void failingServiceHidesOnlyItsMachines() {
    var sick = fleet(new IllegalStateException("no such field"));

    var all = new CombinedFleet(sick, sick).list();

    assertThat(all.complete()).isFalse();
    assertThat(all.warnings()).hasSize(2).allMatch(w -> w.contains("no such field"));
  }

  private static Fleet fleet(RuntimeException thrown) {
    return (Fleet)
        Proxy.newProxyInstance(
            Fleet.class.getClassLoader(),
            new Class<?>[] {Fleet.class},
            (_, _, _) -> {
              throw thrown;
            });
  }

  private static Timestamp at(long second) {
    return Timestamp.newBuilder().setSeconds(second).build();
  }
}

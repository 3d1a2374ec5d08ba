package dev.mayfly.gcp.compute;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.Descriptors.FieldDescriptor;
import com.google.protobuf.Message;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.core.port.Fleet.Order;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;

/**
 * What an order of a machine leaves to Compute Engine is written down, with the reason why its
 * default is wanted. A new field of the API is such a choice too.
 */
class OrderDefaultsTest {
  private static final Path LEFT =
      Path.of("src", "test", "resources", "dev/mayfly/gcp/compute/left-to-compute-engine.txt");

  @Test
  void whatIsLeftToComputeEngineHasAReason() throws IOException {
    var left = new TreeSet<String>();
    collect(InstanceBuilder.build(order(), settings()), left);

    assertThat(left).containsExactlyInAnyOrderElementsOf(reasons().keySet());
    assertThat(reasons().values()).noneMatch(String::isBlank);
  }

  private static void collect(Message message, TreeSet<String> left) {
    var type = message.getDescriptorForType();
    for (var field : type.getFields()) {
      if (values(message, field).isEmpty()) left.add(type.getName() + "." + field.getName());
      else if (field.getJavaType() == FieldDescriptor.JavaType.MESSAGE && !field.isMapField())
        for (var value : values(message, field)) collect((Message) value, left);
    }
  }

  /** None where the field is not sent. */
  private static List<?> values(Message message, FieldDescriptor field) {
    if (field.isRepeated()) return (List<?>) message.getField(field);
    return message.hasField(field) ? List.of(message.getField(field)) : List.of();
  }

  /** By field; a reason stands above the fields that share it. */
  private static Map<String, String> reasons() throws IOException {
    var reasons = new HashMap<String, String>();
    var reason = "";
    for (var line : Files.readAllLines(LEFT)) {
      if (line.startsWith("# ")) reason = line.substring(2);
      else reasons.put(line, reason);
    }
    return reasons;
  }

  private static ComputeSettings settings() {
    var plain = ComputeSettings.of("lab");
    return new ComputeSettings(
        "lab",
        plain.standIn(),
        plain.image(),
        plain.diskGb(),
        plain.network(),
        Optional.of("mayfly"),
        Optional.of("mayfly-agent@lab.iam.gserviceaccount.com"),
        Map.of());
  }

  private static Order order() {
    var pool =
        new PoolSpec(
            "cpu",
            "e2-standard-2",
            Resources.cpu(2, 8L << 30),
            List.of("us-central1-a"),
            Provisioning.ON_DEMAND,
            0,
            1,
            Duration.ofMinutes(10),
            Duration.ofHours(1),
            MachineSpec.PLAIN);
    return new Order(
        new CloudMachine.Name("us-central1-a", "w-1"),
        pool,
        Map.of(CloudMachine.CLUSTER, "c1"),
        Map.of("mayfly-worker", "w-1"),
        "id");
  }
}

package dev.mayfly.local.machines;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.cloud.compute.v1.Instance;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StoredValuesTest {
  record Machine(Instance instance, String zone) {}

  @TempDir Path folder;

  @Test
  void damagedFileIsNamedWithItsRemedy() throws IOException {
    records().put(new Machine(Instance.newBuilder().setName("a").build(), "z"));
    var damaged = Files.writeString(folder.resolve("zzz.json"), "garbage");

    assertThatThrownBy(this::records)
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(damaged + " is damaged")
        .hasMessageContaining("move it away");

    Files.delete(damaged);
    assertThat(records().find("a")).isPresent();
  }

  @Test
  void damagedMessageIsNamedToo() throws IOException {
    var damaged = Files.writeString(folder.resolve("zzz.json"), "garbage");

    assertThatThrownBy(
            () -> StoredValues.binary(folder, Instance.getDefaultInstance(), Instance::getName))
        .isInstanceOf(IllegalArgumentException.class)
        .hasMessageContaining(damaged.toString());
  }

  private StoredValues<Machine> records() {
    return StoredRecords.of(
        folder, Machine.class, Instance.getDefaultInstance(), m -> m.instance().getName());
  }
}

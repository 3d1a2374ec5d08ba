package dev.mayfly.wire;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.document.WorkerHost;
import dev.mayfly.core.model.sync.MachineProblem;
import dev.mayfly.core.model.sync.MachineProblem.Kind;
import dev.mayfly.core.model.sync.SyncReport;
import java.io.IOException;
import java.nio.file.Files;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/** What agents and ledgers of the version before wrote is read. */
class EarlierFormsTest {
  private static final JsonMapper JSON = JsonMapper.shared();
  private final Wire wire = Wire.shared();

  private static byte[] earlier(Class<?> type, String problem) throws IOException {
    for (var each : GoldenSample.values())
      if (each.type() == type) {
        var sample = (ObjectNode) JSON.readTree(Files.readAllBytes(each.sample()));
        sample.remove("machineProblem");
        return sample.put("problem", problem).toString().getBytes(UTF_8);
      }
    throw new IllegalArgumentException("no sample of " + type);
  }

  @ParameterizedTest
  @CsvSource({
    "preparing: image, PREPARING, image",
    "unfit: mount /data: port 2049, UNFIT, mount /data: port 2049",
    "not enforced: limits, UNLIMITED, limits",
    "degraded: 1 GPU of 2, DEGRADED, 1 GPU of 2",
    "disk full: 0 MiB free, OTHER, disk full: 0 MiB free"
  })
  void problemThatBeganWithItsKindIsRead(String text, Kind kind, String what) throws IOException {
    var problem = Optional.of(new MachineProblem(kind, what));

    assertThat(wire.report(earlier(SyncReport.class, text)).machineProblem()).isEqualTo(problem);
    assertThat(wire.document(Worker.class, earlier(Worker.class, text)).machineProblem())
        .isEqualTo(problem);
    assertThat(wire.document(WorkerHost.class, earlier(WorkerHost.class, text)).machineProblem())
        .isEqualTo(problem);
  }

  @Test
  void kindIsWrittenAsAFieldOfItsOwn() throws IOException {
    var report = wire.report(earlier(SyncReport.class, "unfit: no driver"));

    assertThat(new String(wire.report(report), UTF_8))
        .contains("\"machineProblem\":{\"kind\":\"unfit\",\"what\":\"no driver\"}")
        .doesNotContain("unfit: ");
  }
}

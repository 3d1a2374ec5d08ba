package dev.mayfly.wire.document;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.UserDocuments;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** TPUs that Compute Engine makes, as users write them; what is refused is in the samples. */
class TpuMachineDocumentsTest {
  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          machine: {type: ct6e-standard-8t}                 | ct6e-standard-8t  | 8 | 180000
          machine: {type: ct5p-hightpu-2t}                  | ct5p-hightpu-2t   | 2 | 104000
          tpu: {type: v6e-8, api: compute}                  | ct6e-standard-8t  | 8 | 180000
          tpu: {type: v5p-8, api: compute}                  | ct5p-hightpu-4t   | 4 | 208000
          tpu: {type: tpu7x-8}                              | tpu7x-standard-4t | 4 | 224000
          tpu: {type: tpu7x-2, api: compute}                | tpu7x-standard-1t | 1 | 56000
          """)
  void machineOfComputeEngineIsOrdered(String written, String type, long chips, long cpuMillis) {
    var pool = pools(written).getFirst();

    assertThat(pool.machineType()).isEqualTo(type);
    assertThat(pool.machine().tpu()).isEmpty();
    assertThat(pool.visible().tpuChips()).isEqualTo(chips);
    assertThat(pool.visible().cpuMillis()).isEqualTo(cpuMillis);
  }

  @Test
  void cloudTpuMakesTheOthersUnlessPinned() {
    for (var written : List.of("tpu: {type: v6e-8}", "tpu: {type: v6e-8, api: tpu}"))
      assertThat(pools(written).getFirst().machine().tpu()).as(written).isPresent();
    assertThat(pools("tpu: {type: v6e-8, api: tpu}")).isEqualTo(pools("tpu: {type: v6e-8}"));
  }

  @Test
  void pinnedTpuIsTheMachineOfThatType() {
    assertThat(pools("tpu: {type: v6e-8, api: compute}"))
        .isEqualTo(pools("machine: {type: ct6e-standard-8t}"));
  }

  @Test
  void everyWayToBuyIsTaken() {
    for (var how : List.of("spot", "on-demand", "flex-start", "reserved, reservation: paid"))
      assertThat(pools("tpu: {type: v6e-8, api: compute}, life: 12h, provisioning: " + how))
          .as(how)
          .hasSize(1);
  }

  @Test
  void poolChoosesBetweenBothServices() {
    var pools = pools("anyOf: [{tpu: {type: v6e-8, api: compute}}, {tpu: {type: v6e-8}}]");

    assertThat(pools.stream().map(PoolSpec::name))
        .containsExactly("p--ct6e-standard-8t", "p--v6e-8");
  }

  @Test
  void newMachineTypeSaysItsChips() {
    var written =
        "machine: {type: ct6e-standard-4t-tpu}, visible: {cpu: 180, memory: 720Gi, tpu: 4}";

    assertThat(pools(written).getFirst().visible().tpuChips()).isEqualTo(4);
    for (var lacking : List.of("", ", visible: {cpu: 180, memory: 720Gi}"))
      assertThatThrownBy(() -> pools("machine: {type: ct6e-standard-4t-tpu}" + lacking))
          .isInstanceOf(InvalidInputException.class)
          .hasMessageContaining("say what it has: visible: {cpu: 180, memory: 720Gi, tpu: 4}");
  }

  private static List<PoolSpec> pools(String pool) {
    var text =
        "apiVersion: mayfly.dev/v1\nkind: Cluster\nname: lab\nbucket: gs://lab\npools:\n"
            + "  - {name: p, zones: [us-east5-b], workers: {max: 2}, "
            + pool
            + "}\n";
    var command =
        UserDocuments.parse(text.getBytes(UTF_8), "a.yaml", Map.of()).getFirst().command();
    return ((UserCommand.ApplyCluster) command).spec().pools();
  }
}

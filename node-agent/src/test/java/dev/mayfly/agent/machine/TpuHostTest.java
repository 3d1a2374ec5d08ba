package dev.mayfly.agent.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.InvalidInputException;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class TpuHostTest {
  /** Attributes of a v4-32's hosts. */
  private static final String FOUR =
      "unknown:unknown:10.130.0.12,unknown:unknown:10.130.0.9,unknown:unknown:10.130.0.11,"
          + "unknown:unknown:10.130.0.10\n";

  @Test
  void hostTakesRankAndAddressFromSlice() {
    var tpuHost = seat(Map.of(TpuHost.NUMBER, "1\n", TpuHost.ENDPOINTS, FOUR)).orElseThrow();

    assertThat(tpuHost.rank()).isEqualTo(1);
    assertThat(tpuHost.address()).isEqualTo("10.130.0.9");
    assertThat(tpuHost.addresses())
        .containsExactly("10.130.0.12", "10.130.0.9", "10.130.0.11", "10.130.0.10");
  }

  @Test
  void singleHostTpuHasRankZero() {
    var tpuHost =
        seat(Map.of(TpuHost.NUMBER, "0", TpuHost.ENDPOINTS, "3f1d:8470:10.164.0.5")).orElseThrow();

    assertThat(tpuHost.rank()).isZero();
    assertThat(tpuHost.address()).isEqualTo("10.164.0.5");
  }

  @Test
  void otherMachinesHaveNoRank() {
    assertThat(seat(Map.of("mayfly-worker", "w"))).isEmpty();
  }

  @Test
  void rankIsNeverGuessed() {
    assertThatThrownBy(() -> seat(Map.of(TpuHost.NUMBER, "4", TpuHost.ENDPOINTS, FOUR)))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining("is '4'")
        .hasMessageContaining("4 hosts");
    assertThatThrownBy(() -> seat(Map.of(TpuHost.NUMBER, "0")))
        .isInstanceOf(InvalidInputException.class)
        .hasMessageContaining(TpuHost.ENDPOINTS);
    assertThatThrownBy(() -> seat(Map.of(TpuHost.NUMBER, "0", TpuHost.ENDPOINTS, "10.0.0.1:8470")))
        .isInstanceOf(InvalidInputException.class);
  }

  private static Optional<TpuHost> seat(Map<String, String> attributes) {
    return TpuHost.of(key -> Optional.ofNullable(attributes.get(key)));
  }
}

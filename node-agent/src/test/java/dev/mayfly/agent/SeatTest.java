package dev.mayfly.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Invalid;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class SeatTest {
  /** As the hosts of a v4-32 are told. */
  private static final String FOUR =
      "unknown:unknown:10.130.0.12,unknown:unknown:10.130.0.9,unknown:unknown:10.130.0.11,"
          + "unknown:unknown:10.130.0.10\n";

  @Test
  void aHostHasTheRankAndTheAddressThatItsSliceGivesIt() {
    var seat = seat(Map.of(Seat.NUMBER, "1\n", Seat.ENDPOINTS, FOUR)).orElseThrow();

    assertThat(seat.rank()).isEqualTo(1);
    assertThat(seat.address()).isEqualTo("10.130.0.9");
    assertThat(seat.addresses())
        .containsExactly("10.130.0.12", "10.130.0.9", "10.130.0.11", "10.130.0.10");
  }

  @Test
  void aTpuOfOneHostHasRankZero() {
    var seat = seat(Map.of(Seat.NUMBER, "0", Seat.ENDPOINTS, "3f1d:8470:10.164.0.5")).orElseThrow();

    assertThat(seat.rank()).isZero();
    assertThat(seat.address()).isEqualTo("10.164.0.5");
  }

  @Test
  void aMachineThatIsNoTpuHasNone() {
    assertThat(seat(Map.of("mayfly-worker", "w"))).isEmpty();
  }

  @Test
  void aRankIsNeverGuessed() {
    assertThatThrownBy(() -> seat(Map.of(Seat.NUMBER, "4", Seat.ENDPOINTS, FOUR)))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining("is '4'")
        .hasMessageContaining("4 hosts");
    assertThatThrownBy(() -> seat(Map.of(Seat.NUMBER, "0")))
        .isInstanceOf(Invalid.class)
        .hasMessageContaining(Seat.ENDPOINTS);
    assertThatThrownBy(() -> seat(Map.of(Seat.NUMBER, "0", Seat.ENDPOINTS, "10.0.0.1:8470")))
        .isInstanceOf(Invalid.class);
  }

  private static Optional<Seat> seat(Map<String, String> attributes) {
    return Seat.of(key -> Optional.ofNullable(attributes.get(key)));
  }
}

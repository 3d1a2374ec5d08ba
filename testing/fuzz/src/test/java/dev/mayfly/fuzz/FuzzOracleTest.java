package dev.mayfly.fuzz;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.fuzz.FuzzOracle.Finding;
import dev.mayfly.fuzz.FuzzTargets.NamedTarget;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** An oracle that finds nothing would prove nothing. */
class FuzzOracleTest {
  private long now;
  private final FuzzOracle fuzzOracle = new FuzzOracle(() -> now);

  private static FuzzTarget reader(NamedTarget.Reader reader) {
    return new NamedTarget("reader", List.of(), reader);
  }

  @Test
  void unexpectedExceptionIsFinding() {
    var broken =
        reader(input -> {
          throw new IndexOutOfBoundsException(7);
        });

    assertThatThrownBy(() -> fuzzOracle.judge(broken, new byte[3]))
        .isInstanceOf(Finding.class)
        .hasMessageContaining("neither accepted nor refused");
  }

  @Test
  void deepRecursionIsFinding() {
    var deep =
        reader(input -> {
          throw new StackOverflowError();
        });

    assertThatThrownBy(() -> fuzzOracle.judge(deep, new byte[3])).isInstanceOf(Finding.class);
  }

  @Test
  void inputThatIsSlowEachTimeIsFinding() {
    var slow =
        reader(input -> {
          now += TimeUnit.MILLISECONDS.toNanos(301);
          return true;
        });

    assertThatThrownBy(() -> fuzzOracle.judge(slow, new byte[3]))
        .isInstanceOf(Finding.class)
        .hasMessageContaining("take 301 ms");
  }

  @Test
  void inputThatIsSlowOnceIsNone() {
    var delayed =
        reader(input -> {
          if (now == 0) now += TimeUnit.SECONDS.toNanos(2);
          return false;
        });

    assertThatCode(() -> fuzzOracle.judge(delayed, new byte[3])).doesNotThrowAnyException();
    assertThat(fuzzOracle.figures()).startsWith("1 inputs: 0 accepted, 1 refused; slowest 0.0 ms");
  }

  @Test
  void memoryOutOfProportionIsFinding() {
    var kept = new byte[1][];
    var greedy =
        reader(input -> {
          kept[0] = new byte[30_000_000];
          return true;
        });

    assertThatThrownBy(() -> fuzzOracle.judge(greedy, new byte[3]))
        .isInstanceOf(Finding.class)
        .hasMessageContaining("allocate 30,0");
    assertThatCode(() -> fuzzOracle.judge(greedy, new byte[20_000])).doesNotThrowAnyException();
  }
}

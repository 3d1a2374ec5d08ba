package dev.mayfly.core.plan.veto;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class AllowanceTest {
  @Test
  void onlyStrictestLimitIsReason() {
    var wide = new PoolVeto.AtMaximum("cpu", 2, 0, 3);
    var strict = new PoolVeto.NoPrice("cpu", "n2-standard-4");
    var both = Allowance.all(9).atMost(2, wide).atMost(0, strict);

    assertThat(both).isEqualTo(new Allowance(0, List.of(strict)));
    assertThat(Allowance.all(9).atMost(2, wide).then(Allowance.all(2)).vetoes())
        .containsExactly(wide);
  }
}

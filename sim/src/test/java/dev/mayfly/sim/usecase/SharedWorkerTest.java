package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Resources;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Jobs run side by side on one worker, as far as its room goes. */
class SharedWorkerTest {
  private final Lab lab = new Lab();

  private static JobSpec ofTwoProcessors(String name) {
    var one = Lab.count(name, 1);
    var two = Resources.cpu(2, 1L << 30);
    return new JobSpec(
        name,
        "lab",
        Optional.empty(),
        one.tasks(),
        one.data(),
        one.run(),
        two,
        one.retries(),
        50,
        List.of(),
        false);
  }

  @Test
  void twoJobsOfTwoProcessorsShareMachineOfFour() {
    for (var name : List.of("first", "second", "third")) lab.submit(ofTwoProcessors(name));
    var w = lab.machine("w");
    w.total = Resources.cpu(4, 8L << 30);
    w.room = w.total;

    w.ask();

    assertThat(lab.worker("w").held())
        .extracting(held -> held.job())
        .containsExactlyInAnyOrder(lab.job("first").uid(), lab.job("second").uid());
  }
}

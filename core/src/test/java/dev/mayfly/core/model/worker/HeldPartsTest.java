package dev.mayfly.core.model.worker;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.worker.MachineUsage.Part;
import java.util.List;
import org.junit.jupiter.api.Test;

class HeldPartsTest {
  private static final long GIB = 1L << 30;
  private static final Resources MACHINE = Resources.cpu(8, 32 * GIB);

  private static HeldParts.Lease runs(String job, int cpus) {
    return new HeldParts.Lease(job, Resources.cpu(cpus, GIB), 1, true, false);
  }

  private static HeldParts.Lease untold(String job, int cpus) {
    return new HeldParts.Lease(job, Resources.cpu(cpus, GIB), 1, false, false);
  }

  private static List<Double> parts(HeldParts.Lease... leases) {
    return HeldParts.of(List.of(leases), MACHINE).stream().map(Part::share).toList();
  }

  @Test
  void leaseThatWaitsForRoomTakesNothing() {
    assertThat(parts(untold("a", 3), untold("a", 3), untold("a", 3)))
        .containsExactly(0.375, 0.375, 0.0);
  }

  @Test
  void whatRunsIsCountedBeforeWhatWaits() {
    assertThat(parts(untold("a", 4), runs("b", 4), runs("b", 4))).containsExactly(0.0, 0.5, 0.5);
  }

  @Test
  void smallerOneStartsBesideOneThatWaits() {
    assertThat(parts(runs("a", 6), untold("a", 4), untold("b", 2)))
        .containsExactly(0.75, 0.0, 0.25);
  }
}

package dev.mayfly.core.plan.veto;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.FreeResources;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.Provisioning;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;

class VetoOrderTest {
  private static final Instant NOW = Instant.parse("2026-11-21T10:00:00Z");
  private static final Resources ONE = Resources.cpu(1, 1 << 20);

  /** One veto of each place, the root first. */
  private static final List<Veto> ORDER =
      List.of(
          new JobVeto.NoOnDemandPool(),
          new ClusterVeto.GoingDown("lab"),
          refused(ZoneVeto.Cause.UNCLEAR, Optional.of(NOW)),
          new ComingVeto.Ordering("cpu", "b", 1),
          new WorkerVeto.GangBusy("cpu", "b", 2, 2, List.of(), 0),
          new JobVeto.Gathering("cpu", "b", 2, 1, 0, 1),
          new ClusterVeto.AboveBudget(1, 2),
          new WorkerVeto.Unfit(List.of("cpu-0"), "disk full"),
          refused(ZoneVeto.Cause.SPEC, Optional.of(NOW)),
          refused(ZoneVeto.Cause.QUOTA, Optional.of(NOW)),
          refused(ZoneVeto.Cause.STOCK, Optional.of(NOW)),
          new JobVeto.Gathering("cpu", "b", 2, 1, 0, 0),
          new LimitVeto.OfJob("a", 1, 1),
          new WorkerVeto.Full(
              "cpu-0", new FreeResources(ONE, List.of(), List.of()), ONE, ONE, List.of()),
          new JobVeto.Shares(50, List.of(), Optional.empty()),
          refused(ZoneVeto.Cause.STOCK, Optional.empty()));

  private static Veto refused(ZoneVeto.Cause cause, Optional<Instant> next) {
    return new ZoneVeto.Refused(
        cause, "cpu", "a", "a", "n2-standard-2", Provisioning.SPOT, "CODE", "", 2, NOW, next);
  }

  @Test
  void orderIsTheTablesWhateverItWas() {
    var random = new Random(7);
    for (var i = 0; i < 100; i++) {
      var shuffled = new ArrayList<>(ORDER);
      Collections.shuffle(shuffled, random);

      assertThat(VetoOrder.sorted(shuffled)).isEqualTo(ORDER);
    }
  }
}

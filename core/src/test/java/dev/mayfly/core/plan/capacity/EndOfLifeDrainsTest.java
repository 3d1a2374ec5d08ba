package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.SpecFixtures.stockout;
import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.draining;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static java.time.Duration.ofHours;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.Placement;
import dev.mayfly.core.plan.model.PlanDecision;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Machines are replaced before the cloud ends them, but not all at once. */
class EndOfLifeDrainsTest {
  private static final int MACHINES = 20;
  private static final Duration ENDING = ofMinutes(20);

  private static Worker.Held held() {
    return SpecFixtures.held("uid-a", 0, Resources.cpu(1, 1), List.of(0L, 1L));
  }

  private static List<PlanDecision.Drain> drains(List<PlanDecision> plan) {
    return plan.stream()
        .filter(PlanDecision.Drain.class::isInstance)
        .map(PlanDecision.Drain.class::cast)
        .toList();
  }

  /** The minutes before the end in which workers leave, if each takes 20 minutes. */
  private static HashMap<String, Integer> leave(PoolSpec shape, int machines) {
    var left = new HashMap<String, Integer>();
    for (var minute = (int) shape.life().dividedBy(5).toMinutes(); minute >= 0; minute--) {
      var now = view(shape).job(job("a", 1, 1_000));
      for (var i = 0; i < machines; i++) {
        var since = left.getOrDefault(shape.name() + "-" + i, minute) - minute;
        var gone = since > ENDING.toMinutes();
        var born = gone ? NOW : ago(shape.life().minusMinutes(minute));
        now.worker(shape, ZONE, since > 0 && !gone ? draining() : busy(), born, held());
      }
      for (var drain : drains(now.plan())) left.put(drain.worker(), minute);
    }
    return left;
  }

  @Test
  void machinesOfOneAgeLeaveInParts() {
    var shape = pool("cpu").max(MACHINES).build();

    var left = leave(shape, MACHINES);

    assertThat(left).hasSize(MACHINES);
    assertThat(left.values()).allMatch(minute -> minute >= 15 && minute <= 15 + 120);
    for (var minute = 0; minute < 150; minute++) {
      var m = minute;
      assertThat(left.values().stream().filter(l -> l >= m && l < m + ENDING.toMinutes()))
          .as("from minute %d on before the end", minute)
          .hasSizeLessThanOrEqualTo(MACHINES / 2);
    }
    Set<Integer> times = new HashSet<>(left.values());
    assertThat(times).hasSizeGreaterThan(MACHINES / 2);
  }

  @Test
  void twoMachinesNeverLeaveTogether() {
    var times = new ArrayList<>(leave(pool("cpu").max(2).build(), 2).values());

    assertThat(times).hasSize(2);
    assertThat(Math.abs(times.get(0) - times.get(1))).isGreaterThan(1);
  }

  @Test
  void leavingMachineIsReplacedWhileItEnds() {
    var shape = pool("cpu").build();
    var old = ago(ofHours(24).minusMinutes(15));

    var plan = view(shape).worker(shape, ZONE, busy(), old, held()).job(job("a", 1, 2)).plan();

    assertThat(drains(plan)).hasSize(1);
    assertThat(plan).anyMatch(d -> d instanceof PlanDecision.Launch l && l.count() == 1);
  }

  @Test
  void irreplaceableMachineDoesNotLeaveEarly() {
    var shape = pool("cpu").build();
    var empty = stockout(ZONE, "n2-standard-2", Duration.ZERO);

    for (var minutes : List.of(130, 60, 16)) {
      var now = view(shape).job(job("a", 1, 1_000)).stockout(empty);
      for (var i = 0; i < 3; i++)
        now.worker(shape, ZONE, busy(), ago(ofHours(24).minusMinutes(minutes)), held());
      assertThat(drains(now.plan())).as("%d minutes before the end", minutes).isEmpty();
    }
    var last = view(shape).job(job("a", 1, 1_000)).stockout(empty);
    last.worker(shape, ZONE, busy(), ago(ofHours(24).minusMinutes(15)), held());
    assertThat(drains(last.plan())).hasSize(1);
  }

  @Test
  void machineThatJobNamesStaysUntilItsLastChance() {
    var shape = pool("cpu").build();
    var named = job("a", 1, 1).at(new Placement(List.of(), List.of(), List.of("cpu-0")));

    for (var minutes : List.of(130, 60, 16)) {
      var born = ago(shape.life().minusMinutes(minutes));
      var now = view(shape).job(named).worker(shape, ZONE, busy(), born, held());
      assertThat(drains(now.plan())).as("%d minutes before the end", minutes).isEmpty();
    }
    var born = ago(shape.life().minusMinutes(15));
    assertThat(drains(view(shape).job(named).worker(shape, ZONE, busy(), born, held()).plan()))
        .hasSize(1);
  }
}

package dev.mayfly.core.plan.capacity;

import static dev.mayfly.core.plan.PlanFixtures.NOW;
import static dev.mayfly.core.plan.PlanFixtures.ZONE;
import static dev.mayfly.core.plan.PlanFixtures.ago;
import static dev.mayfly.core.plan.PlanFixtures.busy;
import static dev.mayfly.core.plan.PlanFixtures.job;
import static dev.mayfly.core.plan.PlanFixtures.pool;
import static dev.mayfly.core.plan.PlanFixtures.view;
import static java.time.Duration.ofMinutes;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.SpecFixtures;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.plan.model.PlanDecision;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Ends of lives, short ones too: tasks end before the cloud deletes their machine. */
class MachineLifeTest {
  private static Worker.Held held() {
    return SpecFixtures.held("uid-a", 0, Resources.cpu(1, 1), List.of(0L, 1L));
  }

  private static Optional<PlanDecision.Drain> drain(Duration life, Duration age) {
    var shape = pool("cpu").life(life).build();
    var plan = view(shape).worker(shape, ZONE, busy(), ago(age), held()).job(job("a", 1, 2)).plan();
    return plan.stream()
        .filter(PlanDecision.Drain.class::isInstance)
        .map(PlanDecision.Drain.class::cast)
        .findFirst();
  }

  private static Instant end(Duration life, Duration age) {
    return NOW.plus(life).minus(age);
  }

  @ParameterizedTest
  @ValueSource(strings = {"PT4M", "PT5M", "PT8M", "PT12M", "PT24M", "PT1H", "PT24H", "PT2880H"})
  void tasksEndBeforeTheCloudDeletesTheirMachine(Duration life) {
    for (var age = life.dividedBy(2); age.compareTo(life) < 0; age = age.plusSeconds(20)) {
      var drain = drain(life, age);
      if (drain.isEmpty()) continue;
      var deadline = drain.get().until().orElseThrow();
      assertThat(Duration.between(deadline, end(life, age)))
          .isBetween(Duration.ofSeconds(24), ofMinutes(1));
      // A tick comes each minute.
      assertThat(Duration.between(NOW, deadline)).isGreaterThan(Duration.ofSeconds(85));
      return;
    }
    throw new AssertionError("no drain in a life of " + life);
  }

  @Test
  void machineKeepsTheLifeWithWhichItWasOrdered() {
    var shape = pool("cpu").life(Duration.ofHours(24)).build();
    var old = view(shape).worker(shape, ZONE, busy(), ago(ofMinutes(50)), held()).build();
    var cluster = old.cluster();
    var worker = ordered(old.workers().getFirst(), Duration.ofHours(1));

    assertThat(MachineLife.of(cluster, worker).orElseThrow().end())
        .isEqualTo(NOW.plus(ofMinutes(10)));
    var shorter = ordered(worker, Duration.ofHours(48));
    assertThat(MachineLife.of(cluster, shorter).orElseThrow().life()).isEqualTo(shape.life());
  }

  private static Worker ordered(Worker w, Duration life) {
    return new Worker(
        w.cluster(),
        w.name(),
        w.pool(),
        w.zone(),
        w.machineType(),
        w.state(),
        w.epoch(),
        w.seq(),
        w.nonceHash(),
        w.incarnation(),
        w.total(),
        w.held(),
        w.notice(),
        w.instanceId(),
        w.generation(),
        w.createdAt(),
        w.firstSyncAt(),
        w.machineProblem(),
        w.provisioning(),
        w.gpusUsed(),
        w.lastCommandAt(),
        w.metrics(),
        w.mounts(),
        w.labels(),
        w.launchedFor(),
        w.gpuMemoryUsed(),
        w.gpuUses(),
        Optional.of(life),
        w.usage(),
        Optional.empty(),
        Optional.empty());
  }
}

package dev.mayfly.sim.failure;

import static java.time.Duration.ofMinutes;
import static java.time.Duration.ofSeconds;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.cluster.MachineSpec;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.model.cluster.Provisioning;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.SimulationRun;
import dev.mayfly.sim.engine.Trace;
import dev.mayfly.sim.fault.Fault;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.OperatorActions;
import dev.mayfly.sim.scenario.PlannedJob;
import dev.mayfly.sim.scenario.Scenario;
import dev.mayfly.sim.spec.ClusterBuilder;
import dev.mayfly.sim.world.Mutant;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/**
 * The function instance dies after each port call of a small scenario, or after many of them, and
 * everything still ends.
 */
class CrashEverywhereTest {
  private static final Set<Fault> NO_FAULT = EnumSet.noneOf(Fault.class);
  private static final Set<Fault> TAKEN =
      EnumSet.of(Fault.PREEMPTED_WITHOUT_NOTICE, Fault.PREEMPTED_WITH_NOTICE);
  private static final PlannedJob FIVE = ScriptedWorld.job(0, 5, 2, ofSeconds(40), false);
  private static final PlannedJob ALONE = ScriptedWorld.job(0, 2, 2, ofSeconds(40), true);

  private static PlannedJob soon(PlannedJob job, Optional<Duration> stop) {
    return new PlannedJob(0, job.spec(), ofSeconds(2), stop, Optional.empty(), 0, 0, job.tasks());
  }

  private static Scenario small(
      Set<Fault> faults, List<PoolSpec> pools, PlannedJob job, OperatorActions operatorActions) {
    var cluster = ClusterBuilder.named("lab").bucket("gs://lab-bucket").pools(pools).build();
    return new Scenario(
        1, faults, 1, cluster, Map.of(), List.of(job), operatorActions, ofMinutes(5));
  }

  private static Scenario small(Set<Fault> faults, PlannedJob job) {
    return small(faults, List.of(machines()), soon(job, Optional.empty()), OperatorActions.NONE);
  }

  private static PoolSpec machines() {
    return pool("small", "n2-standard-4");
  }

  private static PoolSpec pool(String name, String type) {
    return new PoolSpec(
        name,
        type,
        Resources.cpu(4, 16 * ScriptedWorld.GIB),
        List.of("z-a"),
        Provisioning.SPOT,
        0,
        2,
        ofMinutes(2),
        Duration.ofHours(24),
        MachineSpec.PLAIN);
  }

  private static void crashAfterEach(Scenario scenario) {
    crashAfterEvery(1, scenario);
  }

  /** After each call with {@code -Plong}; otherwise after every seventh. */
  private static void crashAfterMany(Scenario scenario) {
    crashAfterEvery(Integer.getInteger("mayfly.sim.seeds", 0) > 1_000 ? 1 : 7, scenario);
  }

  private static void crashAfterEvery(int calls, Scenario scenario) {
    var whole = SimulationRun.of(scenario, Mutant.NONE);
    assertThat(whole.violation()).as(whole.story()).isEmpty();
    assertThat(whole.calls()).isGreaterThan(100);

    var failures =
        LongStream.rangeClosed(1, whole.calls())
            .filter(k -> k % calls == 0)
            .parallel()
            .mapToObj(k -> SimulationRun.of(scenario, Mutant.NONE, OptionalLong.of(k), Trace.KEPT))
            .filter(r -> r.violation().isPresent())
            .map(SimulationRun.Result::story)
            .toList();

    assertThat(failures).isEmpty();
  }

  @Test
  void completedJob() {
    crashAfterEach(small(NO_FAULT, FIVE));
  }

  @Test
  void stoppedJob() {
    var stopped = soon(FIVE, Optional.of(ofSeconds(70)));
    crashAfterEach(small(NO_FAULT, List.of(machines()), stopped, OperatorActions.NONE));
  }

  @Test
  void stoppedAndRetriedJob() {
    var stopped = soon(FIVE, Optional.of(ofSeconds(70)));
    var again =
        new OperatorActions.PlannedCommand(
            ofSeconds(150), new UserCommand.RetryJob("lab", "job-0"));
    crashAfterMany(
        small(NO_FAULT, List.of(machines()), stopped, OperatorActions.publishing(again)));
  }

  @Test
  void jobOfClusterTakenDown() {
    var down =
        new OperatorActions.PlannedCommand(ofSeconds(75), new UserCommand.DownCluster("lab"));
    var job = soon(FIVE, Optional.empty());
    crashAfterMany(small(NO_FAULT, List.of(machines()), job, OperatorActions.publishing(down)));
  }

  @Test
  void jobWithPreemptedMachines() {
    crashAfterEach(small(TAKEN, FIVE));
  }

  @Test
  void exclusiveJobWithPreemptedMachines() {
    crashAfterMany(small(TAKEN, ALONE));
  }

  @Test
  void wholeGang() {
    crashAfterMany(small(NO_FAULT, ScriptedWorld.on("small", 2, ALONE)));
  }

  @Test
  void gangWithPreemptedMachines() {
    crashAfterMany(small(TAKEN, ScriptedWorld.on("small", 2, ALONE)));
  }

  @Test
  void preemptedSlice() {
    var job = soon(ScriptedWorld.on("slice", 0, ALONE), Optional.empty());
    crashAfterMany(small(TAKEN, List.of(pool("slice", "v4-16")), job, OperatorActions.NONE));
  }
}

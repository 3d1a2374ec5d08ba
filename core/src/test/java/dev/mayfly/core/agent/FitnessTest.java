package dev.mayfly.core.agent;

import static dev.mayfly.core.agent.Fixtures.job;
import static dev.mayfly.core.agent.Fixtures.machine;
import static dev.mayfly.core.agent.Fixtures.needing;
import static dev.mayfly.core.agent.Fixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.SyncReport.BootStep;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What an agent offers while its machine is being prepared, and when that fails. */
class FitnessTest {
  private static final List<BootStep> STEPS =
      List.of(new BootStep("mount /data", Duration.ofSeconds(30), Optional.of("port 2049")));
  private static final Resources ALL = Resources.cpu(64, 1L << 40);

  private final Driven agent = new Driven(machine(2), job());

  private void equipped(Fitness fitness) {
    agent.on(new AgentEvent.Equipped(STEPS, fitness));
    agent.after(Duration.ofSeconds(1));
  }

  @Test
  void aMachineThatIsBeingPreparedHasNoRoomAndSaysSo() {
    equipped(new Fitness.Preparing("mount /data"));
    agent.on(new AgentEvent.Started(STEPS));

    assertThat(agent.report().room()).isEqualTo(Resources.ZERO);
    assertThat(agent.report().total()).isEqualTo(machine(2).visible());
    assertThat(agent.report().problem()).contains(SyncReport.PREPARING + "mount /data");
  }

  @Test
  void aFailedMountRunsNoTaskAndNamesItsCause() {
    equipped(new Fitness.Unfit("mount /data: port 2049"));
    agent.granted(order(0, 3));

    assertThat(agent.take(AgentEffect.Start.class)).isEmpty();
    assertThat(agent.report().room()).isEqualTo(Resources.ZERO);
    assertThat(agent.report().problem()).contains(SyncReport.UNFIT + "mount /data: port 2049");
    assertThat(agent.report().boot()).isEqualTo(STEPS);
  }

  @Test
  void unfitMachineGivesBackWhatItHolds() {
    equipped(new Fitness.Unfit("mount /data: port 2049"));
    agent.granted(order(0, 3));
    agent.heardFor(Duration.ofSeconds(70), order(0, 3));

    assertThat(agent.lease(0).released()).isTrue();
  }

  @Test
  void aMachineThatBecomesFitStartsWhatItHolds() {
    equipped(new Fitness.Unfit("mount /data: port 2049"));
    agent.granted(order(0, 3));
    equipped(new Fitness.Fit(ALL));

    assertThat(agent.take(AgentEffect.Start.class)).hasSize(2);
    assertThat(agent.report().problem()).isEmpty();
  }

  @Test
  void fewerDevicesThanOrderedAreOfferedAndNeverMoreThanOrdered() {
    var gpus = new Resources(8_000, 1, 4_000, 0);
    var driven = new Driven(machine(gpus), needing(new Resources(0, 0, 1_000, 0)));
    driven.on(new AgentEvent.Equipped(STEPS, new Fitness.Fit(new Resources(99_000, 99, 3_000, 9))));
    driven.after(Duration.ofSeconds(1));

    assertThat(driven.report().total()).isEqualTo(new Resources(8_000, 1, 3_000, 0));
    driven.granted(order(0, 9));
    assertThat(driven.take(AgentEffect.Start.class))
        .extracting(AgentEffect.Start::gpus)
        .containsExactly(List.of(0), List.of(1), List.of(2));
  }
}

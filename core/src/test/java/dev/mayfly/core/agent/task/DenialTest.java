package dev.mayfly.core.agent.task;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.AgentEvent.Prospect;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The workers' account may not do what a task needs. */
class DenialTest {
  private static final String WHY = "storage.objects.delete is denied on gs://lab/out/0";
  private static final Duration SECONDS = Duration.ofSeconds(20);

  private final AgentDriver agent =
      new AgentDriver(machine(1), job()).granted(order(0, 3)).served(order(0, 3));

  private AgentDriver denied(TaskAttempt attempt) {
    return agent.on(new AgentEvent.PublishFailed(attempt, true, WHY, Prospect.DENIED));
  }

  /** Answers each try with a denial. */
  private void deniedFor(Duration time, TaskAttempt attempt) {
    for (var passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(SECONDS)) {
      denied(attempt);
      agent.after(SECONDS);
    }
  }

  private List<AttemptFailure> failures() {
    return agent.after(Duration.ofSeconds(2)).lease(0).failed();
  }

  @Test
  void deniedUploadIsToldWhileItIsTriedAgain() {
    agent.exits(attempt(0, 0), 0);
    deniedFor(Duration.ofMinutes(1), attempt(0, 0));

    assertThat(agent.take(AgentEffect.Upload.class)).hasSizeGreaterThan(2);
    assertThat(agent.lease(0).stalled())
        .singleElement()
        .satisfies(task -> {
          assertThat(task.index()).isZero();
          assertThat(task.why()).isEqualTo(WHY);
          assertThat(task.until()).isAfter(agent.now().wall());
        });
    assertThat(failures()).isEmpty();
  }

  @Test
  void denialThatLastsEndsTheTaskForGood() {
    agent.exits(attempt(0, 0), 0);
    deniedFor(Duration.ofMinutes(6), attempt(0, 0));

    assertThat(failures())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.cause()).isEqualTo(FailureCause.INFRASTRUCTURE);
          assertThat(failure.isLasting()).isTrue();
          assertThat(failure.evidence()).startsWith(WHY);
        });
  }

  @Test
  void nextTaskIsNotWaitedForAgain() {
    agent.exits(attempt(0, 0), 0);
    deniedFor(Duration.ofMinutes(6), attempt(0, 0));
    agent.exits(attempt(0, 1), 0);

    denied(attempt(0, 1));

    assertThat(failures()).hasSize(2).allMatch(AttemptFailure::isLasting);
  }

  @Test
  void grantThatTakesEffectLetsItGoOn() {
    agent.exits(attempt(0, 0), 0);
    deniedFor(Duration.ofMinutes(2), attempt(0, 0));
    agent.succeeds(attempt(0, 0));
    agent.after(Duration.ofMinutes(5));

    agent.exits(attempt(0, 1), 0);
    denied(attempt(0, 1)).after(Duration.ofSeconds(2));

    assertThat(agent.lease(0).done().has(0)).isTrue();
    assertThat(agent.lease(0).stalled()).hasSize(1);
    assertThat(failures()).isEmpty();
  }

  @Test
  void othersStartWhileOneIsDenied() {
    agent.exits(attempt(0, 0), 0);
    denied(attempt(0, 0));

    assertThat(agent.after(Duration.ofSeconds(1)).started()).contains(1L);
  }

  @Test
  void whatCannotBeStoredIsNotTriedAgain() {
    agent.exits(attempt(0, 0), 0);
    agent.on(new AgentEvent.PublishFailed(attempt(0, 0), false, "no bucket", Prospect.NONE));

    assertThat(failures()).singleElement().matches(AttemptFailure::isLasting);
  }

  @Test
  void missingOutputMayBeThereNextTime() {
    agent.exits(attempt(0, 0), 0);
    agent.on(new AgentEvent.PublishFailed(attempt(0, 0), false, "nothing was left"));

    assertThat(failures()).singleElement().matches(failure -> !failure.isLasting());
  }

  @Test
  void startThatCannotSucceedFailsOnce() {
    agent.on(
        new AgentEvent.StartFailed(
            attempt(0, 0), FailureCause.USER, false, "no such secret", Prospect.NONE));

    assertThat(failures()).singleElement().matches(AttemptFailure::isLasting);
  }

  @Test
  void deniedStartFailsAMomentLater() {
    agent.on(
        new AgentEvent.StartFailed(
            attempt(0, 0), FailureCause.INFRASTRUCTURE, false, WHY, Prospect.DENIED));
    assertThat(failures()).isEmpty();
    assertThat(agent.lease(0).stalled()).singleElement().matches(task -> task.why().equals(WHY));

    agent.after(SECONDS);

    assertThat(failures()).singleElement().matches(failure -> !failure.isLasting());
  }
}

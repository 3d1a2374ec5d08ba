package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.fixture.SlowObjectStore;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** A step of long work runs once at a time, however long it takes (decision 122). */
class ClaimedWorkTest {
  private static final Duration TICK = Duration.ofSeconds(10);
  private static final int TASKS = 120_000;

  private final LabCluster labCluster = new LabCluster(1_000);
  private final SlowObjectStore theirs = new SlowObjectStore(labCluster.objects, () -> {});
  private final ControlPlane others = labCluster.control("b", theirs);

  @BeforeEach
  void givenListedJob() {
    labCluster.submit(LabCluster.count("s", TASKS));
    labCluster.triggers.clear();
  }

  private Trigger.Expand expand() {
    return new Trigger.Expand(labCluster.uid, labCluster.job("s").uid());
  }

  private void expandSlowly(Runnable meanwhile) {
    labCluster.control("a", new SlowObjectStore(labCluster.objects, meanwhile)).handle(expand());
  }

  /** Ticks come, a message is doubled, and all messages are handled. */
  private void passTicks(int count) {
    for (var i = 0; i < count; i++) {
      labCluster.time.advance(TICK);
      others.handle(new Trigger.Tick());
      others.handle(expand());
      labCluster.triggers.removeIf(t -> t instanceof Trigger.Expand && handled(t));
    }
  }

  private boolean handled(Trigger trigger) {
    others.handle(trigger);
    return true;
  }

  @Test
  void stepLongerThanTicksRunsOnce() {
    var begun = labCluster.now();

    expandSlowly(() -> passTicks(3));

    assertThat(Duration.between(begun, labCluster.now())).isGreaterThan(Duration.ofMinutes(2));
    assertThat(theirs.listings).isZero();
    labCluster.deliver();
    assertThat(labCluster.job("s").state()).isInstanceOf(JobState.Running.class);
    assertThat(labCluster.open("s")).isEqualTo(TASKS);
  }

  private void dieExpanding() {
    assertThatThrownBy(() ->
            expandSlowly(() -> {
              throw new IllegalStateException("the instance dies");
            }))
        .isInstanceOf(IllegalStateException.class);
  }

  /** Its first step is the long one. */
  @Test
  void callThatTakesOverIsAloneToo() {
    dieExpanding();
    labCluster.time.advance(Duration.ofMinutes(1));

    expandSlowly(() -> passTicks(1));

    assertThat(theirs.listings).isZero();
  }

  @Test
  void claimOfDeadInstanceIsTakenOver() {
    dieExpanding();

    passTicks(5);
    assertThat(theirs.listings).as("within a minute").isZero();
    labCluster.time.advance(TICK);
    others.handle(new Trigger.Tick());
    assertThat(labCluster.triggers).containsOnlyOnce(expand());
    labCluster.deliver();

    assertThat(labCluster.job("s").state()).isInstanceOf(JobState.Running.class);
    assertThat(labCluster.open("s")).isEqualTo(TASKS);
  }

  @Test
  void stopEndsClaimedWork() {
    assertThatThrownBy(() ->
            expandSlowly(() -> {
              labCluster.stop("s");
              labCluster.time.advance(Duration.ofSeconds(40));
            }))
        .isInstanceOf(UnavailableException.class);
    labCluster.deliver();

    assertThat(labCluster.end("s")).startsWith("STOPPED");
    assertThat(labCluster.shards("s")).isEmpty();
  }

  @Test
  void retryTakesClaimedWorkOver() {
    assertThatThrownBy(() ->
            expandSlowly(() -> {
              if (labCluster.job("s").state() instanceof JobState.Running) return;
              labCluster.stop("s");
              labCluster.deliver();
              labCluster.publish(new UserCommand.RetryJob("lab", "s"));
              labCluster.deliver();
              labCluster.time.advance(Duration.ofSeconds(40));
            }))
        .isInstanceOf(UnavailableException.class);

    assertThat(labCluster.job("s").state()).isInstanceOf(JobState.Running.class);
    assertThat(labCluster.open("s")).isEqualTo(TASKS);
  }
}

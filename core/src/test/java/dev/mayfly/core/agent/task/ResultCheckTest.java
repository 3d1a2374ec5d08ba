package dev.mayfly.core.agent.task;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.data;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.needing;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static dev.mayfly.core.agent.AgentFixtures.with;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.DiskProblem;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.sync.MachineProblem;
import java.time.Duration;
import org.junit.jupiter.api.Test;

/** A command ends with 0 on a machine that had trouble meanwhile. */
class ResultCheckTest {
  private static final AgentEvent FULL =
      new AgentEvent.DiskUnusable(new DiskProblem.Full("disk full: 0 MiB free under /work"));

  private final AgentDriver agent = new AgentDriver(machine(2), job());

  private void assertSpoiled(AgentDriver driver, String why) {
    assertThat(driver.take(AgentEffect.Upload.class)).isEmpty();
    driver.millis(100);
    assertThat(driver.lease(0).failed())
        .singleElement()
        .satisfies(failure -> {
          assertThat(failure.cause()).isEqualTo(FailureCause.INFRASTRUCTURE);
          assertThat(failure.exitCode()).isZero();
          assertThat(failure.evidence()).contains(why);
        });
  }

  @Test
  void outputOfFullDiskIsNotUploaded() {
    agent.granted(order(0, 1));
    agent.after(Duration.ofSeconds(1)).on(FULL);

    agent.after(Duration.ofSeconds(2)).exits(attempt(0, 0), 0);

    assertSpoiled(agent, "disk full: 0 MiB free under /work while it ran");
  }

  @Test
  void writtenOutputOfFullDiskIsDeletedFirst() {
    var driver = new AgentDriver(machine(2), with(data(true, false)));
    driver.granted(order(0, 1));
    driver.after(Duration.ofSeconds(1)).on(FULL);

    driver.after(Duration.ofSeconds(2)).exits(attempt(0, 0), 0);

    assertThat(driver.take(AgentEffect.Discard.class)).hasSize(1);
    driver
        .on(new AgentEvent.PublishFailed(attempt(0, 0), true, "away"))
        .after(Duration.ofSeconds(1));
    assertThat(driver.take(AgentEffect.Discard.class)).as("again").hasSize(1);
    assertThat(driver.lease(0).failed()).isEmpty();
    driver.on(new AgentEvent.Discarded(attempt(0, 0), true));
    assertSpoiled(
        driver,
        "a larger disk is machine.disk.sizeGb of its pool; what was written there is deleted");
  }

  @Test
  void nothingStartsOnFullDisk() {
    agent.on(FULL).granted(order(0, 1));
    assertThat(agent.started()).isEmpty();
    agent.after(Duration.ofSeconds(2)).on(FULL).after(Duration.ofSeconds(2));
    assertThat(agent.started()).isEmpty();
    assertThat(agent.report().machineProblem())
        .contains(
            MachineProblem.Kind.DISK_FULL.of(
                "disk full: 0 MiB free under /work; no task starts until there is room"));

    agent.after(Duration.ofSeconds(2));

    assertThat(agent.started()).containsExactly(0L);
  }

  @Test
  void brokenDiskNeedsNoLargerOne() {
    var broken = new AgentEvent.DiskUnusable(new DiskProblem.Broken("disk broken: EIO"));
    agent.granted(order(0, 1));
    agent.after(Duration.ofSeconds(1)).on(broken).exits(attempt(0, 0), 0);

    assertSpoiled(
        agent,
        "disk broken: EIO while it ran, so exit code 0 proves nothing; the machine needs another"
            + " disk, not a larger one");
    assertThat(agent.report().machineProblem())
        .contains(MachineProblem.Kind.UNFIT.of("disk broken: EIO"));
  }

  @Test
  void diskFullBeforeTheAttemptSpoilsNothing() {
    agent.on(FULL);
    agent.after(Duration.ofSeconds(4)).granted(order(0, 1));

    agent.exits(attempt(0, 0), 0);

    assertThat(agent.take(AgentEffect.Upload.class)).hasSize(1);
  }

  @Test
  void diskFullDuringUploadSpoilsNothing() {
    agent.granted(order(0, 1)).exits(attempt(0, 0), 0);
    agent.on(FULL);

    agent.succeeds(attempt(0, 0)).millis(100);

    assertThat(agent.lease(0).done().has(0)).isTrue();
  }

  @Test
  void exitCodeOtherThanZeroKeepsItsCause() {
    agent.granted(order(0, 1)).on(FULL);
    agent.exits(attempt(0, 0), 3).millis(100);

    assertThat(agent.lease(0).failed())
        .singleElement()
        .satisfies(failure -> assertThat(failure.cause()).isEqualTo(FailureCause.USER));
  }

  @Test
  void resultOfLostDeviceIsNotAccepted() {
    var gpus = new Resources(1_000, 0, 1_000, 0);
    var driver = new AgentDriver(machine(gpus), needing(gpus));
    driver.granted(order(0, 1));
    driver.after(Duration.ofSeconds(1)).on(new AgentEvent.DevicesLost("GPU 0 is gone"));

    driver.exits(attempt(0, 0), 0);

    assertSpoiled(driver, "GPU 0 is gone");
  }

  @Test
  void lostDeviceSpoilsNoTaskWithoutOne() {
    agent.granted(order(0, 1)).on(new AgentEvent.DevicesLost("GPU 0 is gone"));

    agent.exits(attempt(0, 0), 0);

    assertThat(agent.take(AgentEffect.Upload.class)).hasSize(1);
  }
}

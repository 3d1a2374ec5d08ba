package dev.mayfly.core.agent.task;

import static dev.mayfly.core.agent.AgentFixtures.attempt;
import static dev.mayfly.core.agent.AgentFixtures.job;
import static dev.mayfly.core.agent.AgentFixtures.machine;
import static dev.mayfly.core.agent.AgentFixtures.order;
import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentDriver;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.sync.FailedFolder;
import dev.mayfly.core.model.sync.JobInfo;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Which folders of failed attempts an agent keeps, and until when. */
class FailedFoldersTest {
  private final AgentDriver agent = new AgentDriver(machine(8), keeping());

  private static JobInfo keeping() {
    var spec = job().spec();
    var wish = spec.run().taskEnvironment().keepingFailed(Duration.ofMinutes(30));
    return job().withSpec(spec.with(wish));
  }

  private static FailedFolder folder(long index) {
    return new FailedFolder("j1", index, "s0e1", "/w/" + index);
  }

  private void made(long index) {
    agent.on(new AgentEvent.FolderMade(attempt(0, index), "/w/" + index));
  }

  private List<FailedFolder> reported() {
    return agent.report().folders().orElse(List.of());
  }

  private List<AgentEffect.DeleteWorkDir> deleted() {
    return agent.take(AgentEffect.DeleteWorkDir.class);
  }

  @Test
  void failedFolderStaysUntilLeaseIsOver() {
    agent.keeping().granted(order(0, 1));
    made(0);
    agent.exits(attempt(0, 0), 3).after(Duration.ofSeconds(2));

    assertThat(deleted()).isEmpty();
    assertThat(reported()).containsExactly(folder(0));

    agent.orders().after(Duration.ofSeconds(1));

    assertThat(deleted())
        .extracting(AgentEffect.DeleteWorkDir::attempt)
        .containsExactly(attempt(0, 0));
  }

  @Test
  void namedFolderStaysAfterItsLease() {
    agent.keeping(folder(0)).granted(order(0, 1));
    made(0);
    agent.exits(attempt(0, 0), 3).after(Duration.ofSeconds(2)).orders();
    agent.after(Duration.ofMinutes(1)).orders();

    assertThat(deleted()).isEmpty();

    agent.keeping().after(Duration.ofMinutes(1)).orders();

    assertThat(deleted()).hasSize(1);
  }

  @Test
  void ordersThatSayNothingDeleteNothing() {
    agent.granted(order(0, 1));
    made(0);
    agent.exits(attempt(0, 0), 3).after(Duration.ofSeconds(2)).orders();

    assertThat(deleted()).isEmpty();
  }

  @Test
  void onlyWhatMayShowWhyIsKept() {
    agent.keeping().granted(order(0, 3));
    made(0);
    made(1);
    agent.on(new AgentEvent.Exited(attempt(0, 0), 137, FailureCause.OUT_OF_MEMORY, "killed"));
    agent.succeeds(attempt(0, 1));
    agent.exits(attempt(0, 2), 1).after(Duration.ofSeconds(2));

    assertThat(reported()).containsExactly(folder(0));
    assertThat(deleted())
        .extracting(AgentEffect.DeleteWorkDir::attempt)
        .containsExactlyInAnyOrder(attempt(0, 1), attempt(0, 2));
  }

  @Test
  void jobWithoutTheWishKeepsNothing() {
    var other = new AgentDriver(machine(8), job());
    other.granted(order(0, 1));
    other.on(new AgentEvent.FolderMade(attempt(0, 0), "/w/0"));
    other.exits(attempt(0, 0), 3);

    assertThat(other.take(AgentEffect.DeleteWorkDir.class)).hasSize(1);
  }

  @Test
  void noMoreThanThreeFoldersAreHeld() {
    agent.keeping().granted(order(0, 5));
    for (var i = 0; i < 5; i++) {
      made(i);
      agent.exits(attempt(0, i), 3);
    }
    agent.after(Duration.ofSeconds(2));

    assertThat(reported()).containsExactly(folder(0), folder(1), folder(2));
    assertThat(deleted()).hasSize(2);
  }
}

package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Users delete sentinels of a finished job, and leave its outputs. */
class DeletedSentinelTest {
  private static final Duration LONG = Duration.ofHours(1);
  private static final PlannedJob PLANNED =
      ScriptedWorld.job(0, 8, 2, Duration.ofSeconds(20), false);

  private final ScriptedWorld scriptedWorld = ScriptedWorld.of(5, 1, 2, PLANNED);

  @Test
  void sameFileRunsExactlyThoseTasks() {
    var first = ended();
    delete(first, 2, 5);

    scriptedWorld.world.users().submit(PLANNED.spec(), "another");
    scriptedWorld.until(() -> jobs().size() == 2 && scriptedWorld.ended(), LONG);

    var second = jobs().stream().filter(j -> !j.uid().equals(first.uid())).findFirst().get();
    assertThat(reason(second)).isEqualTo("8 done (6 before, 2 run)");
    for (var index = 0; index < 8; index++)
      assertThat(scriptedWorld.world.truth().begun(second.uid(), index))
          .as("starts of task %d", index)
          .isEqualTo(index == 2 || index == 5 ? 1 : 0);
  }

  @Test
  void retryRunsExactlyThoseTasks() {
    var job = ended();
    delete(job, 2, 5);

    scriptedWorld.world.users().publish(new UserCommand.RetryJob("lab", job.spec().name()));
    scriptedWorld.until(() -> !scriptedWorld.ended(), LONG);
    scriptedWorld.until(scriptedWorld::ended, LONG);

    assertThat(reason(jobs().getFirst())).isEqualTo("8 done");
    for (var index = 0; index < 8; index++)
      assertThat(scriptedWorld.world.truth().begun(job.uid(), index))
          .as("starts of task %d", index)
          .isEqualTo(index == 2 || index == 5 ? 2 : 1);
  }

  private Job ended() {
    scriptedWorld.until(() -> jobs().size() == 1 && scriptedWorld.ended(), LONG);
    var job = jobs().getFirst();
    assertThat(reason(job)).isEqualTo("8 done");
    return job;
  }

  private void delete(Job job, long... indexes) {
    for (var index : indexes) scriptedWorld.world.users().deleteSentinel(job, index);
  }

  private List<Job> jobs() {
    return scriptedWorld.world.truth().all(Job.class);
  }

  private static String reason(Job job) {
    return ((JobState.Ended) job.state()).reason();
  }
}

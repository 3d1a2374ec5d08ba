package dev.mayfly.sim.sentinel;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.fixture.ScriptedWorld;
import dev.mayfly.sim.scenario.PlannedJob;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** A job whose sentinels are together, from its submission to a retry. */
class SharedSentinelJobTest {
  private static final int TASKS = 240;
  private static final Duration LONG = Duration.ofHours(1);

  private final ScriptedWorld scriptedWorld = ScriptedWorld.of(5, 2, 2, planned());

  private static PlannedJob planned() {
    var job = ScriptedWorld.job(0, TASKS, 1, Duration.ofMillis(200), false);
    var data =
        new JobSpec.Data(
            Optional.of("gs://lab-bucket/out/{job}/{index}"),
            false,
            OutputMode.UPLOADED,
            false,
            Optional.empty(),
            Optional.of(Sentinel.Mode.TOGETHER));
    return job.with(job.spec().with(data));
  }

  private Job ended() {
    scriptedWorld.until(scriptedWorld::ended, LONG);
    var job = scriptedWorld.world.truth().all(Job.class).getFirst();
    assertThat(((JobState.Ended) job.state()).reason()).isEqualTo(TASKS + " done");
    return job;
  }

  private Job retried(Job job) {
    scriptedWorld.world.users().publish(new UserCommand.RetryJob("lab", job.spec().name()));
    scriptedWorld.until(() -> !scriptedWorld.ended(), LONG);
    return ended();
  }

  private List<ObjectInfo> sentinels() {
    var all = new ArrayList<ObjectInfo>();
    scriptedWorld
        .world
        .objects()
        .forEachPage(
            ObjectUrl.of("gs://lab-bucket/"),
            (ObjectPage page) ->
                page.objects().stream()
                    .filter(object -> object.url().name().endsWith(Sentinel.SUFFIX))
                    .forEach(all::add));
    return all;
  }

  private List<Long> namedWith(Job job, long task) {
    var truth = scriptedWorld.world.truth();
    return truth.sentinels().in(truth.sentinels().of(job, task).orElseThrow()).stream()
        .map(Sentinel::task)
        .sorted()
        .toList();
  }

  private List<Long> begunTwice(Job job) {
    return LongStream.range(0, TASKS)
        .filter(task -> scriptedWorld.world.truth().begun(job.uid(), task) == 2)
        .boxed()
        .toList();
  }

  @Test
  void fewObjectsNameAllTasksOnce() {
    var job = ended();

    assertThat(sentinels()).hasSizeLessThan(TASKS / 5);
    var named = new ArrayList<Long>();
    for (var object : sentinels())
      for (var sentinel : scriptedWorld.world.truth().sentinels().in(object))
        named.add(sentinel.task());
    assertThat(named).hasSize(TASKS).doesNotHaveDuplicates();
    assertThat(sentinels())
        .allMatch(object -> object.url().name().startsWith("mayfly/" + job.uid() + "/sentinels/"));
  }

  @Test
  void tasksOfADeletedObjectRunAgain() {
    var job = ended();
    var gone = namedWith(job, 5);
    scriptedWorld.world.users().deleteSentinel(job, 5);

    retried(job);

    assertThat(gone).hasSizeGreaterThan(1);
    assertThat(begunTwice(job)).isEqualTo(gone);
  }

  @Test
  void taskWithoutItsOutputRunsAgainAlone() {
    var job = ended();
    var together = namedWith(job, 5);
    var truth = scriptedWorld.world.truth();
    var objects = scriptedWorld.world.objects();
    var output = objects.find(truth.output(job, 5)).orElseThrow();
    objects.delete(output.url(), output.generation());
    // The retry takes its sentinel out of the object.
    truth.sentinels().delete(job, 5);

    retried(job);

    assertThat(together).hasSizeGreaterThan(1);
    assertThat(begunTwice(job)).containsExactly(5L);
    var all = new TreeSet<Long>();
    for (var task = 0L; task < TASKS; task++) if (truth.sealed(job, task)) all.add(task);
    assertThat(all).hasSize(TASKS);
  }
}

package dev.mayfly.sim.jobs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.TaskRanges;
import dev.mayfly.core.model.job.DoneRule;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.fixture.LabCluster;
import dev.mayfly.sim.spec.JobBuilder;
import dev.mayfly.sim.spec.RunBuilder;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Which sentinels of earlier jobs make a task done. */
class DoneRulesTest {
  private static final DoneRule INPUT = new DoneRule(true, false, false);
  private static final DoneRule CODE = new DoneRule(false, true, false);
  private static final DoneRule AGAIN = new DoneRule(false, false, true);

  private final LabCluster labCluster = new LabCluster();

  @Test
  void tasksDoneBeforeAreCounted() {
    sentinel("0", Map.of());
    sentinel("1", Map.of());
    labCluster.submit(job(new TaskSource.Count(2), Optional.empty(), Optional.empty()));
    labCluster.deliver();

    assertThat(labCluster.end("j")).isEqualTo("SUCCEEDED: 2 done (2 before, 0 run)");
    assertThat(labCluster.job("j").state().end().orElseThrow().totals().earlier()).isEqualTo(2);
  }

  @Test
  void changedCodeRunsAgain() {
    sentinel("0", Map.of("mayfly-code", "0ld"));
    sentinel("1", Map.of("mayfly-code", "c0de"));
    labCluster.submit(job(new TaskSource.Count(2), Optional.of("c0de"), Optional.of(CODE)));
    labCluster.deliver();

    assertThat(labCluster.open("j")).isEqualTo(1);
    assertThat(exists("0")).as("deleted, so that the task can make its own").isFalse();
    assertThat(exists("1")).isTrue();
  }

  @Test
  void changedInputRunsAgain() {
    labCluster.put("gs://lab/in/a", "1", Map.of());
    labCluster.put("gs://lab/in/b", "1", Map.of());
    sentinel("a", Map.of("mayfly-input-generation", generation("gs://lab/in/a")));
    sentinel("b", Map.of("mayfly-input-generation", generation("gs://lab/in/b")));
    labCluster.put("gs://lab/in/b", "2", Map.of());
    labCluster.submit(
        job(new TaskSource.Inputs("gs://lab/in/*"), Optional.empty(), Optional.of(INPUT)));
    labCluster.deliver();

    assertThat(labCluster.open("j")).isEqualTo(1);
    assertThat(exists("a")).isTrue();
    assertThat(exists("b")).isFalse();
  }

  @Test
  void everythingRunsAgainOnRequest() {
    sentinel("0", Map.of());
    labCluster.put("gs://lab/out/1.COMPLETE");
    labCluster.submit(job(new TaskSource.Count(3), Optional.empty(), Optional.of(AGAIN)));
    labCluster.deliver();

    assertThat(labCluster.open("j")).isEqualTo(3);
    assertThat(exists("0") || exists("1")).isFalse();
  }

  @Test
  void namedTasksRunAgainAndOthersStayDone() {
    for (var output : List.of("0", "1", "2", "3")) sentinel(output, Map.of());
    labCluster.submit(job(new TaskSource.Count(4), Optional.empty(), again("1,3")));
    labCluster.deliver();

    assertThat(labCluster.open("j")).isEqualTo(2);
    assertThat(exists("0") && exists("2")).isTrue();
    assertThat(exists("1") || exists("3")).as("deleted, so that they make their own").isFalse();
  }

  @Test
  void otherTasksKeepTheRuleOfTheJob() {
    sentinel("0", Map.of("mayfly-code", "0ld"));
    sentinel("1", Map.of("mayfly-code", "c0de"));
    sentinel("2", Map.of("mayfly-code", "c0de"));
    var rule = new DoneRule(false, true, false, Optional.of(TaskRanges.parse("2")));
    labCluster.submit(job(new TaskSource.Count(3), Optional.of("c0de"), Optional.of(rule)));
    labCluster.deliver();

    assertThat(labCluster.open("j")).isEqualTo(2);
    assertThat(exists("1")).isTrue();
    assertThat(exists("0") || exists("2")).isFalse();
  }

  @Test
  void unknownTaskToRunAgainIsRefused() {
    var message = labCluster.submit(job(new TaskSource.Count(3), Optional.empty(), again("1,3-4")));

    assertThat(labCluster.refused(message))
        .singleElement()
        .asString()
        .contains("tasks.again: names task 4, and the job has the tasks 0 to 2");
  }

  private static Optional<DoneRule> again(String tasks) {
    return Optional.of(new DoneRule(false, false, false, Optional.of(TaskRanges.parse(tasks))));
  }

  private static JobSpec job(TaskSource tasks, Optional<String> code, Optional<DoneRule> done) {
    var plain = LabCluster.spec("j", tasks, "gs://lab/out/" + name(tasks));
    var run = plain.run();
    return JobBuilder.like(plain)
        .tasks(tasks)
        .data(new JobSpec.Data(plain.data().output(), false, OutputMode.UPLOADED, false, done))
        .run(RunBuilder.like(run).code(code.map(hash -> "gs://lab/mayfly/.code/" + hash + ".zip")))
        .build();
  }

  private static String name(TaskSource tasks) {
    return tasks instanceof TaskSource.Inputs ? "{file}" : "{index}";
  }

  /** Made by a job of the past. */
  private void sentinel(String output, Map<String, String> made) {
    var metadata = new HashMap<>(made);
    metadata.put("mayfly-job", "past");
    metadata.put("mayfly-task", "0");
    metadata.put("mayfly-attempt", "s0e1");
    labCluster.put("gs://lab/out/" + output + ".COMPLETE", "", metadata);
  }

  private boolean exists(String output) {
    return labCluster
        .objects
        .find(ObjectUrl.of("gs://lab/out/" + output + ".COMPLETE"))
        .isPresent();
  }

  private String generation(String url) {
    return Long.toString(labCluster.objects.find(ObjectUrl.of(url)).orElseThrow().generation());
  }
}

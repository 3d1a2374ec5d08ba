package dev.mayfly.core.agent.task;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.sync.JobInfo;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class TaskCommandTest {
  private static final TaskItem ITEM =
      new TaskItem(7, Optional.of("gs://b/in/x.jsonl.gz"), Map.of("lang", "en"));

  private static JobInfo jobInfo(Resources need, boolean downloaded, String... command) {
    var plain = AgentFixtures.needing(need);
    var spec = plain.spec();
    var run = spec.run();
    return new JobInfo(
        plain.job(),
        plain.hash(),
        new JobSpec(
            spec.name(),
            spec.cluster(),
            spec.owner(),
            spec.tasks(),
            new JobSpec.Data(
                Optional.of("gs://b/out/{stem}"),
                downloaded,
                OutputMode.UPLOADED,
                false,
                Optional.empty()),
            new JobSpec.Run(
                List.of(command),
                run.code(),
                Map.of("A", "job", "MAYFLY_JOB", "x"),
                run.timeout(),
                run.grace(),
                run.cutOff(),
                run.secrets(),
                run.image(),
                run.registries(),
                run.rights(),
                run.environment()),
            need,
            spec.retries(),
            spec.priority(),
            spec.place(),
            spec.exclusive(),
            spec.gang(),
            spec.anyRegion(),
            spec.settle(),
            spec.admissionRules()),
        plain.bucket(),
        Map.of("A", "cluster", "B", "cluster"),
        100,
        Optional.empty(),
        Optional.empty());
  }

  private static JobInfo inImage(JobInfo jobInfo) {
    var image = new PinnedImage("lab/image:1", "sha256:" + "a".repeat(64));
    var spec = jobInfo.spec().in(image);
    return jobInfo.withSpec(spec);
  }

  private static TaskCommand of(JobInfo jobInfo, List<Integer> gpus) {
    var start = new AgentEffect.Start(AgentFixtures.attempt(0, 7), jobInfo, ITEM, gpus);
    return TaskCommand.of(start, "/w/in", "/w/out");
  }

  @Test
  void onlyPlaceholdersAreFilled() {
    var command =
        new String[] {
          "x",
          "{input}",
          "{output}",
          "{inputFile}",
          "{outputFile}",
          "{index}-{stem}-{attempt}-{lang}",
          "{print $1}",
          "{{index}}"
        };

    assertThat(of(jobInfo(Resources.ZERO, false, command), List.of()).argv())
        .containsExactly(
            "x",
            "gs://b/in/x.jsonl.gz",
            "gs://b/out/x",
            "/w/in",
            "/w/out",
            "7-x-s0e1-en",
            "{print $1}",
            "{index}");
  }

  @Test
  void environmentPrecedenceIsClusterJobMayfly() {
    var env = of(jobInfo(Resources.ZERO, false, "x"), List.of()).env();

    assertThat(env)
        .containsEntry("A", "job")
        .containsEntry("B", "cluster")
        .containsEntry("MAYFLY_JOB", "j1")
        .containsEntry("MAYFLY_INDEX", "7")
        .containsEntry("MAYFLY_INPUT", "/w/in")
        .containsEntry("MAYFLY_OUTPUT", "/w/out")
        .doesNotContainKey("CUDA_VISIBLE_DEVICES");
  }

  @Test
  void requestedDevicesAreNamed() {
    assertThat(of(jobInfo(new Resources(0, 0, 2_000, 0), false, "x"), List.of(1, 3)).env())
        .containsEntry("CUDA_VISIBLE_DEVICES", "1,3")
        .containsEntry("NVIDIA_VISIBLE_DEVICES", "1,3");
  }

  @Test
  void devicesInContainersCountFromZero() {
    var jobInfo = jobInfo(new Resources(0, 0, 2_000, 0), false, "x");
    var there = inImage(jobInfo);

    assertThat(of(there, List.of(1, 3)).env())
        .containsEntry("CUDA_VISIBLE_DEVICES", "0,1")
        .doesNotContainKey("NVIDIA_VISIBLE_DEVICES");
    assertThat(of(there, List.of(7)).env()).containsEntry("CUDA_VISIBLE_DEVICES", "0");
  }

  @Test
  void inputIsDownloadedIfNamedOrRequested() {
    assertThat(TaskCommand.wantsInput(jobInfo(Resources.ZERO, false, "x", "{input}").spec(), ITEM))
        .isFalse();
    assertThat(
            TaskCommand.wantsInput(
                jobInfo(Resources.ZERO, false, "x", "-i={inputFile}").spec(), ITEM))
        .isTrue();
    assertThat(TaskCommand.wantsInput(jobInfo(Resources.ZERO, true, "x").spec(), ITEM)).isTrue();
    for (var text : List.of("wc < \"$MAYFLY_INPUT\"", "wc ${MAYFLY_INPUT}"))
      assertThat(
              TaskCommand.wantsInput(jobInfo(Resources.ZERO, false, "sh", "-c", text).spec(), ITEM))
          .as(text)
          .isTrue();
    for (var text : List.of("curl \"$MAYFLY_INPUT_URL\"", "echo $MY_MAYFLY_INPUT"))
      assertThat(
              TaskCommand.wantsInput(jobInfo(Resources.ZERO, false, "sh", "-c", text).spec(), ITEM))
          .as(text)
          .isFalse();
    assertThat(
            TaskCommand.wantsInput(jobInfo(Resources.ZERO, true, "x").spec(), TaskItem.counted(7)))
        .isFalse();
  }
}

package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.jobs.TaskLister;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.sim.fixture.LabCluster;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** Jobs whose tasks are in a task list that a client stored. */
class ItemsFileTest {
  private static final String LIST = "gs://lab/mayfly/.code/ab.jsonl";

  private final LabCluster labCluster = new LabCluster(1_000);

  @Test
  void aLongListIsReadInSlices() {
    store(LIST, LongStream.range(0, 45_000).mapToObj(i -> item(i, "lr", "0." + i)).toList());

    labCluster.submit(spec(LIST, "lr"));
    labCluster.deliver();

    var job = labCluster.job("s");
    assertThat(job.state()).isInstanceOf(JobState.Running.class);
    assertThat(job.tasks().count()).isEqualTo(45_000);
    var lister = new TaskLister(labCluster.objects, labCluster.codec);
    assertThat(lister.read(job, BucketLayout.of("gs://lab"), 44_998, 45_000))
        .containsExactly(item(44_998, "lr", "0.44998"), item(44_999, "lr", "0.44999"));
  }

  @Test
  void linesOfOthersAreRefused() {
    store(LIST, List.of(item(0, "lr", "1"), item(1, "model", "x")));
    assertThat(refusal(spec(LIST, "lr"))).contains("tasks.items.file", "(line 2)", "mayfly submit");

    store("gs://lab/mayfly/.code/cd.jsonl", List.of(item(7, "lr", "1")));
    assertThat(refusal(spec("gs://lab/mayfly/.code/cd.jsonl", "lr"))).contains("(line 1)");

    var input = new TaskItem(0, Optional.of("gs://other/secret"), Map.of("lr", "1"));
    store("gs://lab/mayfly/.code/ef.jsonl", List.of(input));
    assertThat(refusal(spec("gs://lab/mayfly/.code/ef.jsonl", "lr"))).contains("(line 1)");
  }

  @Test
  void onlyTheClustersBucketIsRead() {
    store("gs://other/ab.jsonl", List.of(item(0, "lr", "1")));

    assertThat(refusal(spec("gs://other/ab.jsonl", "lr")))
        .contains("gs://other/ab.jsonl is not in the cluster's bucket, gs://lab");
    assertThat(refusal(spec("gs://lab/none.jsonl", "lr"))).contains("there is no object");
  }

  private String refusal(JobSpec spec) {
    return String.join("\n", labCluster.refused(labCluster.submit(spec)));
  }

  private static JobSpec spec(String list, String name) {
    return LabCluster.spec(
        "s", new TaskSource.ItemsFile(list, List.of(name)), "gs://lab/out/{index}");
  }

  private static TaskItem item(long index, String name, String value) {
    return new TaskItem(index, Optional.empty(), Map.of(name, value));
  }

  private void store(String url, List<TaskItem> items) {
    var content = ObjectStore.Content.of(labCluster.codec.tasks(items));
    labCluster.objects.create(ObjectUrl.of(url), content, Map.of());
  }
}

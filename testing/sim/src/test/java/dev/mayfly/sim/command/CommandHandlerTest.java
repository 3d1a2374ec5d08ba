package dev.mayfly.sim.command;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.cluster.TaskRights;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserMessage;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.sim.fixture.LabCluster;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class CommandHandlerTest {
  private final LabCluster labCluster = new LabCluster();

  private static JobSpec inputs(String name, String output) {
    return LabCluster.spec(name, new TaskSource.Inputs("gs://lab/in/*.txt"), output);
  }

  private void givenInputs(int n) {
    for (var i = 0; i < n; i++) labCluster.put("gs://lab/in/%06d.txt".formatted(i));
  }

  private void covers(String job, long tasks) {
    var next = 0L;
    for (var shard : labCluster.shards(job)) {
      assertThat(shard.start()).isEqualTo(next);
      next = shard.end();
    }
    assertThat(next).isEqualTo(tasks).isEqualTo(labCluster.job(job).tasks().count());
  }

  @Test
  void countedJobIsStoredWithShardsAndQueued() {
    labCluster.submit(LabCluster.count("c", 1_000));

    assertThat(labCluster.job("c").state()).isInstanceOf(JobState.Running.class);
    covers("c", 1_000);
    var jobQueue =
        labCluster.store.read(new DocumentKey.OfJobQueue(labCluster.uid)).orElseThrow().value();
    assertThat(jobQueue.rows()).extracting(r -> r.name()).containsExactly("c");
    assertThat(labCluster.triggers).contains(Trigger.Reconcile.job(labCluster.job("c").key()));
  }

  @Test
  void fewItemsAreStoredInJob() {
    var items =
        new TaskSource.Items(
            List.of(Map.of("seed", "a"), Map.of("seed", "b", "input", "gs://lab/x")));
    labCluster.submit(LabCluster.spec("i", items, "gs://lab/out/{seed}"));

    assertThat(labCluster.job("i").tasks().items().orElseThrow())
        .extracting(t -> t.vars().get("seed"))
        .containsExactly("a", "b");
    assertThat(labCluster.job("i").tasks().items().orElseThrow().get(1).input())
        .contains("gs://lab/x");
  }

  @Test
  void moreInputsAreStoredInListsOfThousand() {
    givenInputs(2_500);
    labCluster.put("gs://lab/in/000001.txt.COMPLETE");
    labCluster.submit(inputs("m", "gs://lab/out/{stem}"));

    var job = labCluster.job("m");
    assertThat(job.tasks().items()).isEmpty();
    assertThat(job.state()).isInstanceOf(JobState.Running.class);
    covers("m", 2_500);
    var list =
        labCluster
            .objects
            .read(BucketLayout.of("gs://lab").tasks(job.uid(), 2_499), 1 << 20)
            .orElseThrow();
    assertThat(labCluster.codec.tasks(list))
        .hasSize(500)
        .last()
        .extracting(t -> t.input().orElseThrow())
        .isEqualTo("gs://lab/in/002499.txt");
  }

  @Test
  void emptyGlobIsRefusedAndStoresNothing() {
    var userMessage = labCluster.submit(inputs("e", "gs://lab/out/{stem}"));

    assertThat(labCluster.refused(userMessage))
        .singleElement()
        .asString()
        .contains("no object matches gs://lab/in/*.txt; gcloud storage ls gs://lab/in/ ")
        .contains("ls ~/.mayfly/cloud/buckets/lab/in/");
    assertThat(labCluster.jobs()).isEmpty();
    assertThat(labCluster.store.read(DocumentKey.OfJobName.of(labCluster.uid, "e"))).isEmpty();
  }

  @Test
  void oneTaskMoreThanTenMillionIsRefused() {
    assertThat(labCluster.refused(labCluster.submit(LabCluster.count("x", 10_000_001))))
        .singleElement()
        .asString()
        .contains("10,000,000");
    labCluster.submit(LabCluster.count("y", 10_000_000));
    assertThat(labCluster.jobs()).hasSize(1);
  }

  @Test
  void twoTasksWithOneOutputAreRefusedByName() {
    givenInputs(3);
    labCluster.put("gs://lab/in/000001.x.txt");
    var files = LabCluster.spec("d", new TaskSource.Inputs("gs://lab/in/*"), "gs://lab/out/same");
    var userMessage = labCluster.submit(files);

    assertThat(labCluster.refused(userMessage))
        .singleElement()
        .asString()
        .contains("tasks 0 and 1")
        .contains("gs://lab/out/same");
    assertThat(labCluster.jobs()).isEmpty();
  }

  @Test
  void duplicateOutputsInLongListFailJob() {
    givenInputs(20_100);
    labCluster.put("gs://lab/in/020099.csv");
    var files = LabCluster.spec("d", new TaskSource.Inputs("gs://lab/in/*"), "gs://lab/out/{stem}");
    labCluster.submit(files);
    labCluster.deliver();

    assertThat(labCluster.end("d"))
        .startsWith("FAILED")
        .contains("tasks 20099 and 20100")
        .contains("020099");
    assertThat(labCluster.shards("d")).isEmpty();
    labCluster.submit(LabCluster.count("d", 1));
    assertThat(labCluster.job("d").state())
        .as("the name is free")
        .isInstanceOf(JobState.Running.class);
  }

  @Test
  void countedOutputWithoutIndexIsRefused() {
    var spec = LabCluster.spec("n", new TaskSource.Count(5), "gs://lab/out/one");
    assertThat(labCluster.refused(labCluster.submit(spec)))
        .singleElement()
        .asString()
        .contains("tasks 0 and 1");
  }

  @Test
  void invalidPlacesAreRefusedWithoutRetry() {
    var out = new TaskSource.Items(List.of(Map.of("p", "../../etc")));
    assertThat(labCluster.refused(labCluster.submit(LabCluster.spec("o", out, "gs://lab/out/{p}"))))
        .singleElement()
        .asString()
        .contains("..");
    var in = new TaskSource.Inputs("gs://lab/in/[a");
    assertThat(
            labCluster.refused(labCluster.submit(LabCluster.spec("p", in, "gs://lab/o/{index}"))))
        .singleElement()
        .asString()
        .contains("[");
    assertThat(labCluster.jobs()).isEmpty();
  }

  @Test
  void disallowedRightsAreRefused() {
    for (var taskRights :
        List.of(
            new TaskRights(true, false, false),
            new TaskRights(false, true, false),
            new TaskRights(false, false, true)))
      assertThat(labCluster.refused(labCluster.submit(LabCluster.count("r", 1).with(taskRights))))
          .singleElement()
          .asString()
          .contains("does not allow it")
          .contains(
              taskRights.root()
                  ? "allow: [root]"
                  : taskRights.submitter() ? "allow: [submitter]" : "allow: [metadata]");
  }

  @Test
  void repeatedMessageIsOneJob() {
    var userMessage = labCluster.submit(LabCluster.count("r", 10));
    var before = labCluster.ledger.commits;
    labCluster.controlPlane.commandHandler().handle(userMessage);
    labCluster.control("b").commandHandler().handle(userMessage);

    assertThat(labCluster.jobs()).hasSize(1);
    assertThat(labCluster.ledger.commits).isEqualTo(before);
  }

  @Test
  void outputDateIsThatOfFirstSubmission() {
    var asked =
        LabCluster.count("r", 10)
            .withOutput(Optional.of("gs://lab/{owner}/{date}/{name}/{index}{{date}}"));
    var day = LocalDate.ofInstant(labCluster.now(), ZoneOffset.UTC);
    var userMessage = labCluster.submit(asked);
    labCluster.advance(Duration.ofDays(1).toMillis());
    labCluster.control("b").commandHandler().handle(userMessage);

    assertThat(labCluster.refused(labCluster.submit(asked)))
        .as("the same content, a day later")
        .isEmpty();
    assertThat(labCluster.jobs())
        .singleElement()
        .satisfies(job -> {
          var owner = asked.owner().orElse("nobody");
          assertThat(job.spec().data().output())
              .hasValue("gs://lab/" + owner + "/" + day + "/r/{index}{{date}}");
        });
  }

  @Test
  void sameSubmissionIdIsOneJob() {
    labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("r", 10), Optional.of("mine")));
    labCluster.stop("r");
    labCluster.deliver();
    labCluster.publish(new UserCommand.SubmitJob(LabCluster.count("r", 10), Optional.of("mine")));

    assertThat(labCluster.jobs()).hasSize(1);
  }

  @Test
  void sameNameWithOtherContentIsRefused() {
    labCluster.submit(LabCluster.count("same", 10));
    assertThat(labCluster.refused(labCluster.submit(LabCluster.count("same", 10)))).isEmpty();
    assertThat(labCluster.jobs()).hasSize(1);

    assertThat(labCluster.refused(labCluster.submit(LabCluster.count("same", 11))))
        .singleElement()
        .asString()
        .contains("is live");
    assertThat(labCluster.jobs()).hasSize(1);
  }

  @Test
  void jobsWithSameContentAreDistinct() {
    labCluster.submit(LabCluster.count("same", 10));
    var first = labCluster.job("same");
    labCluster.stop("same");
    labCluster.deliver();
    labCluster.submit(LabCluster.count("same", 10));

    assertThat(labCluster.job("same").uid()).isNotEqualTo(first.uid());
    assertThat(labCluster.job("same").hash()).isNotEqualTo(first.hash());
  }

  @Test
  void mixedMessageKeepsValidCommands() {
    var userMessage =
        labCluster.publishLate(
            new UserCommand.SubmitJob(LabCluster.count("good", 1), Optional.empty()),
            new UserCommand.SubmitJob(inputs("bad", "gs://lab/out/{stem}"), Optional.empty()),
            new UserCommand.StopJob("elsewhere", "x"));

    assertThat(labCluster.jobs()).hasSize(1);
    assertThat(labCluster.refused(userMessage))
        .hasSize(2)
        .anyMatch(e -> e.startsWith("job bad"))
        .anyMatch(e -> e.contains("known clusters: lab"));
  }

  @Test
  void malformedBytesBecomeRejection() {
    var jobs = MessageTopic.ofAll(UserTopic.JOBS);
    byte[] odd = {0, 1, 2, 'x'};
    var userMessage = new UserMessage("odd", labCluster.now(), jobs, Optional.empty(), odd);
    labCluster.controlPlane.commandHandler().handle(userMessage);

    assertThat(labCluster.refused(userMessage)).hasSize(1);
  }

  @Test
  void sealedTaskIsNotRunAgain() {
    for (var i : IntStream.range(0, 10).toArray())
      labCluster.put("gs://lab/out/f/" + i + ".COMPLETE");
    labCluster.submit(LabCluster.count("f", 10));

    assertThat(labCluster.job("f").state()).isInstanceOf(JobState.Finishing.class);
    assertThat(
            labCluster
                .store
                .read(new DocumentKey.OfJobQueue(labCluster.uid))
                .map(t -> t.value().rows())
                .orElse(List.of()))
        .isEmpty();
    labCluster.deliver();
    assertThat(labCluster.end("f")).isEqualTo("SUCCEEDED: 10 done (10 before, 0 run)");

    for (var i : List.of(2, 5, 9)) labCluster.delete("gs://lab/out/f/" + i + ".COMPLETE");
    labCluster.submit(LabCluster.count("f", 10));
    assertThat(labCluster.open("f")).isEqualTo(3);
    assertThat(labCluster.job("f").state()).isInstanceOf(JobState.Running.class);
  }

  @Test
  void fullySealedListEndsWithoutQueueing() {
    givenInputs(20_001);
    for (var i = 0; i < 20_001; i++)
      labCluster.put("gs://lab/in/%06d.txt.out.COMPLETE".formatted(i));
    labCluster.submit(
        LabCluster.spec("z", new TaskSource.Inputs("gs://lab/in/*.txt"), "gs://lab/in/{file}.out"));
    labCluster.deliver();

    assertThat(labCluster.end("z")).isEqualTo("SUCCEEDED: 20,001 done (20,001 before, 0 run)");
    assertThat(labCluster.store.read(new DocumentKey.OfJobQueue(labCluster.uid))).isEmpty();
  }
}

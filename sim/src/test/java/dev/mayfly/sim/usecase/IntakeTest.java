package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.Rights;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.model.Topic;
import dev.mayfly.core.port.Places;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class IntakeTest {
  private final Lab lab = new Lab();

  private static JobSpec inputs(String name, String output) {
    return Lab.spec(name, new TaskSource.Inputs("gs://lab/in/*.txt"), output);
  }

  private void givenInputs(int n) {
    for (var i = 0; i < n; i++) lab.put("gs://lab/in/%06d.txt".formatted(i));
  }

  private void covers(String job, long tasks) {
    var next = 0L;
    for (var shard : lab.shards(job)) {
      assertThat(shard.start()).isEqualTo(next);
      next = shard.end();
    }
    assertThat(next).isEqualTo(tasks).isEqualTo(lab.job(job).tasks());
  }

  @Test
  void aCountIsStoredWithItsShardsAtOnceAndHasItsTurn() {
    lab.submit(Lab.count("c", 1_000));

    assertThat(lab.job("c").state()).isInstanceOf(JobState.Running.class);
    covers("c", 1_000);
    var turns = lab.store.read(new Key.OfTurns(lab.uid)).orElseThrow().value();
    assertThat(turns.rows()).extracting(r -> r.name()).containsExactly("c");
    assertThat(lab.hints).contains(Hint.Look.job(lab.job("c").key()));
  }

  @Test
  void aFewItemsAreKeptInTheJobItself() {
    var items =
        new TaskSource.Items(
            List.of(Map.of("seed", "a"), Map.of("seed", "b", "input", "gs://lab/x")));
    lab.submit(Lab.spec("i", items, "gs://lab/out/{seed}"));

    assertThat(lab.job("i").items().orElseThrow())
        .extracting(t -> t.vars().get("seed"))
        .containsExactly("a", "b");
    assertThat(lab.job("i").items().orElseThrow().get(1).input()).contains("gs://lab/x");
  }

  @Test
  void moreInputsAreKeptInListsOfAThousand() {
    givenInputs(2_500);
    lab.put("gs://lab/in/000001.txt.COMPLETE");
    lab.submit(inputs("m", "gs://lab/out/{stem}"));

    var job = lab.job("m");
    assertThat(job.items()).isEmpty();
    assertThat(job.state()).isInstanceOf(JobState.Running.class);
    covers("m", 2_500);
    var list =
        lab.objects.read(Places.of("gs://lab").tasks(job.uid(), 2_499), 1 << 20).orElseThrow();
    assertThat(lab.codec.tasks(list))
        .hasSize(500)
        .last()
        .extracting(t -> t.input().orElseThrow())
        .isEqualTo("gs://lab/in/002499.txt");
  }

  @Test
  void anEmptyGlobIsRefusedAndNothingIsStored() {
    var message = lab.submit(inputs("e", "gs://lab/out/{stem}"));

    assertThat(lab.refused(message))
        .singleElement()
        .asString()
        .contains("no object matches gs://lab/in/*.txt");
    assertThat(lab.jobs()).isEmpty();
    assertThat(lab.store.read(new Key.OfJobName(lab.uid, "e"))).isEmpty();
  }

  @Test
  void oneTaskMoreThanTenMillionIsRefused() {
    assertThat(lab.refused(lab.submit(Lab.count("x", 10_000_001))))
        .singleElement()
        .asString()
        .contains("10,000,000");
    lab.submit(Lab.count("y", 10_000_000));
    assertThat(lab.jobs()).hasSize(1);
  }

  @Test
  void twoTasksWithOneOutputAreRefusedByName() {
    givenInputs(3);
    lab.put("gs://lab/in/000001.x.txt");
    var files = Lab.spec("d", new TaskSource.Inputs("gs://lab/in/*"), "gs://lab/out/same");
    var message = lab.submit(files);

    assertThat(lab.refused(message))
        .singleElement()
        .asString()
        .contains("tasks 0 and 1")
        .contains("gs://lab/out/same");
    assertThat(lab.jobs()).isEmpty();
  }

  @Test
  void twoTasksWithOneOutputAreFoundInALongListToo() {
    givenInputs(20_100);
    lab.put("gs://lab/in/020099.csv");
    var files = Lab.spec("d", new TaskSource.Inputs("gs://lab/in/*"), "gs://lab/out/{stem}");
    lab.submit(files);
    lab.deliver();

    assertThat(lab.end("d"))
        .startsWith("FAILED")
        .contains("tasks 20099 and 20100")
        .contains("020099");
    assertThat(lab.shards("d")).isEmpty();
    lab.submit(Lab.count("d", 1));
    assertThat(lab.job("d").state()).as("the name is free").isInstanceOf(JobState.Running.class);
  }

  @Test
  void aCountWhoseOutputHasNoIndexIsRefused() {
    var spec = Lab.spec("n", new TaskSource.Count(5), "gs://lab/out/one");
    assertThat(lab.refused(lab.submit(spec))).singleElement().asString().contains("tasks 0 and 1");
  }

  @Test
  void placesThatAreNoneAreRefusedAndNotTriedForEver() {
    var out = new TaskSource.Items(List.of(Map.of("p", "../../etc")));
    assertThat(lab.refused(lab.submit(Lab.spec("o", out, "gs://lab/out/{p}"))))
        .singleElement()
        .asString()
        .contains("..");
    var in = new TaskSource.Inputs("gs://lab/in/[a");
    assertThat(lab.refused(lab.submit(Lab.spec("p", in, "gs://lab/o/{index}"))))
        .singleElement()
        .asString()
        .contains("[");
    assertThat(lab.jobs()).isEmpty();
  }

  @Test
  void rightsThatTheClusterDoesNotAllowAreRefused() {
    for (var rights : List.of(new Rights(true, false), new Rights(false, true)))
      assertThat(lab.refused(lab.submit(Lab.count("r", 1).with(rights))))
          .singleElement()
          .asString()
          .contains("does not allow it")
          .contains(rights.root() ? "allow: [root]" : "allow: [metadata]");
  }

  @Test
  void aRepeatedMessageIsOneJob() {
    var message = lab.submit(Lab.count("r", 10));
    var before = lab.ledger.commits;
    lab.control.intake().receive(message);
    lab.control("b").intake().receive(message);

    assertThat(lab.jobs()).hasSize(1);
    assertThat(lab.ledger.commits).isEqualTo(before);
  }

  @Test
  void theDayOfTheSubmissionIsInTheOutputHoweverOftenItComes() {
    var asked =
        Lab.count("r", 10).to(Optional.of("gs://lab/{owner}/{date}/{name}/{index}{{date}}"));
    var day = LocalDate.ofInstant(lab.now(), ZoneOffset.UTC);
    var message = lab.submit(asked);
    lab.pass(Duration.ofDays(1).toMillis());
    lab.control("b").intake().receive(message);

    assertThat(lab.refused(lab.submit(asked))).as("the same content, a day later").isEmpty();
    assertThat(lab.jobs())
        .singleElement()
        .satisfies(job -> {
          var owner = asked.owner().orElse("nobody");
          assertThat(job.spec().data().output())
              .hasValue("gs://lab/" + owner + "/" + day + "/r/{index}{{date}}");
        });
  }

  @Test
  void aSubmissionsOwnIdMakesTwoMessagesOneJob() {
    lab.publish(new Command.SubmitJob(Lab.count("r", 10), Optional.of("mine")));
    lab.stop("r");
    lab.deliver();
    lab.publish(new Command.SubmitJob(Lab.count("r", 10), Optional.of("mine")));

    assertThat(lab.jobs()).hasSize(1);
  }

  @Test
  void theSameNameAndContentAddNothingAndOtherContentIsRefused() {
    lab.submit(Lab.count("same", 10));
    assertThat(lab.refused(lab.submit(Lab.count("same", 10)))).isEmpty();
    assertThat(lab.jobs()).hasSize(1);

    assertThat(lab.refused(lab.submit(Lab.count("same", 11))))
        .singleElement()
        .asString()
        .contains("is live");
    assertThat(lab.jobs()).hasSize(1);
  }

  @Test
  void twoJobsOfTheSameContentAreNotTakenForOneAnotherByAgents() {
    lab.submit(Lab.count("same", 10));
    var first = lab.job("same");
    lab.stop("same");
    lab.deliver();
    lab.submit(Lab.count("same", 10));

    assertThat(lab.job("same").uid()).isNotEqualTo(first.uid());
    assertThat(lab.job("same").hash()).isNotEqualTo(first.hash());
  }

  @Test
  void aMessageOfManyKeepsWhatIsRightAndTellsWhatIsWrong() {
    var message =
        lab.publishLate(
            new Command.SubmitJob(Lab.count("good", 1), Optional.empty()),
            new Command.SubmitJob(inputs("bad", "gs://lab/out/{stem}"), Optional.empty()),
            new Command.StopJob("elsewhere", "x"));

    assertThat(lab.jobs()).hasSize(1);
    assertThat(lab.refused(message))
        .hasSize(2)
        .anyMatch(e -> e.startsWith("job bad"))
        .anyMatch(e -> e.contains("those that are up: lab"));
  }

  @Test
  void bytesThatAreNoDocumentBecomeARejection() {
    var message = new Message("odd", lab.now(), Topic.JOBS, new byte[] {0, 1, 2, 'x'});
    lab.control.intake().receive(message);

    assertThat(lab.refused(message)).hasSize(1);
  }

  @Test
  void whatHasASentinelIsNotRunAgain() {
    for (var i : IntStream.range(0, 10).toArray()) lab.put("gs://lab/out/f/" + i + ".COMPLETE");
    lab.submit(Lab.count("f", 10));

    assertThat(lab.job("f").state()).isInstanceOf(JobState.Finishing.class);
    assertThat(
            lab.store.read(new Key.OfTurns(lab.uid)).map(t -> t.value().rows()).orElse(List.of()))
        .isEmpty();
    lab.deliver();
    assertThat(lab.end("f")).isEqualTo("SUCCEEDED: 10 done");

    for (var i : List.of(2, 5, 9)) lab.delete("gs://lab/out/f/" + i + ".COMPLETE");
    lab.submit(Lab.count("f", 10));
    assertThat(lab.open("f")).isEqualTo(3);
    assertThat(lab.job("f").state()).isInstanceOf(JobState.Running.class);
  }

  @Test
  void aLongListWhoseTasksAllHaveSentinelsEndsWithoutATurn() {
    givenInputs(20_001);
    for (var i = 0; i < 20_001; i++) lab.put("gs://lab/in/%06d.txt.out.COMPLETE".formatted(i));
    lab.submit(Lab.spec("z", new TaskSource.Inputs("gs://lab/in/*.txt"), "gs://lab/in/{file}.out"));
    lab.deliver();

    assertThat(lab.end("z")).isEqualTo("SUCCEEDED: 20,001 done");
    assertThat(lab.store.read(new Key.OfTurns(lab.uid))).isEmpty();
  }
}

package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Message;
import dev.mayfly.core.model.TaskSource;
import dev.mayfly.core.port.Places;
import dev.mayfly.core.port.Write;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Predicate;
import org.junit.jupiter.api.Test;

/** One call at a time works on a long list, and the next begins where it ended. */
class LongWorkTest {
  private static final Duration MINUTE = Duration.ofMinutes(1);

  private final Lab lab = new Lab(1_000);

  /** The commit so many job documents after now. */
  private static Predicate<List<Write>> jobCommit(int number) {
    var seen = new AtomicInteger();
    return writes ->
        writes.stream().anyMatch(w -> w.key().path().matches(".*/jobs/[^/]+"))
            && seen.incrementAndGet() == number;
  }

  private Hint.Expand expand() {
    return new Hint.Expand(lab.uid, lab.jobs().getFirst().uid());
  }

  private Hint.Audit audit() {
    return new Hint.Audit(lab.uid, lab.jobs().getFirst().uid());
  }

  private void givenLongList() {
    for (var i = 0; i < 61_000; i++) lab.put("gs://lab/in/%06d.txt".formatted(i));
    lab.submit(Lab.spec("s", new TaskSource.Inputs("gs://lab/in/*.txt"), "gs://lab/out/{stem}"));
    lab.hints.clear();
  }

  /** 23 pieces of outcome, of which a call makes 20. */
  private void givenLongAudit() {
    lab.submit(Lab.count("p", 230_000));
    while (!(lab.job("p").state() instanceof JobState.Running)) lab.deliver();
    lab.stop("p");
    lab.hints.clear();
  }

  @Test
  void tickLeavesAListToTheCallThatIsAtIt() {
    givenLongList();
    var others = lab.control("b");
    lab.ledger.before(
        jobCommit(2),
        () -> {
          var before = lab.job("s");
          others.look(new Hint.Tick());
          others.look(expand());
          assertThat(lab.hints).doesNotContain(expand());
          assertThat(lab.job("s")).isEqualTo(before);
        });

    lab.control.look(expand());

    assertThat(lab.job("s").state().workedUntil()).isEmpty();
    assertThat(lab.hints).isNotEmpty();
  }

  @Test
  void tickAsksAgainOnceTheTimeOfACallHasPassed() {
    givenLongList();
    die(lab.time.instant().plus(MINUTE));

    lab.control("b").look(new Hint.Tick());
    assertThat(lab.hints).doesNotContain(expand());
    lab.time.pass(MINUTE);
    lab.control("b").look(new Hint.Tick());

    assertThat(lab.hints).contains(expand());
    lab.deliver();
    assertThat(lab.job("s").state()).isInstanceOf(JobState.Running.class);
  }

  /** As a call leaves it that ended in the middle. */
  private void die(Instant until) {
    var stored = lab.store.read(lab.job("s").key()).orElseThrow();
    var state = new JobState.Expanding("", 0, -1, Optional.of(until));
    Job left = stored.value().with(state);
    lab.store.commit(List.of(new Write.Update(left, stored.version())));
  }

  @Test
  void failedCallLeavesItsListToTheNextAtOnce() {
    givenLongList();
    lab.ledger.unknown(jobCommit(2));
    try {
      lab.control.look(expand());
    } catch (Unavailable expected) {
      assertThat(lab.job("s").state().workedUntil()).isEmpty();
    }
    lab.ledger.unknown(w -> false);
    assertThat(lab.job("s").state()).isInstanceOf(JobState.Expanding.class);

    lab.control.look(expand());

    assertThat(lab.job("s").state()).isNotEqualTo(new JobState.Expanding("", 0, -1));
  }

  @Test
  void anAuditGoesOnWhereTheCallBeforeEnded() {
    givenLongAudit();
    lab.control.look(audit());
    assertThat(lab.hints).containsExactly(audit());
    assertThat(lab.job("p").state())
        .isInstanceOfSatisfying(
            JobState.Finishing.class,
            s -> {
              assertThat(s.audited().orElseThrow().tasks()).isEqualTo(200_000);
              assertThat(s.audited().orElseThrow().shard()).isBetween(190_000L, 200_000L);
            });
    // What was compared is not looked at again.
    var first = Places.of("gs://lab").outcome(lab.job("p").uid(), 0);
    lab.delete(first.toString());

    lab.deliver();

    assertThat(lab.end("p")).isEqualTo("STOPPED: 0 done, 230,000 not finished");
    assertThat(lab.objects.find(first)).isEmpty();
    assertThat(lab.job("p").totals().orElseThrow().shards()).isEqualTo(lab.shards("p").size());
  }

  @Test
  void tickLeavesAnAuditToTheCallThatIsAtIt() {
    givenLongAudit();
    var others = lab.control("b");
    lab.ledger.before(
        jobCommit(3),
        () -> {
          others.look(new Hint.Tick());
          assertThat(lab.hints).doesNotContain(audit());
          var before = lab.job("p");
          others.look(audit());
          assertThat(lab.job("p")).isEqualTo(before);
        });

    lab.control.look(audit());
    lab.deliver();

    assertThat(lab.end("p")).startsWith("STOPPED");
  }

  @Test
  void followingALogDisturbsNoList() {
    givenLongList();
    lab.ledger.before(
        jobCommit(2),
        () -> {
          var stored = lab.store.read(lab.job("s").key()).orElseThrow();
          var followed = stored.value().followed(lab.time.instant());
          lab.store.commit(List.of(new Write.Update(followed, stored.version())));
        });

    lab.control.look(expand());
    lab.deliver();

    assertThat(lab.job("s").state()).isInstanceOf(JobState.Running.class);
    assertThat(lab.job("s").followedUntil()).isPresent();
    assertThat(lab.open("s")).isEqualTo(61_000);
  }

  @Test
  void stopInTheMiddleOfAListHolds() {
    givenLongList();
    lab.ledger.before(jobCommit(2), () -> lab.control("b").intake().receive(stop()));

    lab.control.look(expand());
    lab.deliver();

    assertThat(lab.end("s")).startsWith("STOPPED");
  }

  private Message stop() {
    return lab.message(new Command.StopJob("lab", "s"));
  }
}

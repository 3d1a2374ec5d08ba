package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Control;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.WorkerState;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The traces of silence, second by second, with agents that speak as they should. */
class JudgeTest {
  private final Lab lab = new Lab();
  private final List<Caller> speaking = new ArrayList<>();

  private Caller speaker(String name) {
    var w = lab.machine(name);
    w.wait = 10;
    speaking.add(w);
    w.call();
    return w;
  }

  /** A second in which everybody who was answered calls again. */
  private void second() {
    lab.pass(1_000);
    for (var w : List.copyOf(speaking)) if (w.answers.size() >= w.seq) speak(w);
  }

  private void speak(Caller w) {
    try {
      w.call();
    } catch (Unavailable later) {
      w.seq--;
    }
  }

  private void seconds(int n) {
    for (var i = 0; i < n; i++) second();
  }

  /** After how many seconds the worker is lost, if it is within {@code most}. */
  private int lostAfter(String worker, int most) {
    for (var s = 0; s < most; s++) {
      if (lab.worker(worker).state() instanceof WorkerState.Lost) return s;
      if (s % 60 == 59) lab.control.look(new Hint.Tick());
      second();
    }
    return most;
  }

  private boolean lost(String worker) {
    return lab.worker(worker).state() instanceof WorkerState.Lost;
  }

  @Test
  void oneFrozenAmongOthersIsLostWithinFortySecondsAndItsTasksAreReady() {
    lab.submit(Lab.count("j", 2));
    var frozen = speaker("a");
    speaker("b");
    speaker("c");
    seconds(20);
    assertThat(frozen.held()).isNotEmpty();
    speaking.remove(frozen);

    assertThat(lostAfter("a", 100)).isLessThanOrEqualTo(40);
    assertThat(lab.shards("j"))
        .noneMatch(s -> s.owner().filter(o -> o.worker().equals("a")).isPresent());
    assertThat(lost("b")).isFalse();
    assertThat(lost("c")).isFalse();
  }

  @Test
  void oneOfTwoIsLostWithinFortySeconds() {
    var frozen = speaker("a");
    speaker("b");
    seconds(20);
    speaking.remove(frozen);
    assertThat(lostAfter("a", 100)).isLessThanOrEqualTo(40);
    assertThat(lost("b")).isFalse();
  }

  @Test
  void aloneInItsClusterItIsLostWithinTwoHundredSeconds() {
    lab.submit(Lab.count("j", 2));
    var frozen = speaker("a");
    seconds(20);
    speaking.remove(frozen);

    assertThat(lostAfter("a", 400)).isBetween(100, 215);
    assertThat(lab.shards("j")).allMatch(s -> s.state() == Shard.State.READY);
  }

  @Test
  void anOutageOfTenMinutesLosesNobodyAndRepeatsNothing() {
    lab.submit(Lab.count("j", 6));
    for (var name : List.of("a", "b", "c")) speaker(name);
    seconds(20);
    var shards = lab.shards("j");
    lab.ledger.away = true;
    seconds(600);
    lab.ledger.away = false;
    seconds(60);

    for (var w : speaking) assertThat(lost(w.name)).as(w.name).isFalse();
    assertThat(lab.shards("j")).isEqualTo(shards);
  }

  @Test
  void anInstanceThatDiesFor45SecondsLosesNobodyWhoReturnsWithinFive() {
    for (var name : List.of("a", "b", "c", "d", "e")) speaker(name);
    seconds(20);
    var all = List.copyOf(speaking);
    speaking.clear();
    lab.control.close();
    lab.pass(45_000);
    Control next = lab.control("next");
    for (var w : all) {
      w.desk = next;
      w.leases.clear();
      w.call();
      speaking.add(w);
      lab.pass(1_000);
    }
    seconds(60);

    for (var w : all) assertThat(lost(w.name)).as(w.name).isFalse();
  }

  @Test
  void aPassThatConflictsDecidesNothing() {
    var frozen = speaker("a");
    speaker("b");
    seconds(20);
    speaking.remove(frozen);
    var served = new Key.OfServed(lab.uid);
    for (var i = 0; i < 60; i++) {
      lab.ledger.before(
          w -> w.stream().anyMatch(x -> x.key().equals(served)), () -> lab.store.touch(served));
      second();
    }
    assertThat(lost("a")).isFalse();
    lab.ledger.before(w -> false, () -> {});
    assertThat(lostAfter("a", 40)).isLessThan(40);
  }

  @Test
  void whoeverSpeaksAgainInTimeIsNotLost() {
    var slow = speaker("a");
    speaker("b");
    seconds(20);
    speaking.remove(slow);
    seconds(20);
    speaking.add(slow);
    slow.call();
    seconds(60);
    assertThat(lost("a")).isFalse();
  }

  /** Its next call came to an instance that stands still and that nobody knows of. */
  @ParameterizedTest
  @CsvSource({"10, 15, true", "25, 30, false"})
  void callThatWasKeptByNobodyKnowsWhomLosesNobody(int wait, int abandoned, boolean busy) {
    if (busy) lab.submit(Lab.count("j", 2));
    var kept = speaker("a");
    kept.wait = wait;
    speaker("b");
    speaker("c");
    seconds(80);
    speaking.remove(kept);
    while (kept.answers.size() < kept.seq) second();

    seconds(abandoned);
    assertThat(lost("a")).isFalse();
    kept.call();
    seconds(30);

    assertThat(lost("a")).isFalse();
  }

  /** No call waits at the instance, so only those that come make it judge. */
  @Test
  void whoeverSpeaksIsNotLostByTheCallThatSaysSo() {
    var slow = lab.machine("a");
    var other = lab.machine("b");
    slow.wait = 0;
    other.wait = 0;
    slow.call();
    other.call();
    for (var pause : List.of(9, 9, 8)) {
      lab.pass(1_000L * pause);
      other.call();
    }
    lab.pass(7_000);

    slow.call();

    assertThat(lost("a")).isFalse();
  }

  @Test
  void allAtOnceAreLostByTheTickAlone() {
    speaker("a");
    speaker("b");
    seconds(20);
    speaking.clear();
    assertThat(lostAfter("a", 400)).isLessThanOrEqualTo(260);
    assertThat(lab.worker("b").state()).isInstanceOf(WorkerState.Lost.class);
  }

  @Test
  void aWorkerThatWasGivenUpIsNotCountedAmongTheOthers() {
    var gone = speaker("gone");
    var frozen = speaker("a");
    speaker("b");
    seconds(20);
    lab.change("gone", true, w -> w.with(new WorkerState.Gone(lab.now(), "deleted")));
    speaking.remove(gone);
    seconds(120);
    speaking.remove(frozen);
    assertThat(lostAfter("a", 100)).isLessThanOrEqualTo(40);
  }
}

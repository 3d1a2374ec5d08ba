package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Query;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** When due times are written: seldom, and before anybody who speaks could be called silent. */
class BeatsTest {
  private final Lab lab = new Lab();

  /** The newest that is written of the worker's due time, by whomever. */
  private Instant written(String worker) {
    return lab.store.query(new Query.AllBeats(lab.uid)).complete().stream()
        .map(b -> b.value().due().get(worker))
        .filter(Objects::nonNull)
        .max(Instant::compareTo)
        .orElseThrow();
  }

  private void assertSpeaking(String worker) {
    assertThat(written(worker).plus(Rules.DEFAULT.silentAfter())).isAfter(lab.now());
  }

  @Test
  void syncsWithoutNewsWriteNoWorkerAndBeatsOnlyBeforeTheWrittenOnesMeanSilence() {
    var w = lab.machine("w");
    w.wait = 1;
    w.ask();
    var version = lab.store.read(new Key.OfWorker(lab.uid, "w")).orElseThrow().version();
    var before = lab.ledger.commits;
    for (var i = 0; i < 160; i++) {
      w.call();
      lab.pass(250);
      assertSpeaking("w");
    }
    assertThat(lab.store.read(new Key.OfWorker(lab.uid, "w")).orElseThrow().version())
        .isEqualTo(version);
    assertThat(lab.ledger.commits - before).isBetween(3, 4);
  }

  @Test
  void whoCallsNowHereAndNowThereIsNeverCalledSilent() {
    var w = lab.machine("w");
    w.wait = 10;
    var desks = List.of(lab.control, lab.control("b"), lab.control("c"));
    w.call();
    lab.pass(100);
    for (var i = 0; i < 120; i++) {
      lab.pass(1_000);
      if (w.answers.size() >= w.seq) {
        w.desk = desks.get(i % 3);
        w.call();
      }
      assertSpeaking("w");
    }
  }

  @Test
  void aThousandWorkersCostAWriteEveryFewSeconds() {
    var workers = new java.util.ArrayList<Caller>();
    for (var i = 0; i < 1_000; i++) workers.add(lab.machine("w" + i));
    for (var w : workers) {
      w.wait = 10;
      w.call();
      lab.pass(10);
    }
    var before = lab.ledger.commits;
    for (var s = 0; s < 60; s++) {
      for (var w : workers) if (w.answers.size() >= w.seq) w.call();
      lab.pass(1_000);
      workers.forEach(w -> assertSpeaking(w.name));
    }
    assertThat(lab.ledger.commits - before).isBetween(6, 26);
  }

  /** After the answer the instance may have no processor: nobody would know of it. */
  @Test
  void firstDocumentIsWrittenBeforeTheFirstAnswer() {
    var w = lab.machine("w");
    w.wait = 0;

    w.call();

    assertThat(w.answers).hasSize(1);
    assertThat(written("w")).isEqualTo(lab.now().plus(Rules.DEFAULT.beat()));
  }

  @Test
  void aWaitingCallsWorkerIsDueWhenTheCallEnds() {
    var w = lab.machine("w");
    w.call();
    lab.pass(2_000);
    assertThat(written("w")).isEqualTo(lab.now().plusSeconds(23));
  }

  @Test
  void aWorkerThatIsDueSoonerThanIsWrittenIsWrittenSoon() {
    var w = lab.machine("w");
    w.call();
    lab.pass(4_000);
    assertThat(written("w")).isEqualTo(lab.now().plusSeconds(21));

    lab.submit(Lab.count("j", 2));
    lab.pass(3_000);

    assertThat(w.held()).isNotEmpty();
    assertThat(written("w")).isBefore(lab.now().plusSeconds(10));
  }

  @Test
  void theAnswerToAnOvertakenCallDoesNotMakeItsWorkerDueSooner() {
    var w = lab.machine("w");
    w.call();
    lab.pass(1_000);
    w.call();
    lab.pass(20_000);
    assertThat(w.answers).as("the older call").hasSize(1);
    assertSpeaking("w");
  }

  @Test
  void nothingIsReadOfWhoIsSilentWhileNobodyCanBe() {
    var w = lab.machine("w");
    w.call();
    lab.pass(1_000);
    assertThat(written("w").plus(Rules.DEFAULT.silentAfter()))
        .isAfter(lab.now().plus(Duration.ofSeconds(20)));
    lab.pass(10_000);
    assertThat(lab.store.read(new Key.OfServed(lab.uid))).isEmpty();
  }
}

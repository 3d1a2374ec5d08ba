package dev.mayfly.sim.rounds;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rounds;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobState;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Write;
import dev.mayfly.sim.fake.Hook;
import dev.mayfly.sim.fake.HookedLedger;
import dev.mayfly.sim.fake.Scope;
import dev.mayfly.sim.fake.Tally;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A look reads what its message names; the tick reads everything. */
class LookTest {
  private static final int MANY = 300;

  private final Bench b = new Bench(Bench.pool(0, 2 * MANY, Bench.ZONE));
  private final Tally tally = new Tally(b.time);
  private final Rounds counted = counted();

  private Rounds counted() {
    var ledger =
        new HookedLedger(
            b.ledger, new Scope("counted"), Hook.NONE, HookedLedger.Trouble.NONE, tally);
    var p = b.ports;
    var ports =
        new Ports(
            ledger,
            p.bus(),
            p.fleet(),
            p.objects(),
            p.codec(),
            p.alarms(),
            p.schedule(),
            p.ids(),
            p.clock());
    return new Rounds(ports, Rules.DEFAULT, "http://workers");
  }

  /** As many workers as the job needs, all at work; the counted process has read them. */
  private Job atWork(int workers) {
    var job = b.job("reddit", 2L * workers);
    b.tick();
    for (var worker : b.workers()) b.speak(worker.name());
    b.time.pass(Duration.ofMinutes(1));
    counted.tick();
    b.time.pass(Duration.ofSeconds(5));
    return job;
  }

  private long reads(Runnable work) {
    var before = tally.read().of(Tally.Kind.READ);
    work.run();
    return tally.read().of(Tally.Kind.READ) - before;
  }

  private void lose(String worker) {
    b.change(worker, w -> w.with(new WorkerState.Lost(b.time.instant(), Cause.PREEMPTED, "taken")));
  }

  private long live() {
    return b.workers().stream().filter(w -> w.state().live()).count();
  }

  @Test
  void replacesTheWorkerThatIsNamedWithoutReadingTheOthers() {
    atWork(MANY);
    var name = b.workers().getFirst().name();
    lose(name);

    var reads = reads(() -> counted.look(Hint.Look.worker(b.uid, name)));

    assertThat(reads).isLessThan(20);
    assertThat(live()).isEqualTo(MANY);
    b.time.pass(Duration.ofSeconds(2));
    assertThat(reads(() -> counted.look(Hint.Look.worker(b.uid, name)))).isLessThan(20);
    assertThat(live()).isEqualTo(MANY);
  }

  @Test
  void readsEverythingIfNothingIsNamed() {
    atWork(MANY);

    assertThat(reads(() -> counted.look(new Hint.Look(b.uid)))).isGreaterThan(MANY);
  }

  @Test
  void readsWhatAnotherProcessLaunched() {
    atWork(MANY);
    b.job("second", 20);
    b.rounds.tick();
    assertThat(live()).isEqualTo(MANY + 10);

    var reads = reads(() -> counted.look(Hint.Look.job(new Key.OfJob(b.uid, "uid-second"))));

    assertThat(reads).isBetween(10L, 50L);
    assertThat(live()).isEqualTo(MANY + 10);
  }

  @Test
  void readsEverythingOnceTheClusterChanged() {
    atWork(MANY);
    b.apply(Bench.spec(Bench.pool(0, 3 * MANY, Bench.ZONE)), b.time.instant());

    var name = b.workers().getFirst().name();
    assertThat(reads(() -> counted.look(Hint.Look.worker(b.uid, name)))).isGreaterThan(MANY);
  }

  @Test
  void readsEverythingWhenWhatIsKnownIsOld() {
    atWork(MANY);
    b.time.pass(Duration.ofMinutes(2));

    var name = b.workers().getFirst().name();
    assertThat(reads(() -> counted.look(Hint.Look.worker(b.uid, name)))).isGreaterThan(MANY);
  }

  @Test
  void findsAJobThatIsInTheTurnsThoughUnnamed() {
    atWork(10);
    var second = b.job("second", 4);
    var turns = b.ledger.read(new Key.OfTurns(b.uid)).orElseThrow();
    var with = turns.value().with(Turns.row(second), b.time.instant());
    b.ledger.commit(List.of(new Write.Update(with, turns.version())));

    counted.look(Hint.Look.worker(b.uid, b.workers().getFirst().name()));

    assertThat(live()).isEqualTo(12);
  }

  @Test
  void buysNothingForAJobThatEndedUnnamed() {
    var job = atWork(10);
    for (var worker : b.workers()) lose(worker.name());
    var stored = b.ledger.read(job.key()).orElseThrow();
    var end = new JobState.Ended(b.time.instant(), JobState.Result.STOPPED, "");
    var turns = b.ledger.read(new Key.OfTurns(b.uid)).orElseThrow();
    b.ledger.commit(
        List.of(
            new Write.Update(stored.value().with(end), stored.version()),
            new Write.Update(turns.value().without(job.uid(), b.time.instant()), turns.version())));

    counted.look(Hint.Look.worker(b.uid, b.workers().getFirst().name()));

    assertThat(live()).isZero();
  }
}

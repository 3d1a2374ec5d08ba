package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.Shard;
import dev.mayfly.core.model.WorkerState;
import org.junit.jupiter.api.Test;

/** Machines of one's own that come back under their name, and that their owner takes back. */
class JoinAgainTest extends OwnPool {
  @Test
  void oneThatCameBackIsNotJudgedByTheSilenceOfItsEarlierLife() {
    var other = joined("other");
    var desk = joined("desk");
    desk.ask();
    silentBeside(other, "desk");

    var back = again(desk);
    back.call();
    speaks(other, 12);
    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);

    silentBeside(other, "desk");
  }

  /** It is silent until it is lost, while the other one speaks. */
  private void silentBeside(Caller other, String worker) {
    for (var i = 0; i < 100 && !(state(worker) instanceof WorkerState.Lost); i++) speaks(other, 1);
    assertThat(state(worker)).isInstanceOf(WorkerState.Lost.class);
  }

  private void speaks(Caller worker, int seconds) {
    for (var i = 0; i < seconds; i++) {
      if (worker.answers.size() >= worker.seq) worker.call();
      lab.pass(1_000);
    }
  }

  @Test
  void oneWhoseAgentWasToldToEndHasLeftAndItsWorkIsElsewhereAtOnce() {
    var desk = joined("desk");
    lab.submit(onOwn("j", true));
    lab.deliver();
    desk.ask();
    assertThat(desk.held()).isNotEmpty();

    desk.release();
    desk.drained = true;
    desk.wait = 0;
    desk.room = Resources.ZERO;
    desk.ask();
    lab.pass(3_000);
    lab.deliver();
    lab.control.look(new Hint.Tick());

    assertThat(state("desk"))
        .isInstanceOfSatisfying(
            WorkerState.Gone.class, g -> assertThat(g.reason()).startsWith("left: "));
    assertThat(lab.shards("j")).noneMatch(s -> s.state() == Shard.State.LEASED);
    assertThat(again(desk).ask().fenced()).isFalse();
    assertThat(state("desk")).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void aBoughtMachineWhoseAgentWasToldToEndIsNotGivenUp() {
    var bought = lab.machine("bought");
    bought.ask();
    bought.drained = true;
    bought.ask();

    assertThat(state("bought")).isInstanceOf(WorkerState.Ready.class);
  }
}

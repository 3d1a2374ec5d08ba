package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.MachineEvent;
import dev.mayfly.core.model.Pulse;
import dev.mayfly.core.model.WorkerState;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;

/** Change signals: the first at once, the others together, once a second at most. */
class SignalsTest {
  private final Lab lab = new Lab();
  private int pulses;

  private void countPulses() {
    lab.store.observe(
        batch -> pulses += (int) batch.stream().filter(c -> c.document() instanceof Pulse).count());
  }

  @Test
  void preemptionOfAThousandMachinesCostsAHandfulOfSignals() {
    var workers = new ArrayList<Caller>();
    for (var i = 0; i < 1_024; i++) workers.add(lab.machine("w" + i));
    for (var w : workers) w.call();
    lab.pass(5_000);
    countPulses();

    for (var w : workers) {
      var zone = lab.worker(w.name).zone();
      var id = lab.worker(w.name).instanceId().orElseThrow();
      var event = new MachineEvent(zone, w.name, id, MachineEvent.Kind.PREEMPTED, lab.now());
      lab.control.vmEvents().take(event);
      lab.pass(3);
    }
    lab.pass(1_000);

    assertThat(workers).allMatch(w -> lab.worker(w.name).state() instanceof WorkerState.Lost);
    assertThat(pulses).isBetween(2, 6);
  }

  @Test
  void firstSignalIsSentAtOnceAndNamesWhatChanged() {
    var w = lab.machine("w");
    w.call();
    lab.pass(5_000);
    countPulses();

    lab.submit(Lab.count("j", 2));

    assertThat(pulses).isEqualTo(1);
    lab.pass(100);
    assertThat(w.held()).isNotEmpty();
  }

  @Test
  void secondSignalOfASecondComesWithinIt() {
    var w = lab.machine("w");
    w.call();
    lab.pass(5_000);
    countPulses();

    lab.submit(Lab.count("j", 2));
    lab.submit(Lab.count("k", 2));
    lab.submit(Lab.count("l", 2));
    assertThat(pulses).isEqualTo(1);
    lab.pass(1_100);

    assertThat(pulses).isEqualTo(2);
  }
}

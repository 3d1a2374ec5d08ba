package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.Ports;
import dev.mayfly.core.control.Rules;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.Turns;
import dev.mayfly.core.port.Alarms;
import dev.mayfly.core.port.Schedule;
import dev.mayfly.core.port.Write;
import dev.mayfly.sim.fake.Dice;
import dev.mayfly.sim.fake.SimFleet;
import dev.mayfly.sim.fake.SimIds;
import dev.mayfly.sim.fake.Trace;
import dev.mayfly.sim.fake.Weather;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Many instances that change one queue do not try again at once. */
class QueueConflictTest {
  private final Lab lab = new Lab();
  private final List<Duration> pauses = new ArrayList<>();

  /** In a process that waits inside its calls. */
  private Control waiting() {
    var alarms =
        new Alarms() {
          @Override
          public void at(Instant when, Runnable task) {
            lab.time.at(when, task);
          }

          @Override
          public boolean waitUntil(Instant when) {
            pauses.add(Duration.between(lab.time.instant(), when));
            lab.time.passTo(when);
            return true;
          }
        };
    var weather = Weather.calm(new Trace(lab.time));
    var fleet = new SimFleet(lab.time, new Dice(3), weather, new Lab.NoPower());
    var ports =
        new Ports(
            lab.ledger,
            lab.hints::add,
            fleet,
            lab.objects,
            lab.codec,
            alarms,
            Schedule.always(),
            new SimIds(new Dice(9)),
            lab.time);
    return new Control(ports, Rules.DEFAULT, "w", "http://workers");
  }

  /** So many changes of the queue each come a moment before the one that is tried. */
  private void others(int changes) {
    if (changes == 0) return;
    var turns = new Key.OfTurns(lab.uid);
    lab.ledger.before(
        writes -> writes.stream().anyMatch(w -> w.key().equals(turns)),
        () -> {
          var stored = lab.store.read(turns).orElseThrow();
          var touched = new Turns(lab.uid, lab.now(), stored.value().rows());
          lab.store.commit(List.of(new Write.Update(touched, stored.version())));
          others(changes - 1);
        });
  }

  @Test
  void waitsLongerAfterEachConflict() {
    lab.submit(Lab.count("first", 1));
    var message = lab.message(new Command.SubmitJob(Lab.count("j", 1), Optional.empty()));
    others(6);

    waiting().intake().receive(message);

    assertThat(lab.end("j")).startsWith("Running");
    assertThat(pauses).hasSizeGreaterThanOrEqualTo(6);
    for (var i = 0; i < 6; i++)
      assertThat(pauses.get(i).toMillis()).isBetween(50L << Math.min(i, 5), 100L << Math.min(i, 5));
  }
}

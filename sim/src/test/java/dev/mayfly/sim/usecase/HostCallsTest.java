package dev.mayfly.sim.usecase;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.Place;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.model.WorkerState;
import dev.mayfly.core.port.Write;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The agents of a slice's hosts, each of which speaks for itself. */
class HostCallsTest {
  private final Lab lab = new Lab();
  private final Caller first = lab.machine("pod", "cpu", "us-a", "v4-32");

  @Test
  void aSliceIsReadyOnceAllOfItsHostsHaveSpokenInWhateverOrder() {
    first.beside(3).call();
    first.call();
    first.beside(1).call();
    first.beside(1).restarted().call();
    assertThat(lab.worker("pod").state()).isInstanceOf(WorkerState.Booting.class);

    first.beside(2).call();

    assertThat(lab.worker("pod").state()).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void theFirstHostMayBeTheLastToSpeak() {
    for (var i = 1; i < 4; i++) first.beside(i).call();
    assertThat(lab.worker("pod").state()).isInstanceOf(WorkerState.Booting.class);

    first.call();

    assertThat(lab.worker("pod").state()).isInstanceOf(WorkerState.Ready.class);
  }

  @Test
  void theFirstHostsCallLearnsThatItsSliceIsReadyThoughItReadItAMomentBefore() {
    lab.submit(Lab.count("j", 1).at(Place.inPools(List.of("cpu"))));
    for (var i = 1; i < 3; i++) first.beside(i).call();
    first.call();
    lab.pass(2_000);
    lab.ledger.before(HostCallsTest::readies, () -> lab.pass(100));

    first.beside(3).call();
    lab.pass(2_000);

    assertThat(first.last().gang()).isNotEmpty();
  }

  private static boolean readies(List<Write> writes) {
    return writes.stream()
        .anyMatch(w ->
            w instanceof Write.Update u
                && u.document() instanceof Worker worker
                && worker.state() instanceof WorkerState.Ready);
  }

  @Test
  void aHostThatDoesNotHaveTheSlicesSecretIsRefused() {
    var stranger = first.beside(1);
    stranger.nonce = "guessed";

    assertThatThrownBy(stranger::call).isInstanceOf(Denied.class).hasMessageContaining("pod");
    assertThat(stranger.answers).isEmpty();
  }

  @Test
  void aHostThatTheSliceDoesNotHaveIsFenced() {
    assertThat(first.beside(4).ask().fenced()).isTrue();
    assertThat(lab.machine("m", "cpu", "us-a").beside(1).ask().fenced()).isTrue();
  }

  @Test
  void anOlderStartOfAHostsAgentIsFencedAndANewerOneIsHeard() {
    var old = first.beside(1);
    old.call();
    lab.pass(1_000);

    var next = old.restarted();
    next.call();

    assertThat(old.ask().fenced()).isTrue();
    assertThat(next.ask().fenced()).isFalse();
  }

  @Test
  void anotherMachineCannotTakeABoundHostsPlace() {
    for (var host : new int[] {0, 1}) {
      var bound = host == 0 ? first : first.beside(host);
      bound.call();
      lab.pass(1_000);
      var thief = host == 0 ? first.restarted() : bound.restarted();
      thief.incarnation = new Incarnation("i-thief", "boot", lab.now());

      assertThatThrownBy(thief::call)
          .isInstanceOf(Denied.class)
          .hasMessageContaining("host " + host)
          .hasMessageContaining("machine i-thief can't report for it");
    }
  }

  @Test
  void aHostOfASliceThatWasGivenUpIsFenced() {
    var host = first.beside(1);
    host.call();
    first.call();

    lab.change("pod", true, w -> w.with(new WorkerState.Lost(lab.now(), Cause.LOST, "silent")));

    lab.pass(1_000);
    assertThat(host.last().fenced()).isTrue();
    assertThat(first.last().fenced()).isTrue();
  }

  @Test
  void hostsBeyondTheFirstAreGivenNoLeasesOfTheirOwn() {
    for (var i = 1; i < 4; i++) first.beside(i).call();
    first.call();
    lab.submit(Lab.count("j", 20));
    lab.deliver();

    assertThat(first.beside(1).ask().leases()).isEmpty();
  }
}

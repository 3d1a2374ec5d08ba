package dev.mayfly.core.control;

import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/**
 * The control plane of one function instance: every use case, made from the ports.
 *
 * <p>Each is safe for many threads, and nothing that one remembers must survive it.
 */
public final class Control implements AutoCloseable {
  private final Ports ports;
  private final Rules rules;
  private final ChangeSignals signals;
  private final Intake intake;
  private final Redeliveries redeliveries;
  private final SyncDesk desk;
  private final Rounds rounds;
  private final Cleanup cleanup;
  private final VmEvents vmEvents;
  private final Expansion expansion;
  private final Audit audit;
  private final Views views;
  private final Optional<Vigil> vigil;
  private final Pausing pausing;
  private final TroubleLog log = new TroubleLog();

  /**
   * @param instance a name that no other instance has
   * @param workersUrl where agents sync, which new machines are told
   */
  public Control(Ports ports, Rules rules, String instance, String workersUrl) {
    this(ports, rules, instance, workersUrl, Optional.empty());
  }

  /**
   * @param vigil is asked to watch over clusters with somebody silent in them; empty: this instance
   *     does it, which only one that goes on between two calls can
   */
  public Control(
      Ports world, Rules rules, String instance, String workersUrl, Optional<Vigil> vigil) {
    signals = new ChangeSignals(world.ledger(), world.alarms(), world.clock());
    ports = world.on(new SignallingLedger(world.ledger(), signals));
    this.rules = rules;
    this.vigil = vigil;
    pausing = new Pausing(ports);
    var lister = new TaskLister(ports.objects(), ports.codec());
    var survey = new SentinelSurvey(ports.objects());
    var queue = new Queue(ports.ledger(), ports.alarms(), ports.ids(), ports.clock());
    var stops = new Stops(ports.ledger(), ports.bus(), ports.alarms(), ports.ids(), ports.clock());
    expansion =
        new Expansion(
            ports.ledger(), ports.bus(), lister, survey, queue, ports.alarms(), ports.clock());
    audit =
        new Audit(
            ports.ledger(),
            ports.bus(),
            ports.objects(),
            ports.codec(),
            lister,
            survey,
            queue,
            ports.clock());
    var submissions =
        new Submissions(
            ports.ledger(),
            ports.bus(),
            new JobTerms(ports.fleet()),
            ports.codec(),
            lister,
            new Locality(ports.objects(), ports.clock()),
            expansion,
            queue,
            ports.clock());
    rounds = new Rounds(ports, rules, workersUrl);
    cleanup = new Cleanup(ports, rules);
    vmEvents = new VmEvents(ports, rules);
    var retry =
        new Retry(
            ports.ledger(), ports.bus(), ports.objects(), lister, survey, queue, ports.clock());
    intake = new Intake(ports, new CommandTable(ports, rules, submissions, stops, retry), pausing);
    desk =
        new SyncDesk(
            ports.ledger(),
            ports.bus(),
            ports.alarms(),
            ports.ids(),
            ports.clock(),
            rules,
            instance);
    redeliveries = new Redeliveries(ports.ledger(), ports.clock());
    views = new Views(ports.ledger(), ports.clock(), ports.codec(), rules);
  }

  /** Looks where a hint points. A repeated, late or pointless hint changes nothing. */
  public Looked look(Hint hint) {
    return switch (hint) {
      case Hint.Tick t -> {
        var looked = rounds.tick();
        yield and(and(looked, "watch", this::watchOver), "ticks", pausing::settle);
      }
      case Hint.Sweep s -> and(Looked.now(cleanup.sweep()), "ticks", pausing::mend);
      case Hint.Look l -> and(rounds.look(l), "ticks", pausing::awakenNow);
      case Hint.Expand e -> {
        expansion.go(new Key.OfJob(e.cluster(), e.job()));
        yield Looked.now(List.of());
      }
      case Hint.Audit a -> {
        audit.go(new Key.OfJob(a.cluster(), a.job()));
        yield Looked.now(List.of());
      }
    };
  }

  /** Goes on with what a look left for later, once it is then. */
  public Looked resume(Looked.Later later) {
    return rounds.resume(later);
  }

  /** A call that ends before it could go on leaves the rest to a message. */
  public void passOn(Looked.Later later) {
    rounds.passOn(later);
  }

  /**
   * Opened around whatever an event of the function's makes happen here: where a process has no
   * time between its calls, closing waits until what it owes to others is sent.
   */
  public Call call() {
    return signals.call();
  }

  /** A call that goes on. */
  @FunctionalInterface
  public interface Call extends AutoCloseable {
    @Override
    void close();
  }

  public VmEvents vmEvents() {
    return vmEvents;
  }

  private void watchOver(Troubles troubles) {
    // Who is silent in a cluster that cannot be read is not judged; the round has named it.
    var live =
        ports.ledger().query(new Query.Clusters(false)).some().stream()
            .map(c -> c.value().uid())
            .toList();
    var silent = new ArrayList<String>();
    for (var cluster : live)
      troubles.guard(
          "watch over cluster " + cluster,
          () -> {
            if (vigil.isEmpty()) desk.watchOver(cluster);
            else if (desk.anybodySilent(cluster)) silent.add(cluster);
          });
    if (!silent.isEmpty())
      troubles.guard("no vigil over silent workers", () -> vigil.orElseThrow().keep(silent));
  }

  private Looked and(Looked before, String place, Consumer<Troubles> work) {
    var troubles = new Troubles(log, ports);
    troubles.guard(place, () -> work.accept(troubles));
    return before.and(troubles.told());
  }

  private Looked and(Looked before, String place, Runnable work) {
    return and(before, place, _ -> work.run());
  }

  /** Around {@link #intake}, for messages that are delivered again and again. */
  public Redeliveries redeliveries() {
    return redeliveries;
  }

  public Intake intake() {
    return intake;
  }

  /** What cleanup would do now; reads only. */
  public CleanupView cleanupView() {
    return Cleanup.rehearse(ports, rules);
  }

  public SyncDesk desk() {
    return desk;
  }

  public Views views() {
    return views;
  }

  @Override
  public void close() {
    desk.close();
  }
}

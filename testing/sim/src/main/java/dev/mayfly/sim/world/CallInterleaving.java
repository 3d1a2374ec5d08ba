package dev.mayfly.sim.world;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.sim.engine.CooperativeThreads;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What happens while a call is at a port. Usually all of it happens at one moment; sometimes others
 * act in between, or the caller stands still for long. Where calls overlap ({@link
 * Fault#CALLS_OVERLAP}), every port call takes a while, and other calls of the same process go on
 * meanwhile.
 */
public final class CallInterleaving implements AutoCloseable {
  private static final int DEEPEST = 3;
  private static final int COMMIT = 4;

  /** Made once a cluster and process, while others wait for it. */
  private static final String WATCH = "ledger.watch";

  /** They call ports while they hold a monitor of theirs, so that others wait for them. */
  private static final Set<String> HOLDING =
      Set.of(
          "dev.mayfly.core.reconcile.cleanup.OrphanCollector",
          "dev.mayfly.core.sync.LivenessMonitor",
          "dev.mayfly.core.state.worker.DueTimes",
          "dev.mayfly.core.state.worker.LeaseRevoker");

  private final World world;
  private final CooperativeThreads cooperativeThreads;
  private int depth;

  CallInterleaving(World world) {
    this.world = world;
    cooperativeThreads = new CooperativeThreads(world.time());
  }

  /** Of this process, if its calls overlap in this world. */
  void begin(SimProcess simProcess) {
    if (world.weather().has(Fault.CALLS_OVERLAP)) cooperativeThreads.overlap(simProcess);
  }

  /** Before a port call of a function instance. */
  void before(String call, SimProcess simProcess) {
    var begun = world.time().instant();
    actAmid(call, simProcess);
    // Others who stood still meanwhile, one within the other, may have taken longer than that.
    if (call.equals("ledger.commit") && begun.plusSeconds(COMMIT).isBefore(world.time().instant()))
      throw new UnavailableException("the commit took too long");
  }

  private void actAmid(String call, SimProcess simProcess) {
    if (cooperativeThreads.inside()) pause(call, simProcess, pauseBefore(call));
    else if (deepEnough()) return;
    else if (world.weather().strikes(Fault.INTERLEAVED)) interleave();
    else if (world.weather().strikes(Fault.PAUSED_CALL)) {
      world.powered().forEach(SimHost::stalls);
      var pause = world.weather().dice(Fault.PAUSED_CALL).seconds(3, longest(call));
      nested(() -> letOthersAct(Integer.MAX_VALUE, pause));
    }
  }

  private Duration pauseBefore(String call) {
    if (world.weather().strikes(Fault.PAUSED_CALL))
      return world.weather().dice(Fault.PAUSED_CALL).seconds(2, limit(call));
    return world.weather().dice(Fault.CALLS_OVERLAP).millis(0, 20);
  }

  /** After how many seconds clients give a call up. */
  private static int limit(String call) {
    if (call.equals("ledger.commit")) return COMMIT;
    return call.startsWith("ledger") ? 8 : 10;
  }

  /** After its effect, and before the caller knows of it. */
  void after(String call, SimProcess simProcess) {
    if (cooperativeThreads.inside())
      pause(call, simProcess, world.weather().dice(Fault.CALLS_OVERLAP).millis(0, 20));
  }

  private void pause(String call, SimProcess simProcess, Duration span) {
    if (!world.weather().has(Fault.CALLS_OVERLAP) || call.equals(WATCH) || holds()) return;
    if (cooperativeThreads.another(simProcess))
      world.weather().recordStrike(Fault.CALLS_OVERLAP, "");
    var hearing = world.truth().handledReport();
    world.truth().handledReport(Optional.empty());
    cooperativeThreads.pause(span);
    world.truth().handledReport(hearing);
  }

  private static boolean holds() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(f -> HOLDING.contains(f.getClassName())));
  }

  /** In the middle of a call of an agent. */
  void duringAgentCall() {
    if (!deepEnough() && world.weather().strikes(Fault.INTERLEAVED)) interleave();
  }

  /**
   * Real processes stand still side by side; here one does so amid the other, and their times add
   * up. So the storm may be past its end before the outermost goes on, and where many call often
   * they would go on for hours: once it should be over nobody begins to stand still any more.
   */
  private boolean deepEnough() {
    return depth >= DEEPEST || world.faultsOver();
  }

  private void interleave() {
    var steps = world.weather().dice(Fault.INTERLEAVED).between(1, 8);
    nested(() -> letOthersAct(steps, Duration.ofSeconds(1)));
  }

  /**
   * Clients give a commit up after a few seconds; anywhere else an instance may stand still for
   * long.
   */
  private static int longest(String call) {
    return call.equals("ledger.commit") ? COMMIT : 40;
  }

  private void letOthersAct(int steps, Duration horizon) {
    var until = world.time().instant().plus(horizon);
    for (var i = 0; i < steps; i++) if (!world.step(until)) return;
  }

  private void nested(Runnable work) {
    var hearing = world.truth().handledReport();
    world.truth().handledReport(Optional.empty());
    depth++;
    try {
      work.run();
    } finally {
      depth--;
      world.truth().handledReport(hearing);
    }
  }

  @Override
  public void close() {
    cooperativeThreads.close();
  }
}

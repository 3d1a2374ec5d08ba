package dev.mayfly.sim.world;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.sim.engine.CooperativeThreads;
import dev.mayfly.sim.engine.SimProcess;
import dev.mayfly.sim.fault.Fault;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.Set;

/**
 * Controls what happens during a port call. Usually the call is instantaneous; sometimes others act
 * in between, or the caller pauses for long. Where calls overlap ({@link Fault#CALLS_OVERLAP}),
 * every port call takes a while, and other calls of the same process run meanwhile.
 */
public final class CallInterleaving implements AutoCloseable {
  private static final int DEEPEST = 3;
  private static final int COMMIT = 4;

  /** The longest pause of an instance, in seconds. */
  private static final int LONGEST = 40;

  /** Created once a cluster and process, while other calls wait for it. */
  private static final String WATCH = "ledger.watch";

  /** Classes that call ports while they hold a monitor; pausing them could deadlock others. */
  private static final Set<String> HOLDING =
      Set.of(
          "dev.mayfly.core.reconcile.cleanup.OrphanCollector",
          "dev.mayfly.core.sync.LivenessMonitor",
          "dev.mayfly.core.state.worker.DueTimes",
          "dev.mayfly.core.state.worker.LeaseRevoker");

  private final World world;
  private final CooperativeThreads cooperativeThreads;
  private int depth;
  private Instant outermost = Instant.EPOCH;

  CallInterleaving(World world) {
    this.world = world;
    cooperativeThreads = new CooperativeThreads(world.time());
  }

  /** Starts a process, whose calls overlap if this world's do. */
  void begin(SimProcess simProcess) {
    if (world.weather().has(Fault.CALLS_OVERLAP)) cooperativeThreads.overlap(simProcess);
  }

  /** Before a port call of a function instance. */
  void before(String call, SimProcess simProcess) {
    var begun = world.time().instant();
    actAmid(call, simProcess);
    // Nested pauses of other calls may have taken longer than that.
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

  /** The client's timeout in seconds. */
  private static int limit(String call) {
    if (call.equals("ledger.commit")) return COMMIT;
    return call.startsWith("ledger") ? 8 : 10;
  }

  /** After the effect of a port call, before the call returns. */
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

  /** During an agent's call. */
  void duringAgentCall() {
    if (!deepEnough() && world.weather().strikes(Fault.INTERLEAVED)) interleave();
  }

  /**
   * Real processes pause in parallel; here pauses nest, and their times add up. The storm may be
   * past its end before the outermost pause ends, and frequent calls could prolong it for hours: so
   * no pause starts after the planned end of the storm.
   */
  private boolean deepEnough() {
    return depth >= DEEPEST || world.faultsOver();
  }

  private void interleave() {
    var steps = world.weather().dice(Fault.INTERLEAVED).between(1, 8);
    nested(() -> letOthersAct(steps, Fault.AMID_CALL));
  }

  /** Clients time out a commit after a few seconds; elsewhere an instance may pause for long. */
  private static int longest(String call) {
    return call.equals("ledger.commit") ? COMMIT : LONGEST;
  }

  private void letOthersAct(int steps, Duration horizon) {
    var until = world.time().instant().plus(horizon);
    for (var i = 0; i < steps; i++) if (!world.step(until)) return;
  }

  private void nested(Runnable work) {
    var hearing = world.truth().handledReport();
    world.truth().handledReport(Optional.empty());
    if (depth++ == 0) outermost = world.time().instant();
    try {
      work.run();
    } finally {
      depth--;
      world.truth().handledReport(hearing);
      tellLong();
    }
  }

  /** Pauses that add up to more than any real one may answer no agent until a deadline is over. */
  private void tellLong() {
    if (outermost.plusSeconds(LONGEST).isBefore(world.time().instant())
        && !world.truth().unreachable(Duration.ZERO)) world.truth().unreachable(false);
  }

  @Override
  public void close() {
    cooperativeThreads.close();
  }
}

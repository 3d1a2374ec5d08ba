package dev.mayfly.sim;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.sim.fake.Fault;
import dev.mayfly.sim.fake.Scope;
import dev.mayfly.sim.fake.Strands;
import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * What happens while a call is at a port. Usually all of it happens at one moment; sometimes others
 * act in between, or the caller stands still for long. Where calls overlap ({@link
 * Fault#CALLS_OVERLAP}), every port call takes a while, and other calls of the same process go on
 * meanwhile.
 */
final class Overlaps implements AutoCloseable {
  private static final int DEEPEST = 3;
  private static final int COMMIT = 4;

  /** Made once a cluster and process, while others wait for it. */
  private static final String WATCH = "ledger.watch";

  /** They call ports while they hold a monitor of theirs, so that others wait for them. */
  private static final Set<String> HOLDING =
      Set.of(
          "dev.mayfly.core.control.Cleanup",
          "dev.mayfly.core.control.Judge",
          "dev.mayfly.core.control.DueTimes",
          "dev.mayfly.core.control.Losses");

  private final World world;
  private final Strands strands;
  private int depth;

  Overlaps(World world) {
    this.world = world;
    strands = new Strands(world.time());
  }

  /** Of this process, if its calls overlap in this world. */
  void begin(Scope scope) {
    if (world.weather().has(Fault.CALLS_OVERLAP)) strands.overlap(scope);
  }

  /** Before a port call of a function instance. */
  void before(String call, Scope scope) {
    var begun = world.time().instant();
    actAmid(call, scope);
    // Others who stood still meanwhile, one within the other, may have taken longer than that.
    if (call.equals("ledger.commit") && begun.plusSeconds(COMMIT).isBefore(world.time().instant()))
      throw new Unavailable("the commit took too long");
  }

  private void actAmid(String call, Scope scope) {
    if (strands.inside()) pause(call, scope, pauseBefore(call));
    else if (deepEnough()) return;
    else if (world.weather().strikes(Fault.INTERLEAVED)) interleave();
    else if (world.weather().strikes(Fault.PAUSED_CALL)) {
      world.powered().forEach(Host::stalls);
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
  void after(String call, Scope scope) {
    if (strands.inside())
      pause(call, scope, world.weather().dice(Fault.CALLS_OVERLAP).millis(0, 20));
  }

  private void pause(String call, Scope scope, Duration span) {
    if (!world.weather().has(Fault.CALLS_OVERLAP) || call.equals(WATCH) || holds()) return;
    if (strands.another(scope)) world.weather().noted(Fault.CALLS_OVERLAP, "");
    var hearing = world.truth().hearing();
    world.truth().hearing(Optional.empty());
    strands.pause(span);
    world.truth().hearing(hearing);
  }

  private static boolean holds() {
    return StackWalker.getInstance()
        .walk(frames -> frames.anyMatch(f -> HOLDING.contains(f.getClassName())));
  }

  /** In the middle of a call of an agent. */
  void amidAgent() {
    if (!deepEnough() && world.weather().strikes(Fault.INTERLEAVED)) interleave();
  }

  /**
   * Real processes stand still side by side; here one does so amid the other, and their times add
   * up. So the storm may be past its end before the outermost goes on, and where many call often
   * they would go on for hours: once it should be over nobody begins to stand still any more.
   */
  private boolean deepEnough() {
    return depth >= DEEPEST || world.stormOver();
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
    var hearing = world.truth().hearing();
    world.truth().hearing(Optional.empty());
    depth++;
    try {
      work.run();
    } finally {
      depth--;
      world.truth().hearing(hearing);
    }
  }

  @Override
  public void close() {
    strands.close();
  }
}

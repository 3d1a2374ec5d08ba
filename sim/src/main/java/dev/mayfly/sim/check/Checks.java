package dev.mayfly.sim.check;

import dev.mayfly.core.model.Resources;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.sim.fake.SimLedger;
import dev.mayfly.sim.fake.SimMachine;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import java.util.function.Function;

/** All invariants of a world, told of everything together. */
public final class Checks implements Check {
  private final List<Check> all;
  private final EverythingEnds end;
  private final KeepsMoving moving;
  private final FewRepeats repeats;

  /**
   * @param expected what a world promises beyond the protocol
   */
  public Checks(Truth truth, Expected expected) {
    end = new EverythingEnds(truth, expected.jobs());
    moving = new KeepsMoving(truth);
    repeats = new FewRepeats(truth);
    all =
        List.of(
            new NothingIsLost(truth),
            new RangesCover(truth),
            new SentinelOnce(),
            new ResultRecorded(truth),
            new OneOwner(truth),
            new IntakeOnce(truth, expected.submissions()),
            new NewestWordHolds(truth, expected.published()),
            new NoOrphans(truth, expected.orphans(), expected.hindered()),
            new StopIsFinal(truth, expected.stopped()),
            new Fenced(truth),
            new NeverTwice(truth),
            new Together(truth),
            new WithinBudget(truth),
            new RoomIsReal(truth, expected.room()),
            new LossIsJust(truth, expected.troubleMemory()),
            new DeleteIsJust(truth),
            new KillIsJust(truth, expected.silenceMemory()),
            repeats,
            end);
  }

  /**
   * @param submissions every submission published, by id; grows
   * @param published every command, once, in order; grows
   * @param jobs names of jobs whose messages must come to something; grows
   * @param orphans how long a machine may outlive its owner at most
   * @param hindered whether something kept the control plane from cleaning up since the last time
   *     that this was asked
   * @param stopped how long a task may outlive a stop
   * @param troubleMemory how long after its trouble a worker may be lost for it
   * @param silenceMemory how long after its trouble an agent may still kill for it
   * @param room what a worker's tasks may use
   */
  public record Expected(
      Set<String> submissions,
      List<Published> published,
      Set<String> jobs,
      Duration orphans,
      BooleanSupplier hindered,
      Duration stopped,
      Duration troubleMemory,
      Duration silenceMemory,
      Function<String, Resources> room) {}

  /** What has not ended yet. */
  public Optional<String> unfinished() {
    return end.unfinished();
  }

  /** What has not ended yet in all clusters but one. */
  public Optional<String> unfinishedBeside(String cluster) {
    return end.unfinishedBeside(cluster);
  }

  /** From now on nothing goes wrong by chance. */
  public void calm() {
    repeats.calm();
  }

  /**
   * Once it is calm: looks whether things move on.
   *
   * @param except the uid of a cluster that nobody can serve; otherwise empty
   */
  public void moving(String except) {
    moving.look(except);
  }

  @Override
  public void committed(List<SimLedger.Change> batch) {
    each(c -> c.committed(batch));
  }

  @Override
  public void object(Optional<ObjectInfo> before, Optional<ObjectInfo> after) {
    each(c -> c.object(before, after));
  }

  @Override
  public void began(Proc process) {
    each(c -> c.began(process));
  }

  @Override
  public void ended(Proc process) {
    each(c -> c.ended(process));
  }

  @Override
  public void prepared(Proc process) {
    each(c -> c.prepared(process));
  }

  @Override
  public void exited(Proc process, int code) {
    each(c -> c.exited(process, code));
  }

  @Override
  public void killAsked(Proc process, boolean overdue) {
    each(c -> c.killAsked(process, overdue));
  }

  @Override
  public void deleteAsked(SimMachine machine) {
    each(c -> c.deleteAsked(machine));
  }

  @Override
  public void step() {
    each(Check::step);
  }

  @Override
  public void restored() {
    each(Check::restored);
  }

  @Override
  public void atRest() {
    each(Check::atRest);
  }

  private void each(Consumer<Check> told) {
    for (var check : all) told.accept(check);
  }
}

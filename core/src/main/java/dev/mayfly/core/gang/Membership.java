package dev.mayfly.core.gang;

import dev.mayfly.core.model.GangOrder;
import dev.mayfly.core.model.GangOrder.Step;
import dev.mayfly.core.model.GangStage;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.HostReport;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.LeaseRef;
import java.time.Instant;
import java.util.Optional;

/**
 * A host's side of a gang's runs: what its agent does with an order, and what it says. One for each
 * lease and each agent process; it begins with {@link #NEW}.
 *
 * <p><b>Must:</b> start only what this very agent prepared, once; publish only on the order to;
 * confirm a kill only when nothing is left, and never take an order of a run that it confirmed.
 *
 * @param run the newest run that it took an order of
 * @param took the furthest step that it was ordered to take in that run
 * @param exit the code with which its command ended by itself in that run
 * @param exitedAt when it did
 * @param busy what it is about to do and has not ended yet
 */
public record Membership(
    long run,
    Step took,
    GangStage stage,
    int exit,
    Optional<Instant> exitedAt,
    long cleared,
    Action busy,
    Optional<HostReport.Trouble> trouble) {
  public static final Membership NEW =
      new Membership(
          0, Step.NOTHING, GangStage.IDLE, 0, Optional.empty(), 0, Action.NONE, Optional.empty());

  /** What is to be done on the host. */
  public enum Action {
    NONE,
    PREPARE,
    START,
    /** Ends everything of the run, preparations and uploads too; a repeat is answered again. */
    KILL,
    PUBLISH
  }

  /** What an order makes of it; a late or repeated one changes nothing. */
  public Membership on(GangOrder order) {
    if (order.run() <= cleared || order.run() < run) return this;
    if (order.run() > run) {
      // It never happens while the control plane holds its rules, and costs nothing to be sure of.
      if (run > cleared && run != 0) return busy(Action.KILL);
      return NEW.of(order.run(), cleared).step(order);
    }
    return step(order);
  }

  private Membership of(long number, long before) {
    return new Membership(number, took, stage, exit, exitedAt, before, busy, trouble);
  }

  private Membership step(GangOrder order) {
    return took(order.step()).act(order);
  }

  private Membership took(Step step) {
    var furthest = step.compareTo(took) > 0 ? step : took;
    return new Membership(run, furthest, stage, exit, exitedAt, cleared, busy, trouble);
  }

  private Membership act(GangOrder order) {
    if (order.step() == Step.KILL) return busy(Action.KILL);
    if (busy != Action.NONE || trouble.isPresent()) return this;
    return switch (order.step()) {
      case PREPARE -> stage == GangStage.IDLE ? busy(Action.PREPARE) : this;
      case RUN -> stage == GangStage.PREPARED ? busy(Action.START) : this;
      case PUBLISH ->
          stage == GangStage.EXITED && exit == 0 && order.rank() == 0 ? busy(Action.PUBLISH) : this;
      case KILL, NOTHING -> this;
    };
  }

  private Membership busy(Action next) {
    return new Membership(run, took, stage, exit, exitedAt, cleared, next, trouble);
  }

  public Membership prepared() {
    return busy == Action.PREPARE ? at(GangStage.PREPARED) : this;
  }

  /** For rank 0: an attempt before this one had published. */
  public Membership found() {
    return busy == Action.PREPARE ? at(GangStage.PUBLISHED) : this;
  }

  /** The command's first process is there. */
  public Membership began() {
    return busy == Action.START ? at(GangStage.RUNNING) : this;
  }

  /** The command ended by itself, and none of its processes is left. */
  public Membership exited(int code, Instant when) {
    if (stage != GangStage.RUNNING || busy != Action.NONE) return this;
    return new Membership(
        run, took, GangStage.EXITED, code, Optional.of(when), cleared, busy, trouble);
  }

  public Membership published() {
    return busy == Action.PUBLISH ? at(GangStage.PUBLISHED) : this;
  }

  /** Nothing of the run is left; how it had ended by itself, if it had, is told on. */
  public Membership killed() {
    if (busy != Action.KILL) return this;
    return new Membership(run, took, GangStage.IDLE, exit, exitedAt, run, Action.NONE, trouble);
  }

  /** It can't go on; it waits for the order to kill. */
  public Membership troubled(HostReport.Trouble what) {
    if (busy == Action.KILL || run == cleared || trouble.isPresent()) return this;
    return new Membership(
        run, took, stage, exit, exitedAt, cleared, Action.NONE, Optional.of(what));
  }

  private Membership at(GangStage next) {
    return new Membership(run, took, next, exit, exitedAt, cleared, Action.NONE, trouble);
  }

  public HostReport report(LeaseRef lease, HostId host, Incarnation incarnation, String address) {
    return new HostReport(
        lease, host, incarnation, address, run, took, stage, exit, exitedAt, cleared, trouble);
  }
}

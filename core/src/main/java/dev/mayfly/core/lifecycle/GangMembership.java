package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.gang.GangMemberStage;
import dev.mayfly.core.model.gang.GangOrder;
import dev.mayfly.core.model.gang.GangOrder.Step;
import dev.mayfly.core.model.gang.GangReport;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Instant;
import java.util.Optional;

/**
 * A host's side of a gang's runs: how its agent acts on an order, and what it reports. There is one
 * for each lease and each agent process; it begins with {@link #NEW}.
 *
 * <p><b>Must:</b> start only what this agent process prepared, once; publish only when ordered to;
 * confirm a kill only when nothing is left, and never accept an order for a run whose kill it
 * confirmed.
 *
 * @param run the newest run for which it accepted an order
 * @param took the furthest step ordered in that run
 * @param exit the code with which its command ended by itself in that run
 * @param exitedAt when it did
 * @param busy the action in progress
 */
public record GangMembership(
    long run,
    Step took,
    GangMemberStage stage,
    int exit,
    Optional<Instant> exitedAt,
    long cleared,
    Action busy,
    Optional<GangReport.Trouble> trouble) {
  public static final GangMembership NEW =
      new GangMembership(
          0,
          Step.NOTHING,
          GangMemberStage.IDLE,
          0,
          Optional.empty(),
          0,
          Action.NONE,
          Optional.empty());

  /** An action on the host. */
  public enum Action {
    NONE,
    PREPARE,
    START,
    /**
     * Ends everything of the run, including preparations and uploads; a repeat is answered again.
     */
    KILL,
    PUBLISH
  }

  /** Applies an order; a late or repeated one changes nothing. */
  public GangMembership on(GangOrder order) {
    if (order.run() <= cleared || order.run() < run) return this;
    if (order.run() > run) {
      // Cannot happen while the control plane keeps its rules; a cheap safeguard.
      if (run > cleared && run != 0) return busy(Action.KILL);
      return NEW.of(order.run(), cleared).step(order);
    }
    return step(order);
  }

  private GangMembership of(long number, long before) {
    return new GangMembership(number, took, stage, exit, exitedAt, before, busy, trouble);
  }

  private GangMembership step(GangOrder order) {
    return took(order.step()).act(order);
  }

  private GangMembership took(Step step) {
    var furthest = step.compareTo(took) > 0 ? step : took;
    return new GangMembership(run, furthest, stage, exit, exitedAt, cleared, busy, trouble);
  }

  private GangMembership act(GangOrder order) {
    if (order.step() == Step.KILL) return busy(Action.KILL);
    if (busy != Action.NONE || trouble.isPresent()) return this;
    return switch (order.step()) {
      case PREPARE -> stage == GangMemberStage.IDLE ? busy(Action.PREPARE) : this;
      case RUN -> stage == GangMemberStage.PREPARED ? busy(Action.START) : this;
      case PUBLISH ->
          stage == GangMemberStage.EXITED && exit == 0 && order.rank() == 0
              ? busy(Action.PUBLISH)
              : this;
      case KILL, NOTHING -> this;
    };
  }

  private GangMembership busy(Action next) {
    return new GangMembership(run, took, stage, exit, exitedAt, cleared, next, trouble);
  }

  public GangMembership prepared() {
    return busy == Action.PREPARE ? at(GangMemberStage.PREPARED) : this;
  }

  /** For rank 0: an earlier attempt has published. */
  public GangMembership alreadyPublished() {
    return busy == Action.PREPARE ? at(GangMemberStage.PUBLISHED) : this;
  }

  /** The command's first process exists. */
  public GangMembership started() {
    return busy == Action.START ? at(GangMemberStage.RUNNING) : this;
  }

  /** The command ended by itself, and none of its processes is left. */
  public GangMembership exited(int code, Instant when) {
    if (stage != GangMemberStage.RUNNING || busy != Action.NONE) return this;
    return new GangMembership(
        run, took, GangMemberStage.EXITED, code, Optional.of(when), cleared, busy, trouble);
  }

  public GangMembership published() {
    return busy == Action.PUBLISH ? at(GangMemberStage.PUBLISHED) : this;
  }

  /** Nothing of the run is left; an exit before the kill is still reported. */
  public GangMembership killed() {
    if (busy != Action.KILL) return this;
    return new GangMembership(
        run, took, GangMemberStage.IDLE, exit, exitedAt, run, Action.NONE, trouble);
  }

  /** The host cannot continue, and waits for the order to kill. */
  public GangMembership failed(GangReport.Trouble what) {
    if (busy == Action.KILL || run == cleared || trouble.isPresent()) return this;
    return new GangMembership(
        run, took, stage, exit, exitedAt, cleared, Action.NONE, Optional.of(what));
  }

  private GangMembership at(GangMemberStage next) {
    return new GangMembership(run, took, next, exit, exitedAt, cleared, Action.NONE, trouble);
  }

  public GangReport report(
      LeaseRef lease, HostId host, Incarnation incarnation, String address, GangContact contact) {
    return new GangReport(
        lease,
        host,
        incarnation,
        address,
        contact.publicKey(),
        contact.port(),
        run,
        took,
        stage,
        exit,
        exitedAt,
        cleared,
        trouble);
  }
}

package dev.mayfly.core.gang;

import dev.mayfly.core.model.GangOrder;
import dev.mayfly.core.model.GangOrder.Step;
import dev.mayfly.core.model.GangStage;
import dev.mayfly.core.model.HostId;
import dev.mayfly.core.model.HostReport;
import dev.mayfly.core.model.Incarnation;
import dev.mayfly.core.model.LeaseRef;
import java.util.Optional;

/**
 * A host's side of a gang's runs: what its agent does with an order, and what it says. One for each
 * lease and each agent process; it begins with {@link #NEW}.
 *
 * <p><b>Must:</b> start only what this very agent prepared, once; publish only on the order to;
 * confirm a kill only when nothing is left, and never take an order of a run that it confirmed.
 *
 * @param run the newest run that it took an order of
 * @param busy what it is about to do and has not ended yet
 */
public record Membership(
    long run,
    GangStage stage,
    int exit,
    long cleared,
    Action busy,
    Optional<HostReport.Trouble> trouble) {
  public static final Membership NEW =
      new Membership(0, GangStage.IDLE, 0, 0, Action.NONE, Optional.empty());

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
      return new Membership(order.run(), GangStage.IDLE, 0, cleared, Action.NONE, Optional.empty())
          .step(order);
    }
    return step(order);
  }

  private Membership step(GangOrder order) {
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
    return new Membership(run, stage, exit, cleared, next, trouble);
  }

  public Membership prepared() {
    return busy == Action.PREPARE ? at(GangStage.PREPARED, 0) : this;
  }

  /** For rank 0: an attempt before this one had published. */
  public Membership found() {
    return busy == Action.PREPARE ? at(GangStage.PUBLISHED, 0) : this;
  }

  /** The command's first process is there. */
  public Membership began() {
    return busy == Action.START ? at(GangStage.RUNNING, 0) : this;
  }

  /** The command ended by itself, and none of its processes is left. */
  public Membership exited(int code) {
    return stage == GangStage.RUNNING && busy == Action.NONE ? at(GangStage.EXITED, code) : this;
  }

  public Membership published() {
    return busy == Action.PUBLISH ? at(GangStage.PUBLISHED, exit) : this;
  }

  /** Nothing of the run is left. */
  public Membership killed() {
    if (busy != Action.KILL) return this;
    return new Membership(run, GangStage.IDLE, 0, run, Action.NONE, Optional.empty());
  }

  /** It can't go on; it waits for the order to kill. */
  public Membership troubled(HostReport.Trouble what) {
    if (busy == Action.KILL || trouble.isPresent()) return this;
    return new Membership(run, stage, exit, cleared, Action.NONE, Optional.of(what));
  }

  private Membership at(GangStage next, int code) {
    return new Membership(run, next, code, cleared, Action.NONE, trouble);
  }

  public HostReport report(LeaseRef lease, HostId host, Incarnation incarnation, String address) {
    return new HostReport(lease, host, incarnation, address, run, stage, exit, cleared, trouble);
  }
}

package dev.mayfly.core.agent.task;

import dev.mayfly.core.lifecycle.GangMembership;
import dev.mayfly.core.model.gang.GangContact;
import dev.mayfly.core.model.gang.GangOrder;
import java.time.Instant;
import java.util.Optional;

/** This host's part in a gang, for one lease. */
public final class LocalGangState {
  private GangMembership member = GangMembership.NEW;
  private GangContact contact = GangContact.NONE;
  private GangOrder order;
  private Optional<Instant> keptUntil = Optional.empty();
  private boolean changed;

  LocalGangState(GangOrder first) {
    order = first;
  }

  public GangMembership member() {
    return member;
  }

  /** Of this host in its present run; nothing before it is prepared. */
  public GangContact contact() {
    return contact;
  }

  /** Until when the last checkpoint has what its present run did; empty without one. */
  public Optional<Instant> keptUntil() {
    return keptUntil;
  }

  public void kept(Instant until) {
    keptUntil = Optional.of(until);
  }

  public GangOrder order() {
    return order;
  }

  public void ordered(GangOrder next) {
    var run = member.run();
    member = member.on(next);
    if (member.run() != run) {
      contact = GangContact.NONE;
      keptUntil = Optional.empty();
    }
    // The order of a finished run names no address, so keep the one before.
    if (next.run() >= member.run() && next.step() != GangOrder.Step.NOTHING) order = next;
  }

  /** Everything that a start needs is there. */
  public void prepared(GangContact made) {
    contact = made;
    update(member.prepared());
  }

  /** Applies this host's progress or failure. */
  public void update(GangMembership next) {
    var progressed = next.stage() != member.stage() || next.cleared() != member.cleared();
    changed |= progressed || !next.trouble().equals(member.trouble());
    member = next;
  }

  /** Returns true once after a change that the control plane waits for. */
  public boolean takeNews() {
    var was = changed;
    changed = false;
    return was;
  }
}

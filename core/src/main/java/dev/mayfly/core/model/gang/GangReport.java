package dev.mayfly.core.model.gang;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Instant;
import java.util.Optional;

/**
 * What a host says of the run of one lease that it knows. Reports are admitted in their order, by
 * sequence number and incarnation; an overtaken one never comes this far.
 *
 * @param address where its peers reach it
 * @param run the number of the newest run that it took an order of; 0 if none
 * @param took the furthest step that it was ordered to take in that run
 * @param exit the code with which the command ended by itself in that run
 * @param exitedAt when it did, by the host's clock
 * @param cleared the newest run of which it says, to an order to kill, that nothing is left and
 *     nothing will start; 0 if none
 */
public record GangReport(
    LeaseRef lease,
    HostId host,
    Incarnation incarnation,
    String address,
    long run,
    GangOrder.Step took,
    GangMemberStage stage,
    int exit,
    Optional<Instant> exitedAt,
    long cleared,
    Optional<Trouble> trouble) {
  /** A host that says nothing of the lease: it knows nothing of it. */
  public static GangReport unknownLease(LeaseRef lease, HostId host, Incarnation who) {
    return new GangReport(
        lease,
        host,
        who,
        "",
        0,
        GangOrder.Step.NOTHING,
        GangMemberStage.IDLE,
        0,
        Optional.empty(),
        0,
        Optional.empty());
  }

  /** The same words, of whoever is known to have spoken. */
  public GangReport withSender(HostId speaker, Incarnation who) {
    return new GangReport(
        lease, speaker, who, address, run, took, stage, exit, exitedAt, cleared, trouble);
  }

  /**
   * Why the host can't go on.
   *
   * @param machine whether the machine is to blame and has to be replaced, as with a device that
   *     stays busy
   */
  public record Trouble(FailureCause cause, boolean machine, String text) {}
}

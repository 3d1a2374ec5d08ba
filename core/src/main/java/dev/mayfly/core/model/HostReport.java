package dev.mayfly.core.model;

import java.util.Optional;

/**
 * What a host says of the run of one lease that it knows. Reports are admitted in their order, by
 * sequence number and incarnation; an overtaken one never comes this far.
 *
 * @param address where its peers reach it
 * @param run the number of the newest run that it took an order of; 0 if none
 * @param exit the exit code when {@code stage} is {@link GangStage#EXITED}
 * @param cleared the newest run of which it says, to an order to kill, that nothing is left and
 *     nothing will start; 0 if none
 */
public record HostReport(
    LeaseRef lease,
    HostId host,
    Incarnation incarnation,
    String address,
    long run,
    GangStage stage,
    int exit,
    long cleared,
    Optional<Trouble> trouble) {
  /** A host that says nothing of the lease: it knows nothing of it. */
  public static HostReport unknowing(LeaseRef lease, HostId host, Incarnation who) {
    return new HostReport(lease, host, who, "", 0, GangStage.IDLE, 0, 0, Optional.empty());
  }

  /** The same words, of whoever is known to have spoken. */
  public HostReport by(HostId speaker, Incarnation who) {
    return new HostReport(lease, speaker, who, address, run, stage, exit, cleared, trouble);
  }

  /**
   * Why the host can't go on.
   *
   * @param machine whether the machine is to blame and has to be replaced, as with a device that
   *     stays busy
   */
  public record Trouble(Cause cause, boolean machine, String text) {}
}

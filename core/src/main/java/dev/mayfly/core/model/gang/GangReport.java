package dev.mayfly.core.model.gang;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Instant;
import java.util.Optional;

/**
 * A host's report about its run of one lease. Reports are accepted in order of sequence number and
 * incarnation; overtaken ones are dropped earlier.
 *
 * @param address where its peers reach it
 * @param publicKey of the pair that the host made for that run, if the gang asks for one: {@code
 *     ssh-ed25519} and its bytes in Base64. The private key never leaves the host
 * @param port that it keeps free for that run ({@link GangContact}); none of an older agent
 * @param run the number of the newest run for which it accepted an order; 0 if none
 * @param took the furthest step ordered in that run
 * @param exit the code with which the command ended by itself in that run
 * @param exitedAt when it ended, by the host's clock
 * @param cleared the newest run of which the host confirms, after an order to kill, that nothing is
 *     left and nothing will start; 0 if none
 * @param keptUntil when the newest of what the last checkpoint of that run has was written; absent
 *     without a checkpoint, of other ranks than 0, and of an older agent
 */
public record GangReport(
    LeaseRef lease,
    HostId host,
    Incarnation incarnation,
    String address,
    Optional<String> publicKey,
    Optional<Integer> port,
    long run,
    GangOrder.Step took,
    GangMemberStage stage,
    int exit,
    Optional<Instant> exitedAt,
    long cleared,
    Optional<Trouble> trouble,
    Optional<Instant> keptUntil) {
  /** Of a run without a checkpoint. */
  public GangReport(
      LeaseRef lease,
      HostId host,
      Incarnation incarnation,
      String address,
      Optional<String> publicKey,
      Optional<Integer> port,
      long run,
      GangOrder.Step took,
      GangMemberStage stage,
      int exit,
      Optional<Instant> exitedAt,
      long cleared,
      Optional<Trouble> trouble) {
    this(
        lease,
        host,
        incarnation,
        address,
        publicKey,
        port,
        run,
        took,
        stage,
        exit,
        exitedAt,
        cleared,
        trouble,
        Optional.empty());
  }

  /** For a host that does not report the lease, and so does not know it. */
  public static GangReport unknownLease(LeaseRef lease, HostId host, Incarnation who) {
    return new GangReport(
        lease,
        host,
        who,
        "",
        Optional.empty(),
        Optional.empty(),
        0,
        GangOrder.Step.NOTHING,
        GangMemberStage.IDLE,
        0,
        Optional.empty(),
        0,
        Optional.empty());
  }

  /** A copy with the verified sender. */
  public GangReport withSender(HostId sender, Incarnation who) {
    return new GangReport(
        lease, sender, who, address, publicKey, port, run, took, stage, exit, exitedAt, cleared,
        trouble, keptUntil);
  }

  /** The same of a run whose last checkpoint has what it did until then. */
  public GangReport keptUntil(Instant until) {
    return new GangReport(
        lease,
        host,
        incarnation,
        address,
        publicKey,
        port,
        run,
        took,
        stage,
        exit,
        exitedAt,
        cleared,
        trouble,
        Optional.of(until));
  }

  /**
   * Why the host cannot continue.
   *
   * @param machine whether the machine is to blame and must be replaced, as with a device that
   *     stays busy
   * @param lasting true if another run would fail alike; absent if not
   */
  public record Trouble(
      FailureCause cause, boolean machine, String text, Optional<Boolean> lasting) {
    /** One that another run may not share. */
    public Trouble(FailureCause cause, boolean machine, String text) {
      this(cause, machine, text, Optional.empty());
    }
  }
}

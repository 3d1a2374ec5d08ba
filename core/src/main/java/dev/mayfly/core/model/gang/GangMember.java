package dev.mayfly.core.model.gang;

import dev.mayfly.core.model.KeptTask;
import dev.mayfly.core.model.worker.HostId;
import dev.mayfly.core.model.worker.Incarnation;
import java.time.Instant;
import java.util.Optional;

/**
 * One host of a run as the control plane knows it; its position in the run's list is its rank.
 *
 * @param address where its peers reach it, as it reported; empty until it is prepared
 * @param publicKey of the pair that it made for this run, if the gang asks for one
 * @param port that it keeps free for this run, as it reported
 * @param incarnation the agent that prepared the run; another one on the same machine knows nothing
 *     of it
 * @param exit the command's exit code, once it is {@link GangMemberStage#EXITED}
 * @param bad why its machine must be given up, if it must
 * @param keptUntil when the newest of what the run's last checkpoint has was written; absent
 *     without a checkpoint, and of ranks other than 0
 * @param overdueAt when it first reported that its command still ran after the run's time limit had
 *     passed; absent of a host that said nothing since then, and may have been gone by then
 */
public record GangMember(
    HostId host,
    String address,
    Optional<String> publicKey,
    Optional<Integer> port,
    Optional<Incarnation> incarnation,
    GangMemberStage stage,
    int exit,
    Optional<String> bad,
    Optional<Instant> keptUntil,
    Optional<Instant> overdueAt) {
  public static GangMember of(HostId host, String address) {
    return new GangMember(
        host,
        address,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        GangMemberStage.IDLE,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty());
  }

  public GangMember withStage(GangMemberStage next) {
    return new GangMember(
        host, address, publicKey, port, incarnation, next, exit, bad, keptUntil, overdueAt);
  }

  public GangMember withReport(GangReport report) {
    return new GangMember(
        host,
        report.address().isEmpty() ? address : report.address(),
        report.publicKey().or(() -> publicKey),
        report.port().or(() -> port),
        Optional.of(report.incarnation()),
        report.stage(),
        report.exit(),
        bad,
        keptUntil,
        overdueAt);
  }

  /** After a report that its command still runs, although the run's time limit has passed. */
  public GangMember overdue(Instant at) {
    return new GangMember(
        host,
        address,
        publicKey,
        port,
        incarnation,
        stage,
        exit,
        bad,
        keptUntil,
        Optional.of(overdueAt.orElse(at)));
  }

  /**
   * With the time of the run's last checkpoint, if it is worth a write or the run is over there.
   */
  public GangMember withKept(GangReport report) {
    var isOver = report.cleared() == report.run() && report.keptUntil().isPresent();
    if (!isOver && !KeptTask.isNews(report.keptUntil(), keptUntil)) return this;
    return new GangMember(
        host,
        address,
        publicKey,
        port,
        incarnation,
        stage,
        exit,
        bad,
        report.keptUntil(),
        overdueAt);
  }

  public GangMember bad(String why) {
    return new GangMember(
        host,
        address,
        publicKey,
        port,
        incarnation,
        stage,
        exit,
        Optional.of(bad.orElse(why)),
        keptUntil,
        overdueAt);
  }
}

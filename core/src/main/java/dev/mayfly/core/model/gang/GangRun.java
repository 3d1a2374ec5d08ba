package dev.mayfly.core.model.gang;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.LeaseRef;
import dev.mayfly.core.model.worker.HostId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * One start of one task on all hosts of its gang: all of them run it or none does.
 *
 * <p>Stored and changed by compare-and-set only. {@code GangLifecycle} has every change of its
 * phase.
 *
 * @param lease the shard and its epoch: a run ends with its lease
 * @param number counts the runs of one lease from 1; orders and reports carry it
 * @param limits the job's time limits
 * @param members by rank
 */
public record GangRun(
    LeaseRef lease, long number, GangTimeouts limits, GangPhase phase, List<GangMember> members) {
  public GangRun {
    members = List.copyOf(members);
    if (members.isEmpty()) throw new IllegalArgumentException(lease + ": a gang has hosts");
  }

  public static GangRun first(
      LeaseRef lease,
      GangTimeouts limits,
      List<GangMember> members,
      GangPhaseTimeouts times,
      Instant now) {
    return new GangRun(lease, 1, limits, preparing(times, now), members);
  }

  /**
   * The run after a cleared one, on the same hosts or on others. Throws {@link
   * IllegalStateException} for a run that may still exist on a host.
   */
  public GangRun nextRun(List<GangMember> next, GangPhaseTimeouts times, Instant now) {
    if (!(phase instanceof GangPhase.Cleared))
      throw new IllegalStateException(
          "run " + number + " of " + lease + " is in " + phase + "; only a cleared one repeats");
    return new GangRun(lease, number + 1, limits, preparing(times, now), next);
  }

  private static GangPhase preparing(GangPhaseTimeouts times, Instant now) {
    return new GangPhase.Prepare(now, now.plus(times.prepare()));
  }

  public Optional<GangMember> member(HostId host) {
    return members.stream().filter(m -> m.host().equals(host)).findFirst();
  }

  /** The host's current order; empty for a host outside the run, and when the run is done. */
  public Optional<GangOrder> order(HostId host) {
    for (var rank = 0; rank < members.size(); rank++)
      if (members.get(rank).host().equals(host)) return order(rank);
    return Optional.empty();
  }

  private Optional<GangOrder> order(int rank) {
    var step =
        switch (phase) {
          case GangPhase.Prepare _ -> GangOrder.Step.PREPARE;
          case GangPhase.Run _ -> GangOrder.Step.RUN;
          case GangPhase.Settle _ -> GangOrder.Step.RUN;
          case GangPhase.Publish _ -> rank == 0 ? GangOrder.Step.PUBLISH : GangOrder.Step.RUN;
          case GangPhase.Kill _ -> GangOrder.Step.KILL;
          case GangPhase.Cleared _ -> GangOrder.Step.KILL;
          case GangPhase.Done _ -> GangOrder.Step.NOTHING;
        };
    if (step == GangOrder.Step.NOTHING) return Optional.empty();
    return Optional.of(
        new GangOrder(
            lease,
            number,
            step,
            rank,
            members.stream().map(GangMember::address).toList(),
            publicKeys(),
            port(),
            Optional.empty()));
  }

  /** By rank; empty as long as a host's is missing. */
  private List<String> publicKeys() {
    var keys = members.stream().flatMap(m -> m.publicKey().stream()).toList();
    return keys.size() == members.size() ? keys : List.of();
  }

  /** Rank 0's, if every host has reported one: then every agent knows what to do with it. */
  private Optional<Integer> port() {
    return all(member -> member.port().filter(GangEnvironment::isGangPort).isPresent())
        ? members.getFirst().port()
        : Optional.empty();
  }

  /** The failed attempt as it is stored, with its first cause. */
  public AttemptFailure failure(GangPhase.Cleared end) {
    var fault = end.fault();
    var worker = fault.host().orElseGet(() -> members.getFirst().host()).worker();
    var failure =
        new AttemptFailure(
            lease.start(),
            lease.attempt(),
            fault.cause(),
            fault.exit() == 0 ? AttemptFailure.NO_PROCESS : fault.exit(),
            fault.reason(),
            worker,
            end.since());
    var together = failure.on(workers());
    var kept = members.getFirst().keptUntil().map(together::keptUntil).orElse(together);
    return fault.lasting().orElse(false) ? kept.asLasting() : kept;
  }

  /** The host by whose fault it ended; empty if it was none's, or if it has not ended. */
  public Optional<HostId> failedHost() {
    return phase instanceof GangPhase.Cleared cleared ? cleared.fault().host() : Optional.empty();
  }

  /** The workers of the run, rank 0's first. */
  public List<String> workers() {
    return members.stream().map(m -> m.host().worker()).distinct().toList();
  }

  /** The hosts whose machines must be given up in any case. */
  public List<GangMember> bad() {
    return members.stream().filter(m -> m.bad().isPresent()).toList();
  }

  public boolean all(Predicate<GangMember> test) {
    return members.stream().allMatch(test);
  }

  public GangRun withPhase(GangPhase next) {
    return new GangRun(lease, number, limits, next, members);
  }

  /** Changes every member that matches. */
  public GangRun mapMembers(Predicate<GangMember> which, UnaryOperator<GangMember> change) {
    var next = members.stream().map(m -> which.test(m) ? change.apply(m) : m).toList();
    return new GangRun(lease, number, limits, phase, next);
  }
}

package dev.mayfly.sim.check;

import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.document.Shard;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.worker.WorkerState;
import dev.mayfly.core.port.CloudMachine;
import dev.mayfly.sim.observation.GroundTruth;
import dev.mayfly.sim.observation.Invariant;
import dev.mayfly.sim.observation.InvariantViolation;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/**
 * I13: long after the last fault every job has ended, nothing runs, nothing is leased and no
 * machine is left.
 */
final class EverythingEnds implements Invariant {
  private final GroundTruth groundTruth;
  private final Set<String> accepted;

  /**
   * @param accepted addresses of the jobs whose messages must have had an effect
   */
  EverythingEnds(GroundTruth groundTruth, Set<String> accepted) {
    this.groundTruth = groundTruth;
    this.accepted = accepted;
  }

  /** The first thing that has not ended yet. */
  public Optional<String> unfinished() {
    var jobs = groundTruth.all(Job.class);
    return accepted.stream()
        .filter(n -> jobs.stream().noneMatch(j -> j.spec().address().equals(n)))
        .filter(n -> !rejectedAsDenied(n))
        .map(n -> "no job came of " + n)
        .findFirst()
        .or(() -> unfinishedExcept(""));
  }

  /**
   * The same for all clusters but one.
   *
   * @param except that cluster's uid
   */
  Optional<String> unfinishedExcept(String except) {
    return Stream.of(
            groundTruth.all(Job.class).stream()
                .filter(j -> !j.cluster().equals(except) && !j.state().ended())
                .map(j -> j.uid() + " is " + j.state()),
            groundTruth.all(Shard.class).stream()
                .filter(s -> !s.cluster().equals(except) && s.state() == Shard.State.LEASED)
                .map(s -> s.key().path() + " is leased to " + s.owner()),
            groundTruth.running().stream()
                .filter(p -> except.isEmpty() || groundTruth.worker(except, p.worker()).isEmpty())
                .map(p -> p + " runs"),
            groundTruth.fleet().machines().stream()
                .filter(m -> !m.foreign() && !except.equals(m.labels().get(CloudMachine.CLUSTER)))
                .map(m -> m + " is there"),
            groundTruth.all(Worker.class).stream()
                .filter(w -> !w.cluster().equals(except))
                .filter(w -> !(w.state() instanceof WorkerState.Gone))
                .map(w -> w.name() + " is " + w.state()))
        .flatMap(s -> s)
        .findFirst();
  }

  /** Whether the job was rejected because a right to its bucket was missing for too long. */
  private boolean rejectedAsDenied(String job) {
    return groundTruth.all(RejectedMessage.class).stream()
        .anyMatch(r ->
            List.of(r.about().split(", ")).contains("job " + job)
                && r.errors().stream().anyMatch(e -> e.contains("has no right to it")));
  }

  @Override
  public void atRest() {
    unfinished()
        .ifPresent(what -> {
          throw new InvariantViolation("I13", "long after the last fault " + what);
        });
  }
}

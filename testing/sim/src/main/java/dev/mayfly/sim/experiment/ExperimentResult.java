package dev.mayfly.sim.experiment;

import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.query.cost.CostGroup;
import dev.mayfly.core.query.cost.MachineCost;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What happened in an experiment. All times are from its start.
 *
 * @param seed the same seed gives the same result
 * @param took until the last job ended, or until the experiment did
 * @param complete whether all jobs ended
 * @param jobs in the order of their submission
 * @param machines by pool and zone
 * @param total of all machines, with those that waited for work and ended after the last job
 * @param refused documents that the control plane refused, with the reason
 * @param samples what ran, at equal intervals
 */
public record ExperimentResult(
    long seed,
    Duration took,
    boolean complete,
    List<Job> jobs,
    List<Machines> machines,
    CostGroup total,
    List<String> refused,
    List<Sample> samples) {
  public ExperimentResult {
    jobs = List.copyOf(jobs);
    machines = List.copyOf(machines);
    refused = List.copyOf(refused);
    samples = List.copyOf(samples);
  }

  /**
   * A job.
   *
   * @param name its address
   * @param submitted when
   * @param started when its first task began
   * @param ended when it did
   * @param state as the list of jobs says it
   * @param lost attempts that ended with their machine, with a notice or without, or for a job of a
   *     higher priority
   * @param attempts those without a result, by cause
   * @param reason why it is in its state, if that is known
   * @param deadline until when it should be done ({@code onDemand.deadline}); empty for at any time
   * @param late for how long it was not done after its deadline; empty if it kept it
   * @param most tasks of it that ran at once
   * @param places where its attempts began
   * @param apart whether hosts of one of its gangs were in several zones
   * @param waits why none of its tasks ran, or not more of them, the longest first
   * @param cost of its tasks
   */
  public record Job(
      String name,
      Duration submitted,
      Optional<Duration> started,
      Optional<Duration> ended,
      String state,
      long tasks,
      long done,
      long failed,
      long lost,
      Map<FailureCause, Long> attempts,
      Optional<String> reason,
      Optional<Duration> deadline,
      Optional<Duration> late,
      long most,
      List<Place> places,
      boolean apart,
      List<Wait> waits,
      MachineCost cost) {
    public Job {
      places = List.copyOf(places);
      attempts = Map.copyOf(attempts);
      waits = List.copyOf(waits);
    }

    /** Whether all that it should have done is done. */
    public boolean succeeded() {
      return state.equals("succeeded");
    }
  }

  /** A pool's zone. */
  public record Place(String pool, String zone) {}

  /**
   * A reason for which tasks of a job waited, the first one that was told.
   *
   * @param kind one word, as {@code mayfly explain} has it
   * @param reason as it was told last
   * @param time for which it was told: to the minute while none of its tasks ran, and otherwise to
   *     five minutes
   */
  public record Wait(String kind, String reason, Duration time) {}

  /**
   * The machines of a pool in a zone.
   *
   * @param launched orders that the cloud took; one of them may have ended before it ran
   * @param preempted those of them that the zone took back
   * @param refused orders for which the zone had no machine
   * @param most at once
   * @param left that are there at the end
   * @param hours for which they ran, as a cloud bills them
   */
  public record Machines(
      String pool,
      String zone,
      int launched,
      int preempted,
      int refused,
      int most,
      int left,
      double hours) {}

  /**
   * A moment.
   *
   * @param machines that run or start, in the order of {@link ExperimentResult#machines}
   * @param running tasks that run, in the order of {@link ExperimentResult#jobs}
   * @param most tasks that ran at once since the moment before, in the same order
   * @param done tasks that are done, in the same order
   */
  public record Sample(
      Duration at, List<Integer> machines, List<Long> running, List<Long> most, List<Long> done) {
    public Sample {
      machines = List.copyOf(machines);
      running = List.copyOf(running);
      most = List.copyOf(most);
      done = List.copyOf(done);
    }
  }
}

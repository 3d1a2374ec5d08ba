package dev.mayfly.core.lifecycle;

import dev.mayfly.core.model.job.AdmissionRules;
import dev.mayfly.core.model.job.JobState;
import dev.mayfly.core.model.job.Predecessor;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Function;

/** What becomes of a job that waits for others. */
public sealed interface StartDecision {
  /** How long a predecessor's message may arrive after its successor's. */
  Duration ARRIVAL = Duration.ofMinutes(15);

  /** All predecessors have ended as required. */
  record Start() implements StartDecision {}

  record Wait() implements StartDecision {}

  /**
   * It cannot start any more.
   *
   * @param why what its predecessor did, as the end of a sentence
   * @param despite what a job writes that starts all the same
   */
  record End(JobState.Result result, String why, Optional<String> despite)
      implements StartDecision {
    public String reason() {
      return "did not start: " + why + despite.map("; "::concat).orElse("");
    }

    private static End of(JobState.Result result, Predecessor predecessor, String did) {
      var name = predecessor.job();
      return new End(result, "its predecessor " + name + did, Optional.of(despiteEnd(name)));
    }
  }

  /** What a job writes that starts whatever becomes of the one before it. */
  static String despiteEnd(String predecessor) {
    return "with after: [{job: %s, on: end}] it starts then too".formatted(predecessor);
  }

  /**
   * Decides by what is known now, so that the order of events does not matter. A predecessor that
   * ended otherwise than required ends the job at once, even while others run.
   *
   * @param since when the job began to wait
   * @param found the state of the job with a uid; empty if there is no such job
   */
  static StartDecision of(
      AdmissionRules rules,
      Instant since,
      Instant now,
      Function<String, Optional<JobState>> found) {
    StartDecision decision = new Start();
    for (var predecessor : rules.after()) {
      var next = of(predecessor, since, now, predecessor.uid().flatMap(found));
      if (next instanceof End) return next;
      if (next instanceof Wait) decision = next;
    }
    return decision;
  }

  private static StartDecision of(
      Predecessor predecessor, Instant since, Instant now, Optional<JobState> state) {
    if (state.isEmpty())
      return now.isBefore(since.plus(ARRIVAL))
          ? new Wait()
          : new End(
              JobState.Result.FAILED,
              "its predecessor %s did not arrive within %d minutes; submit both again"
                  .formatted(predecessor.job(), ARRIVAL.toMinutes()),
              Optional.empty());
    if (!(state.get() instanceof JobState.Ended ended)) return new Wait();
    if (predecessor.on().isMetBy(ended.result())) return new Start();
    return ended.result() == JobState.Result.STOPPED
        ? End.of(JobState.Result.STOPPED, predecessor, " was stopped")
        : End.of(JobState.Result.FAILED, predecessor, " failed");
  }
}

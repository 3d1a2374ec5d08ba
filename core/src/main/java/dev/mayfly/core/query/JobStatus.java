package dev.mayfly.core.query;

import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.job.TaskTotals;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A job as users see it.
 *
 * @param state one word: expanding, running, stopping, finishing, succeeded, failed, stopped
 * @param reason why it is in that state, if known; in a list also why none of its tasks runs
 * @param attempts number of attempts without a result, by cause
 * @param failures the newest, with their evidence
 * @param bucket where its logs and outcome are
 * @param image the digest to which its image's tag was pinned at the first pull
 */
public record JobStatus(
    String name,
    String uid,
    String cluster,
    Optional<String> owner,
    String state,
    Optional<String> reason,
    long tasks,
    TaskTotals totals,
    Map<FailureCause, Long> attempts,
    List<AttemptFailure> failures,
    Instant submittedAt,
    Instant acceptedAt,
    Optional<Instant> endedAt,
    Optional<String> outcome,
    String bucket,
    JobSpec spec,
    Optional<PinnedImage> image) {
  JobStatus withReason(String why) {
    return new JobStatus(
        name,
        uid,
        cluster,
        owner,
        state,
        Optional.of(why),
        tasks,
        totals,
        attempts,
        failures,
        submittedAt,
        acceptedAt,
        endedAt,
        outcome,
        bucket,
        spec,
        image);
  }
}

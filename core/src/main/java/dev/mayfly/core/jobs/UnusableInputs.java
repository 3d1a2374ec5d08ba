package dev.mayfly.core.jobs;

import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.job.LeftOutInputs;
import dev.mayfly.core.port.ObjectNames;
import java.time.Instant;
import java.util.Optional;

/**
 * Objects that match a job's pattern but cannot be inputs, because no {@code Url} has such a name,
 * or because there is no file in a folder's entry. The job runs without them; its user is warned
 * once.
 *
 * @param first the first such URL, in printable form
 */
public record UnusableInputs(long count, Optional<String> first) {
  private static final String LEFT_OUT = "inputs-left-out";

  private static final String NAME =
      "a name must have no control character and no '.' or '..' between slashes";

  static final UnusableInputs NONE = new UnusableInputs(0, Optional.empty());

  UnusableInputs with(String root, String name) {
    return new UnusableInputs(
        count + 1, first.or(() -> Optional.of(root + "/" + ObjectNames.printable(name))));
  }

  UnusableInputs plus(UnusableInputs later) {
    return new UnusableInputs(count + later.count, first.or(later::first));
  }

  /** What the job's document keeps of it. */
  public Optional<LeftOutInputs> leftOut() {
    return first.map(name -> new LeftOutInputs(count, name));
  }

  /**
   * The warning for the user; empty if there are none.
   *
   * @param complete whether these are all inputs of the job
   */
  Optional<String> warning(boolean complete) {
    return first.map(name ->
        "%s%,d of the inputs cannot be used and %s left out, first %s: %s; %s and submit the job again"
            .formatted(
                complete ? "" : "at least ",
                count,
                count == 1 ? "is" : "are",
                name,
                name.startsWith("file:") ? NAME + ", and must be that of a file" : NAME,
                "rename or replace them"));
  }

  /** One event per job: its id derives from the job's, and sorts where it was submitted. */
  static EventRecord event(Job job, Instant now, String warning) {
    return new EventRecord(
        job.cluster(), id(job), now, "job/" + job.spec().address(), LEFT_OUT, warning);
  }

  static String id(Job job) {
    return EventRecord.repeatableId(job.submittedAt(), LEFT_OUT, job.uid());
  }
}

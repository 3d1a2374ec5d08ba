package dev.mayfly.core.state.job;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.port.Ledger;

/**
 * Checks that a submission's id is used for one job: another job with that id would never start.
 */
public final class SubmissionIdCheck {
  private SubmissionIdCheck() {}

  /**
   * Throws {@link InvalidInputException} if this is not a repeat of the id's submission.
   *
   * @param before the job that has the id
   * @param hash of the new content
   */
  public static void check(Ledger ledger, Job before, JobSpec spec, String hash) {
    var name = ledger.read(before.nameKey());
    var other =
        name.map(VersionedDocument::value)
            .filter(n -> n.job().filter(before.uid()::equals).isPresent())
            .filter(n -> !n.hash().equals(hash))
            .isPresent();
    if (other || !before.spec().address().equals(spec.address()))
      throw new InvalidInputException(
          "submission",
          "was used by job %s (%s) with other content; choose another id, or leave it out"
              .formatted(before.spec().address(), before.uid()));
  }
}

package dev.mayfly.core.state.job;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.JobName;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.port.Ledger;

/**
 * Checks that a submission's id is used for one job: another job with that id would never start.
 * The job itself has what its content was, whatever has its name by now.
 */
public final class SubmissionIdCheck {
  private SubmissionIdCheck() {}

  /**
   * Throws {@link InvalidInputException} if this is not a repeat of the id's submission.
   *
   * @param before the job that has the id
   * @param hash of the new content
   */
  public static void check(Job before, String hash) {
    if (!before.hasContent(hash)) throw refusal(before.spec().address(), before.uid());
  }

  /**
   * Whether the id's submission found a job of that name, and made none of its own. Throws {@link
   * InvalidInputException} if this is another content than that job's.
   */
  public static boolean repeats(Ledger ledger, JobName name, String uid, String hash) {
    if (!name.repeats().contains(uid)) return false;
    name.foundBy(uid)
        .flatMap(job -> ledger.read(new DocumentKey.OfJob(name.cluster(), job)))
        .map(VersionedDocument::value)
        .ifPresent(found -> check(found, hash));
    return true;
  }

  /** The refusal of another content, for a submission and its dry run alike. */
  public static InvalidInputException refusal(String address, String uid) {
    return new InvalidInputException(
        "submission",
        "was used by job %s (%s) with other content; choose another id, or leave it out"
            .formatted(address, uid));
  }
}

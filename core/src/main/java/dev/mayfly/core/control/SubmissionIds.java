package dev.mayfly.core.control;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSpec;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.port.Ledger;
import dev.mayfly.core.port.Stored;

/** A submission's id is for one job: another job under it would never begin. */
final class SubmissionIds {
  private SubmissionIds() {}

  /**
   * Throws {@link Invalid} if the id is not that of a repeat.
   *
   * @param before the job that has the id
   * @param hash of the content that comes now
   */
  static void check(Ledger ledger, Job before, JobSpec spec, String hash) {
    var name = ledger.read(new Key.OfJobName(before.cluster(), before.spec().name()));
    var other =
        name.map(Stored::value)
            .filter(n -> n.job().filter(before.uid()::equals).isPresent())
            .filter(n -> !n.hash().equals(hash))
            .isPresent();
    if (other || !before.spec().name().equals(spec.name()))
      throw new Invalid(
          "submission",
          "was used by job %s (%s) with other content; choose another id, or leave it out"
              .formatted(before.spec().name(), before.uid()));
  }
}

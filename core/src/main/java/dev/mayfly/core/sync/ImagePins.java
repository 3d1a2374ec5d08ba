package dev.mayfly.core.sync;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.job.PinnedImage;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.job.JobCache;
import java.util.List;
import java.util.Optional;

/**
 * Pins a job's image to the digest that its tag named when a worker first pulled it for the job.
 * Workers with a lease of the job are told and run that digest from then on. Only agents may ask
 * the registry, so the control plane cannot resolve tags itself.
 */
final class ImagePins {
  private final Context context;
  private final JobCache jobs;

  ImagePins(Context context, JobCache jobs) {
    this.context = context;
    this.jobs = jobs;
  }

  /**
   * The first report counts. Reports for a job that the worker has no lease of, for an image that
   * the job no longer runs, and overtaken reports are ignored. A report that loses to a change of
   * the job is repeated with the next sync.
   */
  void record(Worker worker, SyncReport report) {
    for (var pulled : report.images())
      if (pulled.image().isValid()
          && worker.held().stream().anyMatch(h -> h.job().equals(pulled.job()))
          && jobs.isReadable(pulled.job())
          && jobs.lastKnown(pulled.job()).flatMap(j -> written(j, worker, pulled)).isPresent())
        keep(worker, pulled);
  }

  private void keep(Worker worker, SyncReport.Pulled pulled) {
    var storedJob = context.ledger().read(new DocumentKey.OfJob(worker.cluster(), pulled.job()));
    storedJob
        .flatMap(s -> written(s.value(), worker, pulled))
        .ifPresent(image ->
            context
                .ledger()
                .commit(
                    writes(
                        storedJob.get(), worker, new PinnedImage(image, pulled.image().digest()))));
    // Orders follow what is stored now, whichever report was first.
    jobs.reload(pulled.job());
  }

  /**
   * The job's image as written, if it is what the worker pulled: from its region's mirror, which
   * has the same digests. Empty if the job is over or its image is another one now.
   */
  private Optional<String> written(Job job, Worker worker, SyncReport.Pulled pulled) {
    if (!job.running()) return Optional.empty();
    return jobs.jobInfo(job, worker.zone())
        .flatMap(ImagePins::image)
        .filter(pulled.image().image()::equals)
        .flatMap(_ -> jobs.jobInfo(job))
        .flatMap(ImagePins::image);
  }

  private static Optional<String> image(JobInfo jobInfo) {
    return jobInfo.spec().run().image();
  }

  private List<LedgerWrite> writes(
      VersionedDocument<Job> storedJob, Worker worker, PinnedImage exact) {
    var job = storedJob.value();
    var now = context.clock().instant();
    var why = exact.image() + " is " + exact.digest() + " for this job, as " + worker.name();
    var about = "job/" + job.spec().address();
    var eventRecord = context.event(job.cluster(), now, about, "image", why + " pulled it");
    return List.of(
        new LedgerWrite.Update(job.withImage(exact), storedJob.version()),
        new LedgerWrite.Put(eventRecord),
        new LedgerWrite.Signal(job.cluster(), now, false, List.of()));
  }
}

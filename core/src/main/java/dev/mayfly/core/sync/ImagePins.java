package dev.mayfly.core.sync;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.document.Worker;
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
          && jobs.lastKnown(pulled.job()).filter(j -> isOpen(j, pulled)).isPresent())
        keep(worker, pulled);
  }

  private void keep(Worker worker, SyncReport.Pulled pulled) {
    var versionedDocument =
        context.ledger().read(new DocumentKey.OfJob(worker.cluster(), pulled.job()));
    if (versionedDocument.filter(s -> isOpen(s.value(), pulled)).isPresent())
      context.ledger().commit(writes(versionedDocument.get(), worker, pulled));
    // Orders follow what is stored now, whichever report was first.
    jobs.reload(pulled.job());
  }

  private boolean isOpen(Job job, SyncReport.Pulled pulled) {
    var now = jobs.jobInfo(job).flatMap(ImagePins::image);
    return job.running() && now.equals(Optional.of(pulled.image().image()));
  }

  private static Optional<String> image(JobInfo jobInfo) {
    return jobInfo.spec().run().image();
  }

  private List<LedgerWrite> writes(
      VersionedDocument<Job> versionedDocument, Worker worker, SyncReport.Pulled pulled) {
    var job = versionedDocument.value();
    var now = context.clock().instant();
    var exact = pulled.image();
    var why = exact.image() + " is " + exact.digest() + " for this job, as " + worker.name();
    var about = "job/" + job.spec().name();
    var eventRecord =
        new EventRecord(
            job.cluster(), context.ids().next(20), now, about, "image", why + " pulled it");
    return List.of(
        new LedgerWrite.Update(job.running(exact), versionedDocument.version()),
        new LedgerWrite.Put(eventRecord),
        new LedgerWrite.Notify(job.cluster(), now, false, List.of()));
  }
}

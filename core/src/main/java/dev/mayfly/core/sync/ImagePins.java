package dev.mayfly.core.sync;

import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.Worker;
import dev.mayfly.core.model.sync.JobInfo;
import dev.mayfly.core.model.sync.SyncReport;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.port.VersionedDocument;
import dev.mayfly.core.state.SyncContext;
import dev.mayfly.core.state.job.JobCache;
import java.util.List;
import java.util.Optional;

/**
 * Keeps what the tag of a job's image named when a machine pulled it for the job first; who has a
 * lease of the job is told, and runs that from then on. The agent alone has the right to ask the
 * registry, so that nobody else could find out.
 */
final class ImagePins {
  private final SyncContext syncContext;
  private final JobCache jobs;

  ImagePins(SyncContext syncContext, JobCache jobs) {
    this.syncContext = syncContext;
    this.jobs = jobs;
  }

  /**
   * The first report counts. One of another worker's job, of an image that the job does not run any
   * more, and one that was overtaken are ignored; whoever is overtaken by a change of the job says
   * it again at the next sync.
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
        syncContext.ledger().read(new DocumentKey.OfJob(worker.cluster(), pulled.job()));
    if (versionedDocument.filter(s -> isOpen(s.value(), pulled)).isPresent())
      syncContext.ledger().commit(writes(versionedDocument.get(), worker, pulled));
    // Whoever was first: orders are written by what is stored now.
    jobs.reload(pulled.job());
  }

  private boolean isOpen(Job job, SyncReport.Pulled pulled) {
    var now = jobs.jobInfo(job).flatMap(ImagePins::image);
    return job.running() && now.equals(Optional.of(pulled.image().image()));
  }

  private static Optional<String> image(JobInfo sheet) {
    return sheet.spec().run().image();
  }

  private List<LedgerWrite> writes(
      VersionedDocument<Job> versionedDocument, Worker worker, SyncReport.Pulled pulled) {
    var job = versionedDocument.value();
    var now = syncContext.clock().instant();
    var exact = pulled.image();
    var why = exact.image() + " is " + exact.digest() + " for this job, as " + worker.name();
    var about = "job/" + job.spec().name();
    var eventRecord =
        new EventRecord(
            job.cluster(), syncContext.ids().next(20), now, about, "image", why + " pulled it");
    return List.of(
        new LedgerWrite.Update(job.running(exact), versionedDocument.version()),
        new LedgerWrite.Put(eventRecord),
        new LedgerWrite.Notify(job.cluster(), now, false, List.of()));
  }
}

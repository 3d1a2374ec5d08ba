package dev.mayfly.core.control;

import dev.mayfly.core.model.Event;
import dev.mayfly.core.model.Job;
import dev.mayfly.core.model.JobSheet;
import dev.mayfly.core.model.Key;
import dev.mayfly.core.model.SyncReport;
import dev.mayfly.core.model.Worker;
import dev.mayfly.core.port.Stored;
import dev.mayfly.core.port.Write;
import java.util.List;
import java.util.Optional;

/**
 * Keeps what the tag of a job's image named when a machine pulled it for the job first; who has a
 * lease of the job is told, and runs that from then on. The agent alone has the right to ask the
 * registry, so that nobody else could find out.
 */
final class ImageTags {
  private final Deck deck;
  private final JobCache jobs;

  ImageTags(Deck deck, JobCache jobs) {
    this.deck = deck;
    this.jobs = jobs;
  }

  /**
   * The first report counts. One of another worker's job, of an image that the job does not run any
   * more, and one that was overtaken are ignored; whoever is overtaken by a change of the job says
   * it again at the next sync.
   */
  void heard(Worker worker, SyncReport report) {
    for (var pulled : report.images())
      if (pulled.image().isValid()
          && worker.held().stream().anyMatch(h -> h.job().equals(pulled.job()))
          && jobs.isReadable(pulled.job())
          && jobs.heard(pulled.job()).filter(j -> isOpen(j, pulled)).isPresent())
        keep(worker, pulled);
  }

  private void keep(Worker worker, SyncReport.Pulled pulled) {
    var stored = deck.ledger().read(new Key.OfJob(worker.cluster(), pulled.job()));
    if (stored.filter(s -> isOpen(s.value(), pulled)).isPresent())
      deck.ledger().commit(writes(stored.get(), worker, pulled));
    // Whoever was first: orders are written by what is stored now.
    jobs.again(pulled.job());
  }

  private boolean isOpen(Job job, SyncReport.Pulled pulled) {
    var now = jobs.sheet(job).flatMap(ImageTags::image);
    return job.running() && now.equals(Optional.of(pulled.image().image()));
  }

  private static Optional<String> image(JobSheet sheet) {
    return sheet.spec().run().image();
  }

  private List<Write> writes(Stored<Job> stored, Worker worker, SyncReport.Pulled pulled) {
    var job = stored.value();
    var now = deck.clock().instant();
    var exact = pulled.image();
    var why = exact.image() + " is " + exact.digest() + " for this job, as " + worker.name();
    var about = "job/" + job.spec().name();
    var event =
        new Event(job.cluster(), deck.ids().next(20), now, about, "image", why + " pulled it");
    return List.of(
        new Write.Update(job.running(exact), stored.version()),
        new Write.Put(event),
        new Write.Notify(job.cluster(), now, false, List.of()));
  }
}

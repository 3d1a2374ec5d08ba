package dev.mayfly.core.jobs;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnknownNameException;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.TaskAddition;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.OpenTasks;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.LedgerWrite;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.state.Transactions;
import dev.mayfly.core.state.TriggerSender;
import dev.mayfly.core.state.job.JobCompletion;
import dev.mayfly.core.state.job.JobLookup;
import dev.mayfly.core.state.job.JobQueueWriter;
import dev.mayfly.core.text.TaskTemplate;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/**
 * Adds tasks to open jobs, and closes them. Tasks, the job's count and the proof of the addition
 * are one commit; so a repeat, a crash or a conflict adds nothing twice and leaves no gap.
 */
public final class OpenJobs {
  /** The most tasks of an open job: each has a shard of its own. */
  static final long MOST_TASKS = 100_000;

  private static final Set<String> OF_INPUT = Set.of("input", "inputFile", "stem", "file");

  private final Context context;
  private final JobExpansion jobExpansion;
  private final JobQueueWriter jobQueueWriter;
  private final JobCompletion jobCompletion;

  public OpenJobs(Context context, JobExpansion jobExpansion, JobQueueWriter jobQueueWriter) {
    this.context = context;
    this.jobExpansion = jobExpansion;
    this.jobQueueWriter = jobQueueWriter;
    jobCompletion = new JobCompletion(context);
  }

  /**
   * Throws {@link InvalidInputException} if the job takes no tasks any more, or not these, or if
   * the addition's id was used for others.
   *
   * @param message the id of the addition, if it has none of its own
   */
  public void add(
      Cluster cluster, UserCommand.AddTasks addTasks, String message, Instant publishedAt) {
    var id = addTasks.addition().orElse(message.replaceAll("[^A-Za-z0-9_.-]", "-"));
    var hash = hash(addTasks);
    Transactions.retry(
        "job " + addTasks.job(),
        () -> {
          var storedJob = find(cluster, addTasks.job(), publishedAt);
          var job = storedJob.value();
          var key = new DocumentKey.OfTaskAddition(job.cluster(), job.uid(), id);
          var before = context.ledger().read(key);
          if (before.isPresent()) {
            checkRepeat(job, before.get().value(), hash);
            return true;
          }
          var open = requireOpen(job, publishedAt);
          var items = items(job, addTasks);
          if (!commit(cluster, storedJob, open, items, id, hash)) return false;
          TriggerSender.send(context.bus(), Trigger.Reconcile.job(job.key()));
          // A close may have waited for this addition, whose tasks may all be done before.
          if (open.closed().isPresent()) jobCompletion.completeIfDone(job.key());
          return true;
        });
  }

  /** A job that is closed already, or has ended, stays as it is. */
  public void close(
      Cluster cluster, UserCommand.CloseJob closeJob, Instant publishedAt, String by) {
    Transactions.retry(
        "job " + closeJob.job(),
        () -> {
          var storedJob = find(cluster, closeJob.job(), publishedAt);
          var job = storedJob.value();
          var open =
              job.tasks()
                  .open()
                  .orElseThrow(() -> notOpen(job, "it ends by itself when its tasks have"));
          if (open.closed().isEmpty() && job.running()) {
            var closing = new OpenTasks.Closing(publishedAt, closeJob.additions(), by);
            var now = context.clock().instant();
            // Instances that grant leases read the job again: the last task's end must end it.
            var writes =
                List.<LedgerWrite>of(
                    new LedgerWrite.Update(
                        job.withTasks(job.tasks().with(open.close(closing))), storedJob.version()),
                    new LedgerWrite.Put(jobQueueWriter.event(job, "closed", by)),
                    new LedgerWrite.Signal(job.cluster(), now, true, List.of()));
            if (!context.ledger().commit(writes).done()) return false;
          }
          jobCompletion.completeIfDone(job.key());
          return true;
        });
  }

  /** The newest job of that name, if it was submitted before the message. */
  private VersionedDocument<Job> find(Cluster cluster, String name, Instant publishedAt) {
    var job = new JobLookup(context.ledger()).job(cluster.uid(), name).job();
    if (job.value().submittedAt().isAfter(publishedAt))
      throw new UnknownNameException("job", "there is no job " + name);
    return job;
  }

  private static InvalidInputException notOpen(Job job, String remedy) {
    return new InvalidInputException(
        "job", "job %s is not open; %s".formatted(job.spec().name(), remedy));
  }

  private static OpenTasks requireOpen(Job job, Instant publishedAt) {
    var name = job.spec().name();
    var open =
        job.tasks()
            .open()
            .orElseThrow(() -> notOpen(job, "submit one with tasks: {open: true} to add tasks"));
    if (!job.running())
      throw new InvalidInputException(
          "job",
          "job %s takes no more tasks: it is stopping or has ended; submit it again"
              .formatted(name));
    if (!open.takes(publishedAt))
      throw new InvalidInputException(
          "job",
          "job %s was closed at %s (%s); submit another"
              .formatted(
                  name,
                  open.closed().map(c -> c.at().toString()).orElse(""),
                  open.closed().map(OpenTasks.Closing::by).orElse("")));
    return open;
  }

  private static List<TaskItem> items(Job job, UserCommand.AddTasks addTasks) {
    var count = job.tasks().count();
    if (count + addTasks.tasks().size() > MOST_TASKS)
      throw new InvalidInputException(
          "tasks",
          "job %s has %,d tasks, and an open job has %,d at most; close it and open another"
              .formatted(job.spec().name(), count, MOST_TASKS));
    var items = new ArrayList<TaskItem>();
    for (var i = 0; i < addTasks.tasks().size(); i++) {
      var task = addTasks.tasks().get(i);
      check(job, task, i);
      items.add(task.numbered(count + i));
    }
    return items;
  }

  /** Of the tasks, wherever in the job they come to be. */
  private String hash(UserCommand.AddTasks addTasks) {
    var tasks = addTasks.tasks();
    var items = IntStream.range(0, tasks.size()).mapToObj(i -> tasks.get(i).numbered(i)).toList();
    return Sha256.of(new String(context.codec().tasks(items), StandardCharsets.UTF_8));
  }

  /** Tasks that were never added must not be told as added. */
  private static void checkRepeat(Job job, TaskAddition before, String hash) {
    if (before.hash().filter(of -> !of.equals(hash)).isPresent())
      throw new InvalidInputException(
          "addition",
          "%s was used for other tasks of job %s (%d from number %d on); choose another id, or leave it out"
              .formatted(before.id(), job.spec().name(), before.count(), before.first()));
  }

  private static void check(Job job, UserCommand.NewTask task, int number) {
    var place = "tasks[" + number + "]";
    if (!(job.spec().tasks() instanceof TaskSource.Open open)) return;
    for (var name : open.variables())
      if (!task.variables().containsKey(name))
        throw new InvalidInputException(
            place + ".variables",
            "lacks %s, which job %s declares; give it a value".formatted(name, job.spec().name()));
    if (task.input().isEmpty() && readsInput(job))
      throw new InvalidInputException(
          place,
          "has no input, which the command of job %s names; give it the URL of an object"
              .formatted(job.spec().name()));
  }

  private static boolean readsInput(Job job) {
    var spec = job.spec();
    return Stream.of(
            spec.run().command().stream(),
            spec.data().output().stream(),
            spec.run().taskEnvironment().checkpoint().stream())
        .flatMap(texts -> texts)
        .flatMap(text -> TaskTemplate.placeholders(text).stream())
        .anyMatch(OF_INPUT::contains);
  }

  private boolean commit(
      Cluster cluster,
      VersionedDocument<Job> storedJob,
      OpenTasks open,
      List<TaskItem> items,
      String id,
      String hash) {
    var job = storedJob.value();
    var first = job.tasks().count();
    var next = job.withTasks(job.tasks().plus(items.size(), open.added()));
    var now = context.clock().instant();
    var writes = new ArrayList<LedgerWrite>();
    var size = items.size();
    var shards = jobExpansion.shards(next, cluster.spec(), first, first + size, Optional.of(items));
    var before = next.tasks().plusBefore(JobExpansion.doneIn(shards));
    writes.add(new LedgerWrite.Update(next.withTasks(before), storedJob.version()));
    writes.add(
        new LedgerWrite.Create(
            new TaskAddition(job.cluster(), job.uid(), id, first, size, now, Optional.of(hash))));
    shards.forEach(shard -> writes.add(new LedgerWrite.Create(shard)));
    writes.add(new LedgerWrite.Signal(job.cluster(), now, true, List.of(), true));
    return context.ledger().commit(writes).done();
  }
}

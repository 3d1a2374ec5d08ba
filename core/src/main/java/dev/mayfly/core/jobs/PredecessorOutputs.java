package dev.mayfly.core.jobs;

import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.jobs.gather.GatheredInputsBuilder;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.Cluster;
import dev.mayfly.core.model.document.DocumentKey;
import dev.mayfly.core.model.document.Job;
import dev.mayfly.core.model.document.VersionedDocument;
import dev.mayfly.core.model.job.JobSpec;
import dev.mayfly.core.model.job.OutputMode;
import dev.mayfly.core.model.job.Predecessor;
import dev.mayfly.core.model.job.TaskItem;
import dev.mayfly.core.model.job.TaskOutcome;
import dev.mayfly.core.model.job.TaskSource;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.text.HumanAmounts;
import dev.mayfly.core.text.TaskTemplate;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tasks of a job that reads another one's outputs: one for each output that has a sentinel, in
 * the order of that job's tasks. What is done is read from the outcome objects, so that neither a
 * half-written output nor another program's object is taken.
 */
final class PredecessorOutputs {
  private static final String FIELD = "tasks.inputsOf";

  /** Where the list goes on that begins to differ from one that was stored earlier. */
  private static final String COUNTED = "counted";

  private static final int CAP = 128 << 20;

  private final Context context;
  private final OutputLookup outputLookup;

  PredecessorOutputs(Context context, OutputLookup outputLookup) {
    this.context = context;
    this.outputLookup = outputLookup;
  }

  /**
   * Throws {@link InvalidInputException} if the predecessor is known already and leaves no outputs;
   * otherwise the job would wait for nothing.
   */
  static void check(Context context, JobSpec spec, Cluster cluster, Instant submittedAt) {
    var source = spec.tasks().predecessor();
    if (source.isEmpty()) return;
    var rules =
        new PredecessorLookup(context.ledger(), context.clock())
            .resolved(cluster.uid(), spec, submittedAt);
    uid(source.get(), rules.after())
        .flatMap(uid -> job(context, cluster.uid(), uid))
        .ifPresent(PredecessorOutputs::checkOutputs);
  }

  private static void checkOutputs(Job predecessor) {
    if (predecessor.spec().data().outputs() == OutputMode.NONE)
      throw new InvalidInputException(
          FIELD,
          "job %s says outputs: none, so its tasks leave nothing to read; let it leave outputs (tasks.output), or name what this job reads in tasks.inputs"
              .formatted(predecessor.spec().name()));
  }

  /**
   * The next slice of the tasks of a job whose predecessors have ended.
   *
   * @param after the number of the outcome object where the slice begins
   * @param counted the job's tasks so far
   */
  TaskLister.TaskBatch next(
      Job job, TaskSource.InputsOf source, ClusterSpec cluster, String after, long counted) {
    var predecessor = predecessor(job, source);
    var pieces = pieces(predecessor);
    var again = after.equals(COUNTED);
    var piece = after.isEmpty() || again ? 0 : Integer.parseInt(after);
    var skip = again ? counted : 0;
    var items = new ArrayList<TaskItem>();
    for (;
        piece < pieces && items.size() + JobFinalization.PIECE <= TaskLister.BATCH_TASKS;
        piece++)
      for (var output : outputs(predecessor, cluster, piece)) {
        if (skip > 0) skip--;
        else items.add(item(counted + items.size(), output));
      }
    return new TaskLister.TaskBatch(
        Integer.toString(piece),
        counted + items.size(),
        piece >= pieces,
        items,
        0,
        UnusableInputs.NONE);
  }

  /**
   * The one task that reads all of these outputs as a folder.
   *
   * @param list where the list of them will be
   */
  TaskLister.TaskBatch gathered(
      Job job, TaskSource.InputsOf source, ClusterSpec cluster, ObjectUrl list) {
    var predecessor = predecessor(job, source);
    var builder = new GatheredInputsBuilder(FIELD, beginning(predecessor, cluster));
    for (var piece = 0; piece < pieces(predecessor); piece++)
      for (var output : outputs(predecessor, cluster, piece)) {
        if (output.folder()) builder.addFolder(output.info(), output.url());
        else builder.add(output.info());
      }
    var what =
        "%s of job %s".formatted(HumanAmounts.count(builder.count(), "output"), source.job());
    var all = builder.build(what, missing(predecessor, builder.count()));
    return TaskLister.TaskBatch.gathering(list, all, UnusableInputs.NONE);
  }

  /** What the URLs of all outputs begin with. */
  private static String beginning(Job predecessor, ClusterSpec cluster) {
    var any = new TaskItem(0, Optional.empty(), Map.of());
    var template = predecessor.spec().data().output();
    if (template.isEmpty())
      return TaskTemplate.outputUrl(predecessor.spec(), cluster.bucket(), predecessor.uid(), any);
    var filled = TaskTemplate.fill(template.get(), Map.of("job", predecessor.uid()));
    return filled.substring(0, filled.indexOf('{') < 0 ? filled.length() : filled.indexOf('{'));
  }

  private static Optional<String> missing(Job predecessor, long there) {
    var lacks = predecessor.tasks().count() - there;
    if (lacks <= 0) return Optional.empty();
    return Optional.of(
        "%,d of the %s of job %s have no output now: they failed, or it was deleted since; mayfly tasks %s says which"
            .formatted(
                lacks,
                HumanAmounts.count(predecessor.tasks().count(), "task"),
                predecessor.spec().name(),
                predecessor.spec().address()));
  }

  private Job predecessor(Job job, TaskSource.InputsOf source) {
    var found =
        uid(source.job(), job.spec().admission().after())
            .flatMap(uid -> job(context, job.cluster(), uid))
            .orElseThrow(() ->
                new InvalidInputException(
                    FIELD,
                    "job %s is not known any more; name its outputs in tasks.inputs"
                        .formatted(source.job())));
    checkOutputs(found);
    return found;
  }

  private static long pieces(Job predecessor) {
    return (predecessor.tasks().count() + JobFinalization.PIECE - 1) / JobFinalization.PIECE;
  }

  private static TaskItem item(long index, Output output) {
    return new TaskItem(index, Optional.of(output.info().url().toString()), Map.of());
  }

  /**
   * The slice as it must be continued: if another list was stored earlier, its objects say nothing
   * of the predecessor's, and so they are counted.
   */
  static TaskLister.TaskBatch continued(TaskLister.TaskBatch listed, TaskLister.TaskBatch stored) {
    if (stored.items().equals(listed.items())) return listed;
    return new TaskLister.TaskBatch(
        COUNTED,
        stored.counted(),
        stored.complete(),
        stored.items(),
        stored.bytes(),
        stored.unusable());
  }

  private static Optional<String> uid(String source, List<Predecessor> after) {
    return after.stream().filter(p -> p.job().equals(source)).findFirst().flatMap(Predecessor::uid);
  }

  private static Optional<Job> job(Context context, String cluster, String uid) {
    return context.ledger().read(new DocumentKey.OfJob(cluster, uid)).map(VersionedDocument::value);
  }

  /**
   * An output that has a sentinel.
   *
   * @param url as the task's template names it
   * @param info its object; of a folder its index
   */
  private record Output(String url, ObjectInfo info) {
    boolean folder() {
      return !info.url().toString().equals(url);
    }
  }

  /** The outputs of one outcome object. */
  private List<Output> outputs(Job predecessor, ClusterSpec cluster, int piece) {
    var done =
        outcomes(predecessor, BucketLayout.of(cluster.bucket()).outcome(predecessor.uid(), piece))
            .stream()
            .filter(outcome -> outcome.result() == TaskOutcome.Result.DONE)
            .flatMap(outcome -> outcome.output().stream())
            .toList();
    var files = outputLookup.find(done);
    var folders =
        outputLookup.find(
            done.stream()
                .filter(output -> !files.containsKey(output))
                .map(output -> output + OutputCheck.INDEX)
                .toList());
    return done.stream().flatMap(output -> object(output, files, folders).stream()).toList();
  }

  /** Empty for a task that left none, which a job may allow. */
  private static Optional<Output> object(
      String output, Map<String, ObjectInfo> files, Map<String, ObjectInfo> folders) {
    return Optional.ofNullable(files.get(output))
        .or(() -> Optional.ofNullable(folders.get(output + OutputCheck.INDEX)))
        .map(info -> new Output(output, info));
  }

  private List<TaskOutcome> outcomes(Job predecessor, ObjectUrl piece) {
    try {
      var read = context.objects().read(piece, CAP).map(context.codec()::outcomes);
      if (read.isPresent()) return read.get();
    } catch (DeniedException missing) {
      // Whoever may not list a bucket is denied what is not there.
    }
    throw new InvalidInputException(
        FIELD,
        "the outcome of job %s is not at %s any more; name its outputs in tasks.inputs"
            .formatted(predecessor.spec().name(), piece));
  }
}

package dev.mayfly.cli;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.demo.DemoMachineLoss;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.Wire;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** Compares the demo's claims with the content of the object store. */
final class DemoCheck {
  private static final String INPUTS = "gs://marin-us-central2/reddit/";
  private static final String OUTPUTS = "gs://marin-us-central2/results/toxicity/";

  private final CliContext cliContext;

  DemoCheck(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  /** Ledger operations as the laptop's control plane counts them. */
  record Operations(
      long looks, long reads, long writes, long deletes, long commits, long conflicts) {
    long all() {
      return reads + writes + deletes;
    }
  }

  /** Results of the demo; times are in milliseconds. */
  record Summary(
      long tasks,
      long outputs,
      long sentinels,
      Map<FailureCause, Long> attempts,
      long machines,
      List<Long> lifetimes,
      long firstTask,
      Optional<Operations> operations) {}

  /**
   * @param missing failed expectations; empty on success
   */
  record Result(
      Summary summary,
      List<WorkerStatus> workers,
      JobStatus job,
      List<String> missing,
      Optional<Instant> first) {
    List<String> lines(Instant submitted) {
      var s = summary;
      var lines = new ArrayList<String>();
      lines.add("  tasks            %d, all of them inputs of %s".formatted(s.tasks(), INPUTS));
      lines.add(
          "  outputs          %d, sentinels %d, each pinning its output"
              .formatted(s.outputs(), s.sentinels()));
      lines.add(
          "  lost attempts    "
              + (s.attempts().isEmpty() ? "none" : HumanFormat.counts(s.attempts())));
      lines.add(
          "  machines         %d, which lived %s".formatted(s.machines(), seconds(s.lifetimes())));
      first.ifPresent(at ->
          lines.add(
              "  first task       began %.1f s after the job was submitted, from no machine at all"
                  .formatted(DemoCommand.firstLease(submitted, at).toMillis() / 1e3)));
      s.operations().ifPresent(o -> lines.add(ledger(o, s.tasks())));
      return lines;
    }

    private static String ledger(Operations o, long tasks) {
      return "  ledger           %d reads, %d writes, %d deletes: %.1f operations a task (and %d reads of this page's)"
          .formatted(
              o.reads(), o.writes(), o.deletes(), (double) o.all() / Math.max(1, tasks), o.looks());
    }

    private static String seconds(List<Long> millis) {
      return String.join(", ", millis.stream().sorted().map(m -> m / 1000 + " s").toList());
    }
  }

  Result check(JobStatus job, int inputs, List<WorkerStatus> workers, DemoMachineLoss trouble) {
    var missing = new ArrayList<String>();
    var objects = list(OUTPUTS);
    var outputs = new HashMap<String, ObjectInfo>();
    var sentinels = new HashMap<String, ObjectInfo>();
    for (var o : objects) {
      var name = o.url().toString();
      if (name.endsWith(Sentinel.SUFFIX))
        sentinels.put(name.substring(0, name.length() - Sentinel.SUFFIX.length()), o);
      else outputs.put(name, o);
    }
    for (var input : list(INPUTS)) {
      var output = OUTPUTS + TaskTemplate.stem(input.url().toString()) + ".jsonl.gz";
      problem(output, outputs.get(output), sentinels.get(output), job).ifPresent(missing::add);
    }
    if (outputs.size() != inputs)
      missing.add(outputs.size() + " outputs for " + inputs + " inputs");
    if (sentinels.size() != inputs)
      missing.add(sentinels.size() + " sentinels for " + inputs + " inputs");
    if (!job.state().equals("succeeded")) missing.add("the job ended as " + job.state());
    missing.addAll(trouble.missing(job));
    var gone = workers.stream().filter(w -> w.state().equals("gone")).toList();
    if (gone.size() != workers.size())
      missing.add(HumanFormat.count(workers.size() - gone.size(), "machine") + " still there");
    var lifetimes =
        gone.stream().map(w -> Duration.between(w.createdAt(), w.since()).toMillis()).toList();
    var first = trouble.firstLease().map(f -> Duration.between(job.submittedAt(), f).toMillis());
    var summary =
        new Summary(
            job.tasks(),
            outputs.size(),
            sentinels.size(),
            job.attempts(),
            workers.size(),
            lifetimes,
            first.orElse(-1L),
            operations());
    return new Result(summary, workers, job, missing, trouble.firstLease());
  }

  /** Deletes all outputs and sentinels, so that every task runs again. */
  void deleteOutputs() {
    var objectStore = cliContext.ownObjects();
    list(OUTPUTS).forEach(o -> objectStore.delete(o.url(), o.generation()));
  }

  /** The problem with one input's output and sentinel, if any. */
  private static Optional<String> problem(
      String output,
      @org.jspecify.annotations.Nullable ObjectInfo there,
      @org.jspecify.annotations.Nullable ObjectInfo sentinel,
      JobStatus job) {
    if (there == null) return Optional.of(output + " does not exist");
    if (sentinel == null) return Optional.of(output + " has no sentinel");
    var by = Sentinel.by(sentinel.metadata());
    if (by.isEmpty() || !by.get().job().equals(job.uid()))
      return Optional.of("the sentinel of " + output + " is not this job's");
    if (by.get().generation() != there.generation())
      return Optional.of(
          "the sentinel of " + output + " pins a generation other than the output's");
    return Optional.empty();
  }

  private List<ObjectInfo> list(String folder) {
    var all = new ArrayList<ObjectInfo>();
    cliContext.objects().forEachPage(ObjectUrl.of(folder), page -> all.addAll(page.objects()));
    return all;
  }

  /** Empty with emulators, where each function is a process with its own counts. */
  private Optional<Operations> operations() {
    var url = cliContext.endpoints().control() + "/ledger/operations";
    var reply = cliContext.http().get(url);
    if (reply.status() == 404) return Optional.empty();
    if (!reply.ok())
      throw new CommandException(
          CommandExitCode.UNAVAILABLE,
          "%s answers with HTTP %d: %s".formatted(url, reply.status(), reply.text().strip()));
    return Optional.of(Wire.shared().read(Operations.class, reply.body()));
  }
}

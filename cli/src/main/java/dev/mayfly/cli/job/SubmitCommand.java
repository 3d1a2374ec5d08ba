package dev.mayfly.cli.job;

import dev.mayfly.cli.client.JobEnds;
import dev.mayfly.cli.client.JobSubmitter;
import dev.mayfly.cli.context.AgainIndexes;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.context.LimitOptions;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.follow.DetachOnInterrupt;
import dev.mayfly.cli.follow.JobFollower;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.schedule.ScheduleSubmission;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import dev.mayfly.wire.ParsedDocument;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/** {@code mayfly submit}: publishes jobs. */
@Command(
    name = "submit",
    description = "Publishes each job of a file once, and shows the results.",
    footer = {
      "",
      "Ctrl-C while following detaches; the job continues.",
      "Exit codes: 0 all tasks done, 1 some failed, 2 refused, 3 stopped, 75 try again, 77 no right.",
      "",
      "Examples:",
      "  mayfly submit job.yaml --follow",
      "  mayfly submit sweep.yaml --var model=large --dry-run",
      "  mayfly submit pipeline.yaml --wait",
      "  mayfly submit sweep.yaml --again 3,5-9",
      "  mayfly submit train.yaml -- --epochs 3 --note 'a b'"
    })
public final class SubmitCommand extends ResultCommand {
  /** How long an accepted job is asked for its tasks, to say how many run. */
  private static final Duration LISTING = Duration.ofSeconds(3);

  private static final Duration PAUSE = Duration.ofMillis(100);

  @Mixin DocumentFile file = new DocumentFile();

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ARG",
      description = "Appended unchanged to the command of each job, after --.")
  List<String> arguments = new ArrayList<>();

  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "CLUSTER",
      description = "Overrides the cluster in the file.")
  @Nullable String cluster;

  @Option(
      names = {"-f", "--follow"},
      description = "Shows progress and failures until the job has ended.")
  boolean follow;

  @Option(
      names = {"-w", "--wait"},
      description = "Waits until the job has ended, without showing progress.")
  boolean wait;

  @Option(
      names = "--print",
      description =
          "Uploads the code, prints the message to publish as JSON, and publishes nothing.")
  boolean print;

  @Option(
      names = "--force",
      description = "Publishes jobs even if the cluster does not know their predecessors.")
  boolean force;

  @Option(
      names = "--again",
      arity = "0..1",
      paramLabel = "INDEX,…",
      parameterConsumer = AgainIndexes.class,
      description =
          "Runs tasks again that an earlier job has done: the named ones, such as 3,5-9"
              + " (tasks.again), or all (tasks.done: [job]).")
  @Nullable AgainIndexes again;

  @Option(
      names = "--ref",
      paramLabel = "REF",
      description =
          "Packs the code as of this branch, tag or commit of its git repository, without changes"
              + " that are not committed.")
  @Nullable String ref;

  @Option(
      names = "--yes",
      description = "Confirms a job above the cluster's limits, like confirm: true in the file.")
  boolean yes;

  @Mixin LimitOptions limitOptions = new LimitOptions();

  @Option(names = "--dry-run", description = "Shows the plan and publishes nothing.")
  boolean dryRun;

  @Option(
      names = "--each",
      paramLabel = "TIME",
      description =
          "With --dry-run: what a task takes, such as 20m, for what the job takes and costs;"
              + " otherwise what those of its last run took.")
  @Nullable Duration each;

  @Spec @Nullable CommandSpec commandSpec;

  public SubmitCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    checkArguments();
    if (each != null && !dryRun)
      throw CommandException.input("--each is of a plan alone; write --dry-run beside it");
    var linked =
        LinkedDocuments.of(
            file.read("Job").stream().map(this::withOptions).toList(), cliContext::newId);
    var ready = checked(linked.documents());
    checkPredecessors(linked);
    if (follow || wait)
      ScheduleSubmission.checkNone(linked.documents(), follow ? "--follow" : "--wait");
    if (dryRun) return showPlans(ready);
    if (print) return print(ready);
    var accepted = new ArrayList<JobStatus>();
    var schedules = new ArrayList<ScheduleStatus>();
    var refused = new ArrayList<InputError>();
    var missing = new HashSet<String>();
    for (var job : ready)
      try {
        linked.checkAccepted(job.document(), missing);
        if (ScheduleSubmission.rule(job.document()).isPresent()) schedules.add(store(job));
        else accepted.add(submit(job));
      } catch (InvalidInputException no) {
        // The jobs before it are accepted and followed nevertheless.
        refused.addAll(no.problems());
        missing.add(JobSubmitter.spec(job.document()).address());
      }
    var code = 0;
    if ((follow || wait) && !accepted.isEmpty()) {
      var ended = watch(accepted);
      for (var job : ended) code = Math.max(code, JobFollower.exitCode(job).code());
      showJson(ended);
    } else showJson(Stream.<Object>concat(schedules.stream(), accepted.stream()).toList());
    if (!refused.isEmpty()) throw new InvalidInputException(refused);
    return code;
  }

  /** A word that was meant for something else must not silently become part of a command. */
  private void checkArguments() {
    var all = Objects.requireNonNull(commandSpec).commandLine().getParseResult().originalArgs();
    var end = all.indexOf("--");
    var behind = end < 0 ? 0 : all.size() - end - 1;
    if (arguments.size() > behind)
      throw CommandException.input(
          "'%s' is neither a file nor an option of submit; arguments of the job's command come after --"
              .formatted(arguments.getFirst()));
  }

  private ScheduleStatus store(CheckedJob job) {
    var screen = humanScreen();
    return new ScheduleSubmission(cliContext).submit(packed(job, screen), screen);
  }

  /** Without --force, a predecessor must be in the file or known to the cluster. */
  private void checkPredecessors(LinkedDocuments linked) {
    var unknown = linked.unknown(cliContext.api());
    if (unknown.isEmpty()) return;
    if (!force) throw new InvalidInputException(unknown);
    unknown.forEach(problem -> humanScreen().note("warning: " + problem));
  }

  /** Shows what would be done, and refuses what a submission refuses. */
  private int showPlans(List<CheckedJob> jobs) {
    var dryRun =
        DryRun.of(jobs.stream().map(this::named).toList(), Optional.ofNullable(each), cliContext);
    show(
        dryRun.plans(),
        () -> {
          dryRun.print(cliContext.screen());
          jobs.forEach(this::showSchedule);
        });
    if (!dryRun.refused().isEmpty()) throw new InvalidInputException(dryRun.refused());
    return 0;
  }

  private void showSchedule(CheckedJob job) {
    ScheduleSubmission.plan(job.document(), cliContext.now()).ifPresent(cliContext.screen()::line);
  }

  /** Prints messages that can be published by other means, for example with gcloud. */
  private int print(List<CheckedJob> jobs) {
    for (var job : jobs) {
      var message = packed(job, cliContext.screen().toStderr()).bytes();
      cliContext.screen().line(new String(message, StandardCharsets.UTF_8).strip());
    }
    return 0;
  }

  /** The document with the options of the command line. */
  private ParsedDocument withOptions(ParsedDocument job) {
    var changed = limitOptions.in(cluster == null ? job : job.with("cluster", cluster));
    if (yes) changed = changed.confirmed();
    if (again != null) changed = again.in(changed);
    if (ref != null)
      changed = changed.with("code", CodeUpload.at(ref, JobSubmitter.spec(changed).run().code()));
    if (!arguments.isEmpty()) changed = changed.withAppended("command", arguments);
    return cliContext.withOwner(changed);
  }

  private List<CheckedJob> checked(List<ParsedDocument> jobs) {
    var inputErrors = new ArrayList<InputError>();
    var ready = new ArrayList<CheckedJob>();
    for (var job : jobs)
      try {
        ready.add(checked(job));
        ready.getLast().warn(cliContext.api(), humanScreen(), file.folder());
      } catch (InvalidInputException no) {
        inputErrors.addAll(no.problems());
      }
    if (!inputErrors.isEmpty()) throw new InvalidInputException(inputErrors);
    return ready;
  }

  private CheckedJob checked(ParsedDocument job) {
    var cluster = cliContext.jobSubmitter().check(job);
    var items = JobItems.of(cliContext, job, file.folder(), cluster.spec().bucket());
    return new CheckedJob(items.map(it -> it.in(job)).orElse(job), cluster, items);
  }

  private JobStatus submit(CheckedJob job) {
    var screen = humanScreen();
    var packed = packed(job, screen);
    var result = cliContext.jobSubmitter().submit(packed, cliContext.newId());
    var view = listed(result.job());
    var done = result.fresh() ? view.totals().earlier() : 0;
    screen.line(
        result.fresh()
            ? "job %s (%s) is accepted on cluster %s: %s"
                .formatted(view.name(), view.uid(), view.cluster(), tasks(view))
            : result.joined());
    if (done > 0)
      screen.line(
          "a task whose output has a .COMPLETE sentinel does not run again; to run all of them, submit"
              + " --again, or say in tasks.done what must be the same");
    JobLines.leftOut(view).ifPresent(screen::line);
    if (result.fresh() && view.endedAt().isEmpty()) forecast(view).ifPresent(screen::line);
    return view;
  }

  /** What it takes and costs, by its last run; empty if there is none to say it by. */
  private Optional<String> forecast(JobStatus job) {
    return JobEnds.read(cliContext.api(), job)
        .flatMap(JobEstimate::forecast)
        .filter(jobForecast -> jobForecast.run().isPresent())
        .map(jobForecast -> "it takes about " + jobForecast.text());
  }

  /** The job with its tasks, if they are listed soon. */
  private JobStatus listed(JobStatus job) {
    if (!job.state().equals("expanding")) return job;
    return cliContext
        .poller()
        .until(
            LISTING,
            PAUSE,
            () -> cliContext.api().findJob(job.cluster(), job.uid()).filter(JobStatus::isListed))
        .orElse(job);
  }

  private static String tasks(JobStatus job) {
    if (job.state().equals("waiting")) return "it starts " + job.reason().orElse("after others");
    if (!job.isListed()) return "tasks are being listed";
    if (job.tasks() == 0) return job.reason().map("it has no task: "::concat).orElse("no tasks");
    if (job.spec().data().output().isEmpty()) return HumanFormat.count(job.tasks(), "task");
    var before = job.totals().earlier();
    return "%s, %s done before, %s to run"
        .formatted(
            HumanFormat.count(job.tasks(), "task"),
            HumanFormat.count(before),
            HumanFormat.count(job.tasks() - before));
  }

  private ParsedDocument packed(CheckedJob job, Screen screen) {
    job.items().ifPresent(items -> items.upload(cliContext.objects()));
    return code(job)
        .map(code -> CodeUpload.of(cliContext, job, code, file.folder(), screen::line))
        .orElse(job.document());
  }

  /** The job with its code's name in the bucket, as a submission publishes it. */
  private CheckedJob named(CheckedJob job) {
    return code(job).map(code -> job.with(CodeUpload.named(job, code, file.folder()))).orElse(job);
  }

  /** The folder or commit that the job's code is packed from. */
  private static Optional<String> code(CheckedJob job) {
    return JobSubmitter.spec(job.document()).run().code().filter(CodeUpload::isPacked);
  }

  private List<JobStatus> watch(List<JobStatus> jobs) {
    var screen = humanScreen();
    return DetachOnInterrupt.whileFollowingAll(
        cliContext, screen, jobs, follow, ended -> screen.line(JobLines.ending(ended)));
  }
}

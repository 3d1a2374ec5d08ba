package dev.mayfly.cli.job;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.follow.DetachOnInterrupt;
import dev.mayfly.cli.follow.JobFollower;
import dev.mayfly.cli.logs.JobLogs;
import dev.mayfly.cli.logs.LogLine;
import dev.mayfly.cli.logs.LogSelection;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.AttemptFailure;
import dev.mayfly.core.model.FailureCause;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly run}: runs one command on a worker as if it were local. */
@Command(
    name = "run",
    description = {
      "Runs one command on a worker, in a copy of this folder.",
      "Shows the command's output, and exits with its exit code."
    },
    footer = {
      "",
      "Everything after -- is the command and is passed unchanged. The files of this folder are"
          + " copied"
          + " as they are now, without those that .gitignore and .mayflyignore name. Ctrl-C"
          + " detaches; the command continues.",
      "Terminal control sequences are removed from its output; mayfly logs JOB -o json keeps them.",
      "",
      "Examples:",
      "  mayfly run -- ls -l",
      "  mayfly run --cpu 2 --memory 4Gi --env LR=0.1 -- python train.py",
      "  mayfly run --ref v1.2 -- python train.py",
      "  mayfly run --no-code --pool big -- sh -c 'echo $MAYFLY_RANK'"
    })
public final class RunCommand extends ClusterCommand {
  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "A program and its arguments.")
  List<String> command = new ArrayList<>();

  @Mixin RunOptions options = new RunOptions();

  @Option(
      names = "--name",
      paramLabel = "NAME",
      description = "Name of the job (default: generated).")
  @Nullable String name;

  @Option(
      names = "--timeout",
      paramLabel = "TIME",
      description = "Kills the command after this time, for example 30m (24h).")
  @Nullable String timeout;

  @Option(names = "--no-wait", description = "Does not wait for the end of the job.")
  boolean noWait;

  @Option(
      names = "--no-code",
      description = "Runs in an empty folder, without the files of this folder.")
  boolean noCode;

  @Option(
      names = "--ref",
      paramLabel = "REF",
      description =
          "Runs this folder as of a branch, tag or commit of its git repository, without changes"
              + " that are not committed.")
  @Nullable String ref;

  public RunCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    if (noCode && ref != null)
      throw CommandException.input("--no-code runs without the folder's files; leave out --ref");
    var screen = cliContext.screen();
    var job = cliContext.withOwner(document());
    var unknown = new LinkedDocuments(List.of(job)).unknown(cliContext.api());
    if (!unknown.isEmpty()) throw new InvalidInputException(unknown);
    var result = FolderJob.submit(cliContext, job, !noCode);
    var accepted = result.job();
    if (!result.fresh()) screen.note(result.joined());
    if (noWait) {
      show(
          accepted,
          () ->
              screen.say(
                  "job %s (%s) is %s; see mayfly logs -f %s"
                      .formatted(
                          accepted.name(),
                          accepted.uid(),
                          result.fresh() ? "accepted" : accepted.state(),
                          accepted.name())));
      return 0;
    }
    screen.note(
        screen.paint(Style.FAINT, "job " + accepted.name() + " on cluster " + accepted.cluster()));
    var ended = watch(accepted, humanScreen());
    showJson(ended);
    return code(ended);
  }

  private ParsedDocument document() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", name == null ? "run-" + cliContext.newId().substring(0, 8) : name);
    fields.put("cluster", cluster.name());
    fields.put("tasks", Map.of("count", 1));
    fields.put("command", command.stream().map(UserDocuments::literal).toList());
    fields.put("retries", Map.of("failures", 1));
    if (!noCode) fields.put("code", ref == null ? "." : CodeUpload.at(ref, Optional.of(".")));
    if (timeout != null) fields.put("timeout", timeout);
    fields.putAll(options.fields());
    return UserDocuments.of("Job", fields);
  }

  private JobStatus watch(JobStatus job, Screen screen) {
    var detachOnInterrupt = DetachOnInterrupt.from(job.name(), screen);
    var gang = job.spec().gang() > 1;
    var logs = new JobLogs(cliContext.objects(), job.bucket(), job.uid(), gang, LogSelection.all());
    try (var stream = new Stream(logs, screen)) {
      var jobFollower = new JobFollower(cliContext.api(), cliContext.poller(), stream);
      return jobFollower.lookingOn(cliContext).follow(job.cluster(), job.uid());
    } finally {
      detachOnInterrupt.end();
    }
  }

  /** Shows the command's output instead of progress. */
  private static final class Stream implements ProgressDisplay {
    private final JobLogs logs;
    private final Screen screen;

    Stream(JobLogs logs, Screen screen) {
      this.logs = logs;
      this.screen = screen;
    }

    @Override
    public void show(JobStatus job) {
      if (hasStarted(job)) logs.readNew(line -> RunCommand.show(line, screen));
    }

    /** Before that it has no log, and each listing of the bucket costs time and money. */
    private static boolean hasStarted(JobStatus job) {
      var totals = job.totals();
      return job.endedAt().isPresent() || totals.leased() + totals.done() + totals.failed() > 0;
    }

    @Override
    public void say(String line) {
      screen.note(screen.paint(Style.FAINT, line));
    }

    @Override
    public void close() {
      logs.flush(line -> RunCommand.show(line, screen));
    }
  }

  private static void show(LogLine line, Screen screen) {
    screen.line(line.label(true) + line.text());
  }

  /** The command's own exit code, if it has one. */
  private int code(JobStatus ended) {
    var commandExitCode = JobFollower.exitCode(ended);
    if (commandExitCode == CommandExitCode.OK) return 0;
    var screen = cliContext.screen();
    screen.note(screen.paint(Style.BAD, JobLines.ending(ended)));
    return ended.failures().stream()
        .filter(f -> f.cause() == FailureCause.USER && f.exitCode() > 0)
        .map(AttemptFailure::exitCode)
        .findFirst()
        .orElse(commandExitCode.code());
  }
}

package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.flow.Following;
import dev.mayfly.cli.flow.JobLogs;
import dev.mayfly.cli.show.JobLines;
import dev.mayfly.cli.show.Printable;
import dev.mayfly.cli.show.Progress;
import dev.mayfly.cli.show.Screen;
import dev.mayfly.cli.show.Tone;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.model.Cause;
import dev.mayfly.core.model.Failure;
import dev.mayfly.wire.Documents;
import dev.mayfly.wire.Parsed;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly run}: one command on a worker, as if it were here. */
@Command(
    name = "run",
    description = {
      "Runs one command on a worker, in a copy of this folder.",
      "It shows what the command prints, and ends with its exit code."
    },
    footer = {
      "",
      "Everything after -- is the command, and reaches it as it is. The files of this folder go with"
          + " it as they are now, without those that .gitignore and .mayflyignore name. Ctrl-C"
          + " detaches; the command goes on.",
      "Of what it prints, commands to the terminal are left out; mayfly logs JOB -o json has them.",
      "",
      "Examples:",
      "  mayfly run -- ls -l",
      "  mayfly run --cpu 2 --memory 4Gi --env LR=0.1 -- python train.py",
      "  mayfly run --no-code --pool big -- sh -c 'echo $MAYFLY_RANK'"
    })
final class RunCommand implements Callable<Integer> {

  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(arity = "1..*", paramLabel = "COMMAND", description = "A program and its arguments.")
  List<String> command = new ArrayList<>();

  @Mixin RunOptions options = new RunOptions();

  @Option(names = "--name", paramLabel = "NAME", description = "Of the job; made up otherwise.")
  @Nullable String name;

  @Option(names = "--no-wait", description = "Does not wait for its end.")
  boolean noWait;

  @Option(
      names = "--no-code",
      description = "Leaves the files of this folder here; it runs in an empty one.")
  boolean noCode;

  RunCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var screen = session.screen();
    var job = session.owned(document());
    var cluster = session.submitting().check(job);
    var ready = noCode ? job : packed(new Submission(job, cluster), screen);
    var taken = session.submitting().submit(ready, session.id()).job();
    if (noWait) {
      if (common.json()) common.json(screen, taken);
      else
        screen.say(
            "job %s (%s) is accepted; see mayfly logs -f %s"
                .formatted(taken.name(), taken.uid(), taken.name()));
      return 0;
    }
    screen.note(screen.paint(Tone.FAINT, "job " + taken.name() + " on cluster " + taken.cluster()));
    var ended = watch(taken, common.people(screen));
    if (common.json()) common.json(screen, ended);
    return code(ended);
  }

  private Parsed document() {
    var fields = new LinkedHashMap<String, Object>();
    fields.put("name", name == null ? "run-" + session.id().substring(0, 8) : name);
    fields.put("cluster", cluster.of(session));
    fields.put("tasks", Map.of("count", 1));
    fields.put("command", command.stream().map(Documents::literal).toList());
    fields.put("retries", Map.of("failures", 1));
    if (!noCode) fields.put("code", ".");
    fields.putAll(options.fields());
    return Documents.of("Job", fields);
  }

  /** With the folder as it is now. One that is no project's is not packed by mistake. */
  private Parsed packed(Submission job, Screen screen) {
    var folder = session.folder();
    var home = Path.of(session.env().getOrDefault("HOME", "/")).toAbsolutePath().normalize();
    if (home.startsWith(folder) && !Files.exists(folder.resolve(".mayflyignore")))
      throw new Refusal(
          Exit.INPUT,
          folder
              + " is no project's folder, and all of it would be packed; change into one, run with"
              + " --no-code, or write a .mayflyignore here");
    return CodeUpload.of(session, job, folder, line -> screen.note(screen.paint(Tone.FAINT, line)));
  }

  private JobView watch(JobView job, Screen screen) {
    var detach = Detach.from(job.name(), screen);
    var gang = job.spec().gang() > 1;
    var logs = new JobLogs(session.objects(), job.bucket(), job.uid(), OptionalLong.empty(), gang);
    try (var stream = new Stream(logs, screen)) {
      var following = new Following(session.api(), session.waiting(), stream);
      return following.follow(job.cluster(), job.uid());
    } finally {
      detach.end();
    }
  }

  /** Shows what the command prints, and no progress. */
  private static final class Stream implements Progress {
    private final JobLogs logs;
    private final Screen screen;

    Stream(JobLogs logs, Screen screen) {
      this.logs = logs;
      this.screen = screen;
    }

    @Override
    public void show(JobView job) {
      logs.news(line -> RunCommand.show(line, screen));
    }

    @Override
    public void say(String line) {
      screen.note(screen.paint(Tone.FAINT, line));
    }

    @Override
    public void close() {
      logs.rest(line -> RunCommand.show(line, screen));
    }
  }

  private static void show(JobLogs.Line line, Screen screen) {
    // Also into a pipe: what reads it may be a pager that hands commands on to the terminal.
    screen.line(line.label(true) + Printable.text(line.text()));
  }

  /** The command's own exit code where it has one. */
  private int code(JobView ended) {
    var exit = Following.exit(ended);
    if (exit == Exit.OK) return 0;
    var screen = session.screen();
    screen.note(screen.paint(Tone.BAD, JobLines.ending(ended)));
    return ended.failures().stream()
        .filter(f -> f.cause() == Cause.USER && f.exitCode() > 0)
        .map(Failure::exitCode)
        .findFirst()
        .orElse(exit.code());
  }
}

package dev.mayfly.cli;

import dev.mayfly.cli.flow.Following;
import dev.mayfly.cli.flow.FollowingAll;
import dev.mayfly.cli.flow.Submitting;
import dev.mayfly.cli.show.JobLines;
import dev.mayfly.cli.show.Progress;
import dev.mayfly.cli.show.Screen;
import dev.mayfly.cli.show.Words;
import dev.mayfly.core.control.JobView;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Problem;
import dev.mayfly.wire.Parsed;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly submit}: publishes jobs. */
@Command(
    name = "submit",
    description = "Publishes the jobs of a file, once each, and shows what became of them.",
    footer = {
      "",
      "Ctrl-C while following detaches; the job goes on.",
      "Exit codes: 0 all tasks done, 1 some failed, 2 refused, 3 stopped, 75 try again.",
      "",
      "Examples:",
      "  mayfly submit job.yaml --follow",
      "  mayfly submit sweep.yaml --var model=large --dry-run",
      "  mayfly submit train.yaml -- --epochs 3 --note 'a b'"
    })
final class SubmitCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();

  @Parameters(
      index = "0",
      paramLabel = "FILE",
      description = "YAML or JSON; - is the standard input.")
  String file = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "ARG",
      description = "Added to the command of each job, after --, as they are.")
  List<String> arguments = new ArrayList<>();

  @Option(
      names = {"-c", "--cluster"},
      paramLabel = "CLUSTER",
      description = "Another cluster than the file says.")
  @Nullable String cluster;

  @Option(names = "--var", paramLabel = "NAME=VALUE", description = "Sets a {name} of the file.")
  List<String> variables = new ArrayList<>();

  @Option(
      names = {"-f", "--follow"},
      description = "Shows progress and failures until the job has ended.")
  boolean follow;

  @Option(
      names = {"-w", "--wait"},
      description = "Waits silently until the job has ended.")
  boolean wait;

  @Option(
      names = "--print",
      description =
          "Uploads the code, prints the message to publish as JSON, and publishes nothing.")
  boolean print;

  @Option(names = "--dry-run", description = "Shows the plan and publishes nothing.")
  boolean dryRun;

  SubmitCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var jobs =
        Document.read(file, Document.variables(variables, "--var "), "Job").stream()
            .map(this::told)
            .toList();
    var ready = checked(jobs);
    if (dryRun) return new DryRun(session, common).show(ready);
    if (print) return print(ready);
    var taken = new ArrayList<JobView>();
    var refused = new ArrayList<Problem>();
    for (var job : ready)
      try {
        taken.add(submit(job));
      } catch (Invalid no) {
        // Those before it are accepted: they are watched all the same.
        refused.addAll(no.problems());
      }
    var code = 0;
    if ((follow || wait) && !taken.isEmpty()) {
      var ended = watch(taken);
      for (var job : ended) code = Math.max(code, Following.exit(job).code());
      if (common.json()) common.json(session.screen(), ended);
    } else if (common.json()) common.json(session.screen(), taken);
    if (!refused.isEmpty()) throw new Invalid(refused);
    return code;
  }

  /** What anybody may publish, with gcloud for example. */
  private int print(List<Submission> jobs) {
    for (var job : jobs) {
      var message = packed(job, session.screen().quiet()).bytes();
      session.screen().line(new String(message, java.nio.charset.StandardCharsets.UTF_8).strip());
    }
    return 0;
  }

  /** The document with what the command line says. */
  private Parsed told(Parsed job) {
    var told = cluster == null ? job : job.with("cluster", cluster);
    if (!arguments.isEmpty()) told = told.withMore("command", arguments);
    return session.owned(told);
  }

  private List<Submission> checked(List<Parsed> jobs) {
    var problems = new ArrayList<Problem>();
    var ready = new ArrayList<Submission>();
    for (var job : jobs)
      try {
        ready.add(new Submission(job, session.submitting().check(job)));
      } catch (Invalid no) {
        problems.addAll(no.problems());
      }
    if (!problems.isEmpty()) throw new Invalid(problems);
    return ready;
  }

  private JobView submit(Submission job) {
    var screen = common.people(session.screen());
    var packed = packed(job, screen);
    var taken = session.submitting().submit(packed, session.id());
    var view = taken.job();
    var done = taken.fresh() ? view.totals().done() : 0;
    screen.line(
        taken.fresh()
            ? "job %s (%s) is accepted on cluster %s: %s"
                .formatted(view.name(), view.uid(), view.cluster(), tasks(view))
            : "job %s (%s) is %s: nothing is submitted twice"
                .formatted(
                    view.name(),
                    view.uid(),
                    view.endedAt().isEmpty()
                        ? "live with this content already"
                        : "one with this submission id, and has ended"));
    if (done > 0)
      screen.line(
          Words.count(done)
              + " of them done already: a task whose output has its .COMPLETE does not run again; to"
              + " run it with changed code, delete both, or write outputs elsewhere");
    return view;
  }

  private static String tasks(JobView job) {
    return job.state().equals("expanding")
        ? "tasks are being listed"
        : Words.count(job.tasks(), "task");
  }

  private Parsed packed(Submission job, Screen screen) {
    var code = Submitting.spec(job.document()).run().code();
    if (code.isEmpty() || code.get().contains("://")) return job.document();
    var folder = Document.folder(file).resolve(code.get()).normalize();
    return CodeUpload.of(session, job, folder, screen::line);
  }

  private List<JobView> watch(List<JobView> jobs) {
    var screen = common.people(session.screen());
    if (jobs.size() == 1) {
      var ended = Detach.whileFollowing(session, screen, jobs.getFirst(), follow);
      screen.line(JobLines.ending(ended));
      return List.of(ended);
    }
    var detach = Detach.from(jobs.stream().map(JobView::name).toList(), screen);
    try {
      var clock = session.waiting().clock();
      var all =
          new FollowingAll(
              session.api(),
              session.waiting(),
              () -> follow ? Progress.lines(screen, clock) : Progress.silent(screen));
      return all.follow(jobs, ended -> screen.line(JobLines.ending(ended)));
    } finally {
      detach.end();
    }
  }
}

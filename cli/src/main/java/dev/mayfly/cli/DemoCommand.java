package dev.mayfly.cli;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.demo.DemoCloud;
import dev.mayfly.cli.demo.DemoControlPlaneFaults;
import dev.mayfly.cli.demo.DemoInputs;
import dev.mayfly.cli.demo.DemoMachineLoss;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.follow.JobFollower;
import dev.mayfly.cli.local.LocalCloudLauncher;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.JobLines;
import dev.mayfly.cli.output.ProgressDisplay;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.cli.output.Style;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly demo}: runs the example job on a separate laptop cloud and takes machines away. */
@Command(
    name = "demo",
    description = {
      "Runs the example job on a separate laptop cloud.",
      "Takes two machines away while they work, and checks in the object store that every input"
          + " has exactly one output and one sentinel."
    },
    footer = {
      "",
      "Nothing leaves this machine. All data is in $MAYFLY_HOME/demo.",
      "",
      "Example:",
      "  mayfly demo",
      "  mayfly demo --emulators --trouble kill-functions"
    })
final class DemoCommand extends ResultCommand {
  private static final String CLUSTER = "us-central2";
  private static final String JOB = "reddit-toxicity";
  private static final String INPUTS = "gs://marin-us-central2/reddit/";

  /** Machines are deleted ten seconds after their last task; a busy laptop takes longer. */
  private static final Duration ZERO_LIMIT = Duration.ofMinutes(5);

  /** The maximum number of runs until machines were taken away while they worked. */
  private static final int MAX_RUNS = 4;

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port of the laptop cloud; the control plane uses the next port (8430).")
  int port = 8430;

  @Option(
      names = "--emulators",
      description =
          "Uses Google's Firestore and Pub/Sub emulators and one process per function, as on"
              + " Google Cloud. Needs gcloud's two emulators.")
  boolean emulators;

  @Option(
      names = "--trouble",
      paramLabel = "WHAT",
      split = ",",
      description =
          "With --emulators, every two seconds, 16 times: kill-functions (kill -9, one instance"
              + " after another) or drop-connections (all connections to the emulators); both,"
              + " with a comma between them, in turn.")
  List<String> faults = List.of();

  DemoCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var example = LocalCloudLauncher.projectFolder(cliContext.env()).resolve("examples/marin");
    if (!Files.exists(example.resolve("job.yaml")))
      throw CommandException.input(
          example + " is missing; the demo runs from a checkout of Mayfly");
    requirePython();
    DemoControlPlaneFaults.of(cliContext, faults, emulators);
    var home = cliContext.home().resolve("demo");
    var env = new HashMap<>(cliContext.env());
    env.put("MAYFLY_HOME", home.toString());
    // The demo takes machines of the laptop cloud away, even if MAYFLY_PROJECT is set.
    env.remove("MAYFLY_PROJECT");
    var screen = humanScreen();
    var own = new CliContext(env, screen, cliContext.poller(), cliContext::newId);
    title(screen, "A separate laptop cloud: simulated machines, real agents, real processes");
    try (var cloud = DemoCloud.start(env, home, port, emulators, cliContext.poller())) {
      screen.line(cloud.startupMessage());
      return run(own, screen, example);
    }
  }

  /** The example's program is a Python program, and simulated machines have this one's path. */
  private void requirePython() {
    var folders = cliContext.env().getOrDefault("PATH", "").split(":", -1);
    if (Stream.of(folders)
        .noneMatch(f -> !f.isEmpty() && Files.isExecutable(Path.of(f, "python3"))))
      throw CommandException.input(
          "python3 is not on the PATH, and the demo's tasks run it; install Python 3");
  }

  private int run(CliContext own, Screen screen, Path example) {
    title(screen, "A cluster is created, with no machines");
    must(Main.run(own, "up", example.resolve("cluster.yaml").toString()));
    var inputs = DemoInputs.copy(own.ownObjects(), example.resolve("data"), INPUTS);
    screen.line(HumanFormat.count(inputs, "file") + " of posts copied to " + INPUTS);

    title(
        screen,
        "The job is published; its tasks wait two seconds each, as a real model would take"
            + " minutes");
    var job = example.resolve("job.yaml").toString();
    var submitted = own.now();
    var first = submit(own, screen, job, 2);
    for (var round = 2; round <= MAX_RUNS && !first.missing().isEmpty(); round++) {
      title(screen, "The job runs again with longer tasks: " + String.join("; ", first.missing()));
      new DemoCheck(own).deleteOutputs();
      submitted = own.now();
      first = submit(own, screen, job, 2 * round);
    }

    title(screen, "No work is left: the machines are deleted");
    var zero = awaitZero(own, screen);

    title(screen, "What happened, checked against the object store");
    var check = new DemoCheck(own).check(first.job(), inputs, zero, first.trouble());
    showJson(check.summary());
    check.lines(submitted).forEach(screen::line);
    for (var missing : check.missing()) screen.line(screen.paint(Style.BAD, "MISSING: " + missing));
    screen.line(
        check.missing().isEmpty()
            ? screen.paint(Style.GOOD, "Every input has exactly one output and one sentinel.")
            : screen.paint(Style.BAD, "The demo failed."));
    return check.missing().isEmpty() ? 0 : CommandExitCode.JOB_FAILED.code();
  }

  private record Followed(JobStatus job, DemoMachineLoss trouble) {
    /** Expectations that another run may meet: they depend on the load of this machine. */
    List<String> missing() {
      return job.state().equals("succeeded") ? trouble.missing(job) : List.of();
    }
  }

  private Followed submit(CliContext own, Screen screen, String job, int seconds) {
    must(Main.run(own, "submit", job, "--", "--seconds", Integer.toString(seconds)));
    var followed = follow(own, screen, own.api().job(CLUSTER, JOB).uid());
    screen.line(JobLines.ending(followed.job()));
    return followed;
  }

  private Followed follow(CliContext own, Screen screen, String uid) {
    var progressDisplay = ProgressDisplay.forScreen(screen, own.poller().clock());
    try (var trouble =
        new DemoMachineLoss(
            own, CLUSTER, DemoControlPlaneFaults.of(own, faults, emulators), progressDisplay)) {
      return new Followed(
          new JobFollower(own.api(), own.poller(), trouble).follow(CLUSTER, uid), trouble);
    }
  }

  /** Waits until no worker is left and returns all former workers. */
  private static List<WorkerStatus> awaitZero(CliContext own, Screen screen) {
    var begin = own.now();
    own.poller()
        .until(
            ZERO_LIMIT,
            Duration.ofMillis(500),
            () ->
                own.api().workers(CLUSTER, false).isEmpty() ? Optional.of(true) : Optional.empty());
    var left = own.api().workers(CLUSTER, false).size();
    screen.line(
        left == 0
            ? "no machine is left, "
                + HumanFormat.duration(Duration.between(begin, own.now()))
                + " after the job's end"
            : HumanFormat.count(left, "machine") + " still there");
    return own.api().workers(CLUSTER, true);
  }

  private static void must(int code) {
    if (code != 0)
      throw new CommandException(
          CommandExitCode.JOB_FAILED, "the demo ends here: a step failed, see above");
  }

  private static void title(Screen screen, String text) {
    screen.line("");
    screen.line(screen.paint(Style.TITLE, "== " + text));
  }

  /** The time from submission to the job's first observed lease. */
  static Duration firstLease(Instant submitted, Instant first) {
    return Duration.between(submitted, first);
  }
}

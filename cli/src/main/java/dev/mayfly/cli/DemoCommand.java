package dev.mayfly.cli;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.demo.DemoCloud;
import dev.mayfly.cli.demo.DemoControlPlaneFaults;
import dev.mayfly.cli.demo.DemoInputs;
import dev.mayfly.cli.demo.DemoMachineLoss;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.job.JobFollower;
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
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/**
 * {@code mayfly demo}: the main job on a laptop cloud of its own, with machines that are taken
 * away.
 */
@Command(
    name = "demo",
    description = {
      "Runs the example job on a laptop cloud of its own.",
      "It takes two machines away while they work, and checks in the object store that every input"
          + " has exactly one output and one sentinel."
    },
    footer = {
      "",
      "Nothing leaves this machine. All that it keeps is in $MAYFLY_HOME/demo.",
      "",
      "Example:",
      "  mayfly demo",
      "  mayfly demo --emulators --trouble kill-functions"
    })
final class DemoCommand implements Callable<Integer> {
  private static final String CLUSTER = "us-central2";
  private static final String JOB = "reddit-toxicity";
  private static final String INPUTS = "gs://marin-us-central2/reddit/";

  /** Machines go ten seconds after their last task; a busy laptop takes longer to see to it. */
  private static final Duration ZERO_LIMIT = Duration.ofMinutes(5);

  /** How often the job runs at most until machines were taken away while they worked. */
  private static final int ROUNDS = 4;

  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Of its cloud; the control plane has the next one (8430).")
  int port = 8430;

  @Option(
      names = "--emulators",
      description =
          "On Google's Firestore and Pub/Sub emulators, each function a process of its own, as on"
              + " Google Cloud. Needs gcloud's two emulators.")
  boolean emulators;

  @Option(
      names = "--trouble",
      paramLabel = "WHAT",
      description =
          "With --emulators, every two seconds, 16 times: kill-functions (kill -9, one instance"
              + " after the other) or drop-connections (all those to the emulators).")
  Optional<String> harm = Optional.empty();

  DemoCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var example =
        LocalCloudLauncher.projectFolder(cliContext.env()).resolve("examples/marin-toxicity");
    if (!Files.exists(example.resolve("job.yaml")))
      throw new CommandException(
          CommandExitCode.INPUT, example + " is missing; the demo runs from a checkout of Mayfly");
    DemoControlPlaneFaults.of(cliContext, harm, emulators);
    var home = cliContext.home().resolve("demo");
    var env = new HashMap<>(cliContext.env());
    env.put("MAYFLY_HOME", home.toString());
    // What it takes away are machines of the laptop, wherever commands go otherwise.
    env.remove("MAYFLY_PROJECT");
    var screen = commonOptions.humanScreen(cliContext.screen());
    var own = new CliContext(env, screen, cliContext.poller(), cliContext::newId);
    title(screen, "A laptop cloud of its own: simulated machines, real agents, real processes");
    try (var cloud = DemoCloud.start(env, home, port, emulators, cliContext.poller())) {
      screen.line(cloud.startupMessage());
      return run(own, screen, example);
    }
  }

  private int run(CliContext own, Screen screen, Path example) {
    title(screen, "A cluster comes up, with no machine in it");
    must(Main.run(own, "up", example.resolve("cluster.yaml").toString()));
    var inputs = DemoInputs.copy(own.objects(), example.resolve("data"), INPUTS);
    screen.line(HumanFormat.count(inputs, "file") + " of posts are copied to " + INPUTS);

    title(
        screen,
        "The job is published; its tasks wait two seconds each, as a real model would take"
            + " minutes");
    var job = example.resolve("job.yaml").toString();
    var submitted = own.now();
    var first = submit(own, screen, job, 2);
    for (var round = 2; round <= ROUNDS && !first.missing().isEmpty(); round++) {
      title(screen, "It runs once more, with longer tasks: " + String.join("; ", first.missing()));
      new DemoCheck(own).deleteOutputs();
      submitted = own.now();
      first = submit(own, screen, job, 2 * round);
    }

    title(screen, "Nothing is left to do: the machines go away");
    var zero = awaitZero(own, screen);

    title(screen, "What happened, checked against the object store");
    var check = new DemoCheck(own).check(first.job(), inputs, zero, first.trouble());
    if (commonOptions.json()) commonOptions.json(cliContext.screen(), check.summary());
    check.lines(submitted).forEach(screen::line);
    for (var missing : check.missing()) screen.line(screen.paint(Style.BAD, "MISSING: " + missing));
    screen.line(
        check.missing().isEmpty()
            ? screen.paint(Style.GOOD, "Every input has exactly one output and one sentinel.")
            : screen.paint(Style.BAD, "The demo failed."));
    return check.missing().isEmpty() ? 0 : CommandExitCode.JOB_FAILED.code();
  }

  private record Followed(JobStatus job, DemoMachineLoss trouble) {
    /** What another run may show: it depends on how busy this machine is. */
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
            own, CLUSTER, DemoControlPlaneFaults.of(own, harm, emulators), progressDisplay)) {
      return new Followed(
          new JobFollower(own.api(), own.poller(), trouble).follow(CLUSTER, uid), trouble);
    }
  }

  /** The workers that were, once none is left. */
  private static List<WorkerStatus> awaitZero(CliContext own, Screen screen) {
    var waited = own.now();
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
                + HumanFormat.span(Duration.between(waited, own.now()))
                + " after the job's end"
            : HumanFormat.count(left, "machine") + " still there");
    return own.api().workers(CLUSTER, true);
  }

  private static void must(int code) {
    if (code != 0)
      throw new CommandException(
          CommandExitCode.JOB_FAILED, "the demo ends here: a step failed, as told above");
  }

  private static void title(Screen screen, String text) {
    screen.line("");
    screen.line(screen.paint(Style.TITLE, "== " + text));
  }

  /** When the job's first lease was seen to begin, after it was submitted. */
  static Duration firstLease(Instant submitted, Instant first) {
    return Duration.between(submitted, first);
  }
}

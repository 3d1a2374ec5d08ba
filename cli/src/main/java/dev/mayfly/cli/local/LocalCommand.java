package dev.mayfly.cli.local;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.HelpOption;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly local}: the laptop cloud, in the foreground. */
@Command(
    name = "local",
    description = {
      "Runs the laptop cloud here until Ctrl-C: a simulated cloud and the control plane.",
      "With a dial, turns it in the cloud that runs already."
    },
    synopsisSubcommandLabel = "[DIAL]",
    commandListHeading = "%nDials:%n",
    footer = {
      "",
      "Examples:",
      "  mayfly local",
      "  mayfly local --tick 5 --no-restart",
      "  mayfly local --emulators",
      "  mayfly local preempt WORKER --no-notice",
      "  mayfly local stock us-central1-a 0"
    })
public final class LocalCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin HelpOption help = new HelpOption();

  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Of the cloud; the control plane has the next one (8420).")
  int port;

  @Option(
      names = "--tick",
      paramLabel = "SECONDS",
      description = "Between two looks at everything (60).")
  int tick;

  @Option(
      names = "--notice",
      paramLabel = "SECONDS",
      description = "From a preemption's notice to the end (30).")
  int notice = -1;

  @Option(names = "--no-restart", description = "A process that dies stays dead.")
  boolean noRestart;

  @Option(
      names = "--emulators",
      description =
          "State and messages in Google's Firestore and Pub/Sub emulators, each function a process"
              + " of its own, as on Google Cloud. Needs gcloud's two emulators.")
  boolean emulators;

  @Option(names = "--only", paramLabel = "PART", description = "cloud or control: one of the two.")
  String only = "";

  public LocalCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    return LocalCloudLauncher.foreground(cliContext.env(), arguments());
  }

  private List<String> arguments() {
    var arguments = new ArrayList<String>();
    if (port != 0) arguments.addAll(List.of("--port", "" + port));
    if (tick != 0) arguments.addAll(List.of("--tick", "" + tick));
    if (notice >= 0) arguments.addAll(List.of("--notice", "" + notice));
    if (emulators) arguments.add("--emulators");
    if (noRestart) arguments.add("--no-restart");
    if (!only.isEmpty()) arguments.addAll(List.of("--only", only));
    return arguments;
  }
}

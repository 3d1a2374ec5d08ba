package dev.mayfly.cli.local;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly local}: runs the laptop cloud in the foreground. */
@Command(
    name = "local",
    description = {
      "Runs the laptop cloud here until Ctrl-C: a simulated cloud and the control plane.",
      "With a fault control, sets it in the running laptop cloud; with invite, lets others in."
    },
    synopsisSubcommandLabel = "[FAULT-CONTROL]",
    commandListHeading = "%nFault controls, and invitations:%n",
    footer = {
      "",
      "Examples:",
      "  mayfly local",
      "  mayfly local --tick 5 --no-restart",
      "  mayfly local --emulators",
      "  mayfly local preempt WORKER --no-notice",
      "  mayfly local stock us-central1-a 0"
    })
public final class LocalCommand extends CliCommand {
  @Option(
      names = "--port",
      paramLabel = "N",
      description = "Port of the cloud; the control plane uses the next port (8420).")
  int port;

  @Option(names = "--tick", paramLabel = "SECONDS", description = "Seconds between ticks (60).")
  int tick;

  @Option(
      names = "--notice",
      paramLabel = "SECONDS",
      description = "Seconds from a preemption notice to the end (30).")
  int notice = -1;

  @Option(names = "--no-restart", description = "Does not restart processes that die.")
  boolean noRestart;

  @Option(
      names = "--emulators",
      description =
          "Uses Google's Firestore and Pub/Sub emulators and one process per function, as on"
              + " Google Cloud. Needs gcloud's two emulators.")
  boolean emulators;

  @Option(
      names = "--only",
      paramLabel = "PART",
      description = "Runs only one part: cloud or control.")
  String only = "";

  public LocalCommand(CliContext cliContext) {
    super(cliContext);
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

package dev.mayfly.cli.local;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly local preempt|freeze|thaw|kill|stop|delete WORKER}: a fault of one machine. */
@Command(
    description = "Injects a fault into a machine of the laptop cloud.",
    footer = {
      "",
      "Examples:",
      "  mayfly local preempt WORKER --seconds 5",
      "  mayfly local freeze WORKER",
      "  mayfly local kill WORKER --unseen 60",
      "  mayfly local delete '*'"
    })
public final class MachineFaultCommand extends CliCommand {
  private final String faultControl;

  @Parameters(
      paramLabel = "WORKER",
      description = "A name that mayfly workers lists; '*' means all.")
  String worker = "";

  @Option(
      names = "--notice",
      negatable = true,
      fallbackValue = "true",
      description = "For preempt: whether the machine gets a notice (default).")
  @Nullable Boolean notice;

  @Option(
      names = "--seconds",
      paramLabel = "N",
      description = "For preempt: seconds from the notice to the end (30).")
  @Nullable Integer seconds;

  @Option(
      names = "--unseen",
      paramLabel = "N",
      description = "For kill: seconds until the cloud notices (0).")
  @Nullable Integer unseen;

  @Option(
      names = "--host",
      paramLabel = "N",
      description = "For kill: one host of a TPU slice (all).")
  @Nullable Integer host;

  public MachineFaultCommand(CliContext cliContext, String faultControl) {
    super(cliContext);
    this.faultControl = faultControl;
  }

  @Override
  public Integer call() {
    var settings = new TreeMap<String, String>();
    if (notice != null) settings.put("notice", notice.toString());
    if (seconds != null) settings.put("seconds", seconds.toString());
    if (unseen != null) settings.put("unseen", unseen.toString());
    if (host != null) settings.put("host", host.toString());
    check(settings);
    cliContext.faultControls().machine(worker, faultControl, settings);
    var machine = worker.equals("*") ? "every machine " : "machine " + worker + " ";
    cliContext.screen().line(machine + done());
    return 0;
  }

  private String done() {
    return switch (faultControl) {
      case "preempt" -> "is preempted";
      case "freeze" -> "is frozen; mayfly local thaw resumes it";
      case "thaw" -> "runs again";
      case "kill" -> "has lost its power";
      case "stop" -> "is stopped";
      default -> "is deleted";
    };
  }

  private void check(Map<String, String> settings) {
    for (var name : settings.keySet()) {
      var of = name.equals("unseen") || name.equals("host") ? "kill" : "preempt";
      if (!faultControl.equals(of))
        throw CommandException.input("--" + name + " is for " + of + ", not for " + faultControl);
    }
  }
}

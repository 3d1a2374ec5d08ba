package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import java.util.ArrayList;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mayfly port-forward}: ports of this computer that lead to a machine. */
@Command(
    name = "port-forward",
    description = {
      "Forwards ports of this computer to a worker or a running task.",
      "For TensorBoard, a notebook or a debugger. It runs until Ctrl-C."
    },
    footer = {
      "",
      "TARGET is as for mayfly attach. PORTS is LOCAL:REMOTE, PORT for both, or :REMOTE for any free"
          + " local port. Only this computer reaches the local port.",
      "",
      "Examples:",
      "  mayfly port-forward train 6006",
      "  mayfly port-forward WORKER 18888:8888"
    })
public final class PortForwardCommand extends TargetCommand {
  @Parameters(index = "0", paramLabel = "TARGET", description = "A task or a worker.")
  String target = "";

  @Parameters(index = "1..*", arity = "1..*", paramLabel = "PORTS", description = "LOCAL:REMOTE.")
  List<String> ports = new ArrayList<>();

  public PortForwardCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var pairs = ports.stream().map(PortPair::of).toList();
    return MachineShell.of(cliContext).forward(target(target), pairs);
  }
}

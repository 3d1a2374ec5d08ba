package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mayfly ssh}: a shell on a worker itself. */
@Command(
    name = "ssh",
    description = {
      "Opens a shell on a worker, outside of any task.",
      "On Google Cloud by gcloud's ssh through Identity-Aware Proxy, as your own login."
    },
    footer = {
      "",
      "WORKER.2 is host 2 of a slice. mayfly attach opens a shell beside a task.",
      "",
      "Examples:",
      "  mayfly ssh WORKER",
      "  mayfly ssh WORKER -- journalctl -u mayfly-agent -n 50"
    })
public final class SshCommand extends TargetCommand {
  @Parameters(index = "0", paramLabel = "WORKER", description = "As mayfly workers shows it.")
  String worker = "";

  @Parameters(
      index = "1..*",
      arity = "0..*",
      paramLabel = "COMMAND",
      description = "A program and its arguments; a shell without one.")
  List<String> command = new ArrayList<>();

  public SshCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    return session(new SessionTarget(lookup().worker(worker), Optional.empty()), command);
  }
}

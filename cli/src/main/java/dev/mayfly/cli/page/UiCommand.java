package dev.mayfly.cli.page;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly ui}: serves the page to this computer's browser. */
@Command(
    name = "ui",
    description = {
      "Shows clusters, jobs, tasks and logs as a page in the browser.",
      "The page is served by this command, to this computer alone and with your own rights, until"
          + " Ctrl-C. It only reads."
    },
    footer = {
      "",
      "The address has a key, which is new each time: who has no key sees nothing.",
      "",
      "From another computer: ssh -L 8480:127.0.0.1:8480 HOST, then open the address here.",
      "",
      "Examples:",
      "  mayfly ui",
      "  mayfly ui --port 9000 --no-browser"
    })
public final class UiCommand extends CliCommand {
  /** Always the same one if it is free, so that links to views stay. */
  static final int USUAL_PORT = 8480;

  private static final int LAST_PORT = 65_535;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port on 127.0.0.1; 0 for any (8480, or any if that is taken).")
  @Nullable Integer port;

  @Option(names = "--no-browser", description = "Opens no browser; only says the address.")
  boolean noBrowser;

  public UiCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    if (port != null && (port < 0 || port > LAST_PORT))
      throw CommandException.input("--port is " + port + "; write 0 to " + LAST_PORT);
    var end = new CountDownLatch(1);
    try (var server = start()) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end of the page"));
      cliContext.screen().line(server.address());
      cliContext.screen().note("the page is there until Ctrl-C");
      if (!noBrowser) Browser.open(server.address(), cliContext);
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private PageServer start() {
    if (port != null) return PageServer.start(cliContext, port);
    try {
      return PageServer.start(cliContext, USUAL_PORT);
    } catch (CommandException taken) {
      cliContext.screen().note("port " + USUAL_PORT + " is taken, so another one is used");
      return PageServer.start(cliContext, 0);
    }
  }
}

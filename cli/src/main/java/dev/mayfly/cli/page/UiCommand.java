package dev.mayfly.cli.page;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterOption;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.text.HumanAmounts;
import java.util.Locale;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly ui}: serves the page to this computer's browser. */
@Command(
    name = "ui",
    description = {
      "Shows clusters, jobs, tasks and logs as a page in the browser.",
      "The page is served by this command, to this computer alone and with your own rights, until"
          + " Ctrl-C. It only reads.",
      "With --export it writes one file instead, with all that the page shows of a job: for a"
          + " colleague, or beside a paper."
    },
    footer = {
      "",
      "The address has a key, which is new each time: who has no key sees nothing.",
      "",
      "From another computer: ssh -L 8480:127.0.0.1:8480 HOST, then open the address here.",
      "",
      "An exported file needs no network, no login and no Mayfly. It has no logs and no environment"
          + " variables, and of a job the first 20,000 tasks; it says what it leaves out. Its command,"
          + " inputs, values and last words of errors are in it: look at it before you send it.",
      "",
      "Examples:",
      "  mayfly ui",
      "  mayfly ui --port 9000 --no-browser",
      "  mayfly ui --export sweep.html sweep"
    })
public final class UiCommand extends CliCommand {
  /** Always the same one if it is free, so that links to views stay. */
  static final int USUAL_PORT = 8480;

  private static final int LAST_PORT = 65_535;

  private static final String STDOUT = "-";
  private static final double BYTES_PER_MB = 1e6;

  @Option(
      names = "--port",
      paramLabel = "PORT",
      description = "The port on 127.0.0.1; 0 for any (8480, or any if that is taken).")
  @Nullable Integer port;

  @Option(names = "--no-browser", description = "Opens no browser; only says the address.")
  boolean noBrowser;

  @Option(
      names = "--export",
      paramLabel = "FILE",
      description = "Writes a file of the job and serves nothing; - writes it to stdout.")
  @Nullable String export;

  @Option(
      names = {"-f", "--force"},
      description = "With --export: replaces an existing file.")
  boolean force;

  @Parameters(
      index = "0",
      arity = "0..1",
      paramLabel = "JOB",
      description = "With --export: its name, OWNER/NAME or uid.")
  @Nullable String job;

  @Mixin final ClusterOption cluster;

  public UiCommand(CliContext cliContext) {
    super(cliContext);
    cluster = new ClusterOption(cliContext);
  }

  @Override
  public Integer call() {
    if (export != null) return export(export);
    if (job != null || force || cluster.isNamed())
      throw CommandException.input(
          "a JOB, -c and --force are for --export FILE.html; without it the page shows all clusters");
    if (port != null && (port < 0 || port > LAST_PORT))
      throw CommandException.input("--port is " + port + "; write 0 to " + LAST_PORT);
    var end = new CountDownLatch(1);
    try (var server = start()) {
      Runtime.getRuntime().addShutdownHook(new Thread(server::close, "end of the page"));
      cliContext.screen().line(server.address());
      cliContext.screen().note("the page is there until Ctrl-C");
      if (!noBrowser) Browser.open(server.launchAddress(), cliContext);
      end.await();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return 0;
  }

  private int export(String file) {
    if (job == null)
      throw CommandException.input("name the job: mayfly ui --export " + file + " JOB");
    if (port != null || noBrowser)
      throw CommandException.input("--port and --no-browser are for the page that is served");
    if (file.equals(STDOUT)) print(job);
    else write(job, file);
    return 0;
  }

  private void write(String named, String file) {
    var destination = new ExportFile(cliContext.folder().resolve(file).normalize(), force);
    destination.check();
    var exported = read(named);
    var content = page(exported);
    destination.write(content);
    cliContext
        .screen()
        .line(
            String.format(
                Locale.ROOT,
                "wrote %s: job %s with %s, %,.1f MB",
                file,
                exported.job().name(),
                HumanAmounts.count(exported.tasks().size(), "task"),
                content.length / BYTES_PER_MB));
  }

  private void print(String named) {
    var screen = cliContext.screen();
    if (screen.terminal())
      throw CommandException.input(
          "a page is not for a terminal; write it to a file: mayfly ui --export - JOB > FILE.html");
    var content = page(read(named));
    screen.out().write(content, 0, content.length);
    screen.out().flush();
  }

  private ExportedJob read(String named) {
    var exported = new JobExport(cliContext).read(cluster.ofJob(named), named);
    exported.cut().forEach(cliContext.screen()::note);
    return exported;
  }

  private byte[] page(ExportedJob exported) {
    return ExportedPage.of(exported, new HomePaths(cliContext.env()));
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

package dev.mayfly.cli;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import picocli.CommandLine.Command;

/** {@code mayfly version}. */
@Command(
    name = "version",
    description = "Shows the versions of Mayfly and of Java.",
    footer = {"", "Example:", "  mayfly version"})
final class VersionCommand extends ResultCommand {
  VersionCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** As JSON. */
  record Version(String mayfly, String java, String os) {}

  @Override
  public Integer call() {
    var version =
        new Version(
            ours(),
            Runtime.version().toString(),
            System.getProperty("os.name") + " " + System.getProperty("os.arch"));
    show(
        version,
        () ->
            cliContext
                .screen()
                .line(
                    "mayfly %s, Java %s, %s"
                        .formatted(version.mayfly(), version.java(), version.os())));
    return 0;
  }

  private static String ours() {
    var known = VersionCommand.class.getPackage().getImplementationVersion();
    return known == null ? "(not packaged)" : known;
  }
}

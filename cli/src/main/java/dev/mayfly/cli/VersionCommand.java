package dev.mayfly.cli;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommonOptions;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly version}. */
@Command(
    name = "version",
    description = "Shows the versions of Mayfly and of Java.",
    footer = {"", "Example:", "  mayfly version"})
final class VersionCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();

  VersionCommand(CliContext cliContext) {
    this.cliContext = cliContext;
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
    if (commonOptions.json()) commonOptions.json(cliContext.screen(), version);
    else
      cliContext
          .screen()
          .line("mayfly " + version.mayfly() + ", Java " + version.java() + ", " + version.os());
    return 0;
  }

  private static String ours() {
    var known = VersionCommand.class.getPackage().getImplementationVersion();
    return known == null ? "(not packaged)" : known;
  }
}

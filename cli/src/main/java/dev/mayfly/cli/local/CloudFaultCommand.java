package dev.mayfly.cli.local;

import dev.mayfly.cli.context.CliCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.DocumentFile;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mayfly local quota} and its like: a limit or a fault of the whole cloud. */
@Command
public final class CloudFaultCommand extends CliCommand {
  private final CloudControl control;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME=VALUE",
      description = "A setting; the list is above.")
  String[] settings = {};

  public CloudFaultCommand(CliContext cliContext, CloudControl control) {
    super(cliContext);
    this.control = control;
  }

  @Override
  public Integer call() {
    var values = new TreeMap<>(DocumentFile.variables(Arrays.asList(settings), ""));
    control.check(values.keySet());
    cliContext.faultControls().set(control.word(), values);
    cliContext
        .screen()
        .line(
            String.join(
                " ",
                values.isEmpty() ? List.of(control.word(), "has no limit") : describe(values)));
    return 0;
  }

  private List<String> describe(Map<String, String> set) {
    return Stream.concat(
            Stream.of(control.word(), "is set:"), set.entrySet().stream().map(Object::toString))
        .toList();
  }
}

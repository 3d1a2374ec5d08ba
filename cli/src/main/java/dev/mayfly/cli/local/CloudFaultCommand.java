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

/**
 * {@code mayfly local quota|tpu-quota|tpu-reservation|refusals|boot-delay|lost-replies|rate-limit|
 * staying-disks}: a limit or a fault of the whole cloud.
 */
@Command(
    description = "Sets a limit or a fault of the laptop cloud.",
    footer = {
      "",
      "Examples:",
      "  mayfly local quota cpus=8",
      "  mayfly local quota gpus=0 region=us-east1",
      "  mayfly local tpu-reservation name=r1 chips=64",
      "  mayfly local refusals style=bare",
      "  mayfly local boot-delay ms=5000",
      "  mayfly local lost-replies next=3 prefix=/compute/",
      "  mayfly local rate-limit next=10"
    })
public final class CloudFaultCommand extends CliCommand {
  private final String faultControl;

  @Parameters(
      arity = "0..*",
      paramLabel = "NAME=VALUE",
      description = "The fault control's settings; without any, the limit is removed.")
  String[] settings = {};

  public CloudFaultCommand(CliContext cliContext, String faultControl) {
    super(cliContext);
    this.faultControl = faultControl;
  }

  @Override
  public Integer call() {
    var values = new TreeMap<>(DocumentFile.variables(Arrays.asList(settings), ""));
    cliContext.faultControls().set(faultControl, values);
    cliContext
        .screen()
        .line(
            String.join(
                " ", values.isEmpty() ? List.of(faultControl, "has no limit") : describe(values)));
    return 0;
  }

  private List<String> describe(Map<String, String> set) {
    return Stream.concat(
            Stream.of(faultControl, "is set:"), set.entrySet().stream().map(Object::toString))
        .toList();
  }
}

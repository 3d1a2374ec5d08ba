package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.error.CommandException;
import java.util.Map;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code mayfly slice reshape}. */
@Command(
    name = "reshape",
    description =
        "Replaces a slice by others with the same number of chips. It is drained and deleted first,"
            + " because its reservation has no more chips.",
    footer = {"", "Example:", "  mayfly slice reshape big 2xv4-64"})
public final class SliceReshapeCommand extends ClusterCommand {
  private static final Pattern SHAPE = Pattern.compile("(?:([1-9]\\d?)x)?(v\\d[a-z0-9]*-\\d+)");

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "A name that mayfly slice list shows.")
  String slice = "";

  @Parameters(
      index = "1",
      paramLabel = "SHAPE",
      description = "Count and type, for example 2xv4-64.")
  String shape = "";

  public SliceReshapeCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var wanted = SHAPE.matcher(shape);
    if (!wanted.matches())
      throw CommandException.input(
          "'" + shape + "' is not a shape; write count and type, for example 2xv4-64");
    var count = wanted.group(1) == null ? 1 : Integer.parseInt(wanted.group(1));
    var type = wanted.group(2);
    var spec =
        ManualSlices.publish(
            cliContext,
            "ReshapeSlice",
            Map.of("cluster", cluster.ofSlice(slice), "slice", slice, "type", type, "count", count),
            c ->
                c.pool(slice)
                    .filter(p -> p.machineType().equals(type) && p.max() == count)
                    .isPresent());
    show(
        spec.pool(slice),
        () ->
            cliContext
                .screen()
                .say(
                    "slice %s becomes %dx%s once the present slice has ended; mayfly slice list shows its state"
                        .formatted(slice, count, type)));
    return 0;
  }
}

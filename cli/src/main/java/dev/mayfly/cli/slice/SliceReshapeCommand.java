package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.cli.error.CommandException;
import java.util.Map;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly slice reshape}. */
@Command(
    name = "reshape",
    description =
        "Replaces a slice by others with the same number of chips. It is drained and deleted first,"
            + " because its reservation has no more chips.",
    footer = {
      "",
      "Examples:",
      "  mayfly slice reshape big 2xv4-64",
      "  mayfly slice reshape big --type v4-64 --count 2"
    })
public final class SliceReshapeCommand extends ClusterCommand {
  private static final Pattern SHAPE = Pattern.compile("(?:([1-9]\\d?)x)?(v\\d[a-z0-9]*-\\d+)");

  @Parameters(
      index = "0",
      paramLabel = "NAME",
      description = "A name that mayfly slice list shows.")
  String slice = "";

  @Parameters(
      index = "1",
      arity = "0..1",
      paramLabel = "SHAPE",
      description = "Count and type, for example 2xv4-64.")
  @Nullable String shape;

  @Option(names = "--type", paramLabel = "TYPE", description = "The type, instead of a shape.")
  @Nullable String type;

  @Option(names = "--count", paramLabel = "N", description = "Number of slices (default: 1).")
  int count = 1;

  public SliceReshapeCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var written = shape == null && type != null ? count + "x" + type : shape;
    if (written == null || (shape != null && type != null))
      throw CommandException.input("write the new shape once: 2xv4-64, or --type v4-64 --count 2");
    var wanted = SHAPE.matcher(written);
    if (!wanted.matches())
      throw CommandException.input(
          "'" + written + "' is not a shape; write count and type, for example 2xv4-64");
    replace(wanted.group(1) == null ? 1 : Integer.parseInt(wanted.group(1)), wanted.group(2));
    return 0;
  }

  private void replace(int number, String of) {
    var spec =
        ManualSlices.publish(
            cliContext,
            "ReshapeSlice",
            Map.of("cluster", cluster.ofSlice(slice), "slice", slice, "type", of, "count", number),
            c ->
                c.pool(slice)
                    .filter(p -> p.machineType().equals(of) && p.max() == number)
                    .isPresent());
    show(
        spec.pool(slice),
        () ->
            cliContext
                .screen()
                .say(
                    "slice %s becomes %dx%s once the present slice has ended; mayfly slice list shows its state"
                        .formatted(slice, number, of)));
  }
}

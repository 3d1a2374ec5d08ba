package dev.mayfly.cli;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.regex.Pattern;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Parameters;

/** {@code mayfly slice reshape}. */
@Command(
    name = "reshape",
    description =
        "Makes of a slice others with as many chips. It is drained and deleted first: its"
            + " reservation has no more.",
    footer = {"", "Example:", "  mayfly slice reshape big 2xv4-64"})
final class SliceReshapeCommand implements Callable<Integer> {
  private static final Pattern SHAPE = Pattern.compile("(?:([1-9]\\d?)x)?(v\\d[a-z0-9]*-\\d+)");

  private final Session session;
  @Mixin Common common = new Common();
  @Mixin OneCluster cluster = new OneCluster();

  @Parameters(index = "0", paramLabel = "NAME", description = "As mayfly slice list names it.")
  String slice = "";

  @Parameters(index = "1", paramLabel = "SHAPE", description = "How many of what: 2xv4-64.")
  String shape = "";

  SliceReshapeCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var wanted = SHAPE.matcher(shape);
    if (!wanted.matches())
      throw new Refusal(
          Exit.INPUT, "'" + shape + "' is no shape; write how many of what, 2xv4-64 for example");
    var count = wanted.group(1) == null ? 1 : Integer.parseInt(wanted.group(1));
    var type = wanted.group(2);
    var spec =
        Slices.publish(
            session,
            "ReshapeSlice",
            Map.of(
                "cluster",
                cluster.ofSlice(session, slice),
                "slice",
                slice,
                "type",
                type,
                "count",
                count),
            c ->
                c.pool(slice)
                    .filter(p -> p.machineType().equals(type) && p.max() == count)
                    .isPresent());
    if (common.json()) common.json(session.screen(), spec.pool(slice));
    else
      session
          .screen()
          .say(
              "slice %s becomes %dx%s, once what it is now has ended; mayfly slice list tells how far it is"
                  .formatted(slice, count, type));
    return 0;
  }
}

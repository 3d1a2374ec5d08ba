package dev.mayfly.cli.slice;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ClusterCommand;
import dev.mayfly.core.model.cluster.PoolSpec;
import dev.mayfly.core.text.HumanAmounts;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code mayfly slice create}. */
@Command(
    name = "create",
    description =
        "Requests a slice. It is created as soon as capacity is available, even with this laptop"
            + " off.",
    footer = {
      "",
      "Examples:",
      "  mayfly slice create --type v4-128 --reserved --reservation lab-v4 --name big",
      "  mayfly slice create --type v4-8 --zone us-central2-b"
    })
public final class SliceCreateCommand extends ClusterCommand {
  @Option(
      names = "--type",
      required = true,
      paramLabel = "TYPE",
      description = "Accelerator type, for example v4-128.")
  String type = "";

  @Option(names = "--count", paramLabel = "N", description = "Number of slices (default: 1).")
  int count = 1;

  @Option(names = "--name", paramLabel = "NAME", description = "Name (default: its type).")
  @Nullable String name;

  @Option(names = "--reserved", description = "Uses a reservation.")
  boolean reserved;

  @Option(
      names = "--reservation",
      paramLabel = "RESERVATION",
      description = "Name of the reservation, with --reserved.")
  @Nullable String reservation;

  @Option(
      names = "--topology",
      paramLabel = "SHAPE",
      description = "Layout of the chips, for example 4x4x4.")
  @Nullable String topology;

  @Option(
      names = "--zone",
      paramLabel = "ZONE",
      description = "Zone (default: that of its pool, or of a pool with such TPUs).")
  @Nullable String zone;

  @Option(
      names = "--pool",
      paramLabel = "POOL",
      description = "The pool whose zones, network and runtime it uses.")
  @Nullable String pool;

  public SliceCreateCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var slice = Optional.ofNullable(name).orElse(type);
    var fields = new LinkedHashMap<String, Object>();
    fields.put("cluster", cluster.name());
    fields.put("name", slice);
    fields.put("type", type);
    fields.put("count", count);
    if (reserved) fields.put("provisioning", "reserved");
    if (reservation != null) fields.put("reservation", reservation);
    if (topology != null) fields.put("topology", topology);
    if (zone != null) fields.put("zone", zone);
    if (pool != null) fields.put("pool", pool);
    var spec =
        ManualSlices.publish(
            cliContext,
            "Slice",
            fields,
            c ->
                c.pool(slice)
                    .filter(PoolSpec::manual)
                    .filter(p -> p.max() == count && p.machineType().equals(type))
                    .isPresent());
    var made =
        ManualSlices.of(spec, List.of()).stream()
            .filter(s -> s.name().equals(slice))
            .findFirst()
            .orElseThrow();
    show(
        made,
        () ->
            cliContext
                .screen()
                .say(
                    "slice %s is requested: %dx%s, %s on %s; mayfly slice list shows its state"
                        .formatted(
                            slice,
                            made.count(),
                            made.type(),
                            HumanAmounts.count(made.chips(), "chip"),
                            HumanAmounts.count(made.hosts(), "host"))));
    return 0;
  }
}

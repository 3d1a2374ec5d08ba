package dev.mayfly.cli.catalog;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.catalog.AttachableGpu;
import dev.mayfly.core.catalog.CatalogEntry;
import dev.mayfly.core.catalog.CatalogSearch;
import java.util.List;
import java.util.stream.Collectors;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly catalog}: what a pool can be made of, and what it costs. */
@Command(
    name = "catalog",
    description = {
      "Lists machine types and TPU types with list prices. Needs no cloud and no login.",
      "",
      "CPUs and memory of a TPU type are those of one host; its price is that of all hosts."
    },
    footer = {
      "",
      "Examples:",
      "  mayfly catalog n2",
      "  mayfly catalog 'a3-*' v5p-8",
      "  mayfly catalog --gpu",
      "  mayfly catalog --tpu -o json"
    })
public final class CatalogCommand extends ResultCommand {
  @Parameters(
      arity = "0..*",
      paramLabel = "PATTERN",
      description = "Only these: a name, a family (n2, v5p), how names begin, or a pattern (a3-*).")
  List<String> patterns = List.of();

  @Option(names = "--gpu", description = "Only types with GPUs, and GPUs that can be attached.")
  boolean gpu;

  @Option(names = "--tpu", description = "Only TPUs.")
  boolean tpu;

  public CatalogCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var screen = cliContext.screen();
    var lines =
        switch (CatalogSearch.find(patterns, this::wanted)) {
          case CatalogSearch.Found found -> found.entries().stream().map(CatalogLine::of).toList();
          case CatalogSearch.Unknown unknown ->
              throw CommandException.notFound(
                  unknown.misses().stream().map(this::sentence).collect(Collectors.joining("\n")));
        };
    show(lines, () -> screen.lines(new CatalogPage(lines, attachable(), screen).lines()));
    return 0;
  }

  private boolean wanted(CatalogEntry entry) {
    return (!gpu && !tpu) || (gpu && entry.gpus() > 0) || (tpu && entry.chips() > 0);
  }

  /** They are no machine types, so that no pattern means them. */
  private List<AttachableGpu> attachable() {
    return gpu && patterns.isEmpty() ? List.copyOf(AttachableGpu.all()) : List.of();
  }

  private String sentence(CatalogSearch.Miss miss) {
    return miss.unusable()
        .orElseGet(() ->
            "no %s matches '%s'; %s".formatted(searched(), miss.pattern(), remedy(miss.near())));
  }

  private String searched() {
    if (gpu) return tpu ? "type with GPUs or TPUs" : "type with GPUs";
    return tpu ? "TPU type" : "machine type or TPU type";
  }

  private static String remedy(List<String> near) {
    return near.isEmpty()
        ? "see all of them with: mayfly catalog"
        : "did you mean " + (near.size() > 1 ? "one of " : "") + String.join(", ", near) + "?";
  }
}

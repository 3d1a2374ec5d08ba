package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.CommonOptions;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly up}: creates or changes clusters. */
@Command(
    name = "up",
    description =
        "Creates or changes the clusters of a file. Machines start only when there is work.",
    footer = {"", "Examples:", "  mayfly up cluster.yaml", "  mayfly up regions.yaml --var max=8"})
public final class UpCommand implements Callable<Integer> {
  private final CliContext cliContext;
  @Mixin CommonOptions commonOptions = new CommonOptions();

  @Parameters(paramLabel = "FILE", description = "YAML or JSON; - is standard input.")
  String file = "";

  @Option(
      names = "--var",
      paramLabel = "NAME=VALUE",
      description = "Sets the variable {name} in the file.")
  List<String> variables = new ArrayList<>();

  public UpCommand(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public Integer call() {
    var clusters = DocumentFile.read(file, DocumentFile.variables(variables, "--var "), "Cluster");
    var views = new ArrayList<ClusterStatus>();
    for (var cluster : clusters) views.add(up(cluster));
    if (commonOptions.json()) commonOptions.json(cliContext.screen(), views);
    return 0;
  }

  private ClusterStatus up(ParsedDocument cluster) {
    var asked = (dev.mayfly.core.model.message.UserCommand.ApplyCluster) cluster.command();
    var spec = asked.spec();
    var before =
        cliContext
            .api()
            .findCluster(spec.name())
            .or(() -> asked.formerly().flatMap(cliContext.api()::findCluster));
    var screen = commonOptions.humanScreen(cliContext.screen());
    cliContext.buckets().ensure(spec.bucket());
    var message = cliContext.topics().publish(cluster);
    var view =
        cliContext.acceptance().await(message, "cluster " + spec.name(), () -> applied(spec));
    screen.line("cluster " + view.name() + " " + change(before, view) + pools(view));
    return view;
  }

  private Optional<ClusterStatus> applied(ClusterSpec spec) {
    return cliContext
        .api()
        .findCluster(spec.name())
        .filter(c -> c.phase().equals("up"))
        .filter(c -> Wire.codec().hash(c.spec()).equals(Wire.codec().hash(spec)));
  }

  private static String change(Optional<ClusterStatus> before, ClusterStatus now) {
    if (before.isEmpty() || !before.get().uid().equals(now.uid())) return "is up";
    if (before.get().generation() == now.generation())
      return "is unchanged (generation " + now.generation() + ")";
    var renamed = before.get().name().equals(now.name()) ? "" : ", formerly " + before.get().name();
    return "is updated to generation " + now.generation() + renamed;
  }

  private static String pools(ClusterStatus view) {
    var live = view.pools().stream().mapToInt(ClusterStatus.PoolView::live).sum();
    var max = view.pools().stream().mapToInt(ClusterStatus.PoolView::max).sum();
    return ": %s, %d of at most %s running"
        .formatted(
            HumanFormat.count(view.pools().size(), "pool"), live, HumanFormat.count(max, "worker"));
  }
}

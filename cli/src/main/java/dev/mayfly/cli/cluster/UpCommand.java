package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.Wire;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;

/** {@code mayfly up}: creates or changes clusters. */
@Command(
    name = "up",
    description =
        "Creates or changes the clusters of a file. Machines start only when there is work.",
    footer = {"", "Examples:", "  mayfly up cluster.yaml", "  mayfly up regions.yaml --var max=8"})
public final class UpCommand extends ResultCommand {
  @Mixin DocumentFile file = new DocumentFile();

  public UpCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    showJson(file.read("Cluster").stream().map(this::up).toList());
    return 0;
  }

  private ClusterStatus up(ParsedDocument cluster) {
    var asked = (UserCommand.ApplyCluster) cluster.command();
    var spec = asked.spec();
    var before =
        cliContext
            .api()
            .findCluster(spec.name())
            .or(() -> asked.formerly().flatMap(cliContext.api()::findCluster));
    var screen = humanScreen();
    cliContext.buckets().ensure(spec.bucket());
    var view = cliContext.publish(cluster, "cluster " + spec.name(), () -> applied(spec));
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

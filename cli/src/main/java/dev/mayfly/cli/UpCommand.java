package dev.mayfly.cli;

import dev.mayfly.cli.show.Words;
import dev.mayfly.core.control.ClusterView;
import dev.mayfly.core.model.ClusterSpec;
import dev.mayfly.wire.Parsed;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly up}: clusters come up, or change. */
@Command(
    name = "up",
    description =
        "Brings up the clusters of a file, or changes them. No machine starts before there is work.",
    footer = {"", "Examples:", "  mayfly up cluster.yaml", "  mayfly up regions.yaml --var max=8"})
final class UpCommand implements Callable<Integer> {
  private final Session session;
  @Mixin Common common = new Common();

  @Parameters(paramLabel = "FILE", description = "YAML or JSON; - is the standard input.")
  String file = "";

  @Option(names = "--var", paramLabel = "NAME=VALUE", description = "Sets a {name} of the file.")
  List<String> variables = new ArrayList<>();

  UpCommand(Session session) {
    this.session = session;
  }

  @Override
  public Integer call() {
    var clusters = Document.read(file, Document.variables(variables, "--var "), "Cluster");
    var views = new ArrayList<ClusterView>();
    for (var cluster : clusters) views.add(up(cluster));
    if (common.json()) common.json(session.screen(), views);
    return 0;
  }

  private ClusterView up(Parsed cluster) {
    var asked = (dev.mayfly.core.model.Command.ApplyCluster) cluster.command();
    var spec = asked.spec();
    var before =
        session
            .api()
            .findCluster(spec.name())
            .or(() -> asked.formerly().flatMap(session.api()::findCluster));
    var screen = common.people(session.screen());
    session.buckets().ensure(spec.bucket());
    var message = session.topics().publish(cluster);
    var view = session.acceptance().await(message, "cluster " + spec.name(), () -> applied(spec));
    screen.line("cluster " + view.name() + " " + change(before, view) + pools(view));
    return view;
  }

  private Optional<ClusterView> applied(ClusterSpec spec) {
    return session
        .api()
        .findCluster(spec.name())
        .filter(c -> c.phase().equals("up"))
        .filter(c -> Wire.codec().hash(c.spec()).equals(Wire.codec().hash(spec)));
  }

  private static String change(Optional<ClusterView> before, ClusterView now) {
    if (before.isEmpty() || !before.get().uid().equals(now.uid())) return "is up";
    if (before.get().generation() == now.generation())
      return "is unchanged (generation " + now.generation() + ")";
    var renamed = before.get().name().equals(now.name()) ? "" : ", formerly " + before.get().name();
    return "is updated to generation " + now.generation() + renamed;
  }

  private static String pools(ClusterView view) {
    var live = view.pools().stream().mapToInt(ClusterView.PoolView::live).sum();
    var max = view.pools().stream().mapToInt(ClusterView.PoolView::max).sum();
    return ": %s, %d of at most %s running"
        .formatted(Words.count(view.pools().size(), "pool"), live, Words.count(max, "worker"));
  }
}

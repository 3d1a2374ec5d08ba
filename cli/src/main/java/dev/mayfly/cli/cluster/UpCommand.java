package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.document.BootImageWarnings;
import dev.mayfly.cli.document.ClusterWarnings;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.cli.output.Style;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.cluster.ClusterSpec;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.Wire;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code mayfly up}: creates or changes clusters. */
@Command(
    name = "up",
    description =
        "Creates or changes the clusters of a file. Machines start only when there is work.",
    footer = {
      "",
      "Examples:",
      "  mayfly up cluster.yaml --dry-run",
      "  mayfly up cluster.yaml",
      "  mayfly up regions.yaml --var max=8"
    })
public final class UpCommand extends ResultCommand {
  @Mixin DocumentFile file = new DocumentFile();

  @Option(
      names = "--dry-run",
      description =
          "Shows what would change, and which workers would be replaced; publishes nothing.")
  boolean dryRun;

  @Option(
      names = "--yes",
      description =
          "Confirms pools that may cost more than the cluster's limits, like confirm: true in the"
              + " file.")
  boolean yes;

  public UpCommand(CliContext cliContext) {
    super(cliContext);
  }

  @Override
  public Integer call() {
    var clusters = file.read("Cluster");
    if (dryRun) showChanges(clusters);
    else showJson(clusters.stream().map(this::up).toList());
    return 0;
  }

  /** Shows all changes; throws {@link InvalidInputException} if any would be refused. */
  private void showChanges(List<ParsedDocument> clusters) {
    var changes = new ArrayList<ClusterChange>();
    var refused = new ArrayList<InputError>();
    for (var cluster : clusters)
      try {
        changes.add(change(cluster));
      } catch (InvalidInputException no) {
        for (var p : no.problems())
          refused.add(new InputError(cluster.at().of(p.path()), p.message()));
      }
    var screen = cliContext.screen();
    show(changes, () -> changes.forEach(c -> screen.lines(ClusterChangePage.lines(c, screen))));
    clusters.forEach(this::warn);
    if (!refused.isEmpty()) throw new InvalidInputException(refused);
  }

  private ClusterChange change(ParsedDocument cluster) {
    var asked = (UserCommand.ApplyCluster) cluster.command();
    BootImageWarnings.of(asked.spec()).forEach(w -> humanScreen().note("warning: " + w));
    var before = present(asked);
    warnFormer(asked, before);
    return before
        .map(
            was -> ClusterChange.of(was, asked.spec(), cliContext.api().workers(was.name(), false)))
        .orElseGet(() -> ClusterChange.created(asked.spec()));
  }

  /** The cluster that the command would change. */
  private Optional<ClusterStatus> present(UserCommand.ApplyCluster asked) {
    var apiClient = cliContext.api();
    return apiClient
        .findCluster(asked.spec().name())
        .or(() -> asked.formerly().flatMap(apiClient::findCluster));
  }

  private ClusterStatus up(ParsedDocument cluster) {
    var asked = (UserCommand.ApplyCluster) cluster.command();
    var spec = asked.spec();
    var before = present(asked);
    var screen = humanScreen();
    BootImageWarnings.of(spec).forEach(w -> screen.note("warning: " + w));
    warnFormer(asked, before);
    cliContext.buckets().ensure(spec.bucket());
    var published = yes ? cluster.confirmed() : cluster;
    var view = cliContext.publish(published, "cluster " + spec.name(), () -> applied(spec));
    screen.line("cluster " + view.name() + " " + change(before, view) + pools(view));
    if (spec.usdPerMonth().isPresent()
        && !before.map(ClusterStatus::uid).equals(Optional.of(view.uid())))
      uncounted(view)
          .ifPresent(why ->
              screen.note(
                  screen.paint(Style.WARN, "warning: ") + "cluster " + view.name() + ": " + why));
    warn(cluster);
    return view;
  }

  /** What its limit by the month does not count, in the words of the event. */
  private Optional<String> uncounted(ClusterStatus view) {
    return cliContext.api().events(view.name(), Optional.of("cluster/" + view.name()), 5).stream()
        .filter(event -> event.what().equals("up"))
        .findFirst()
        .map(EventRecord::why)
        .filter(why -> why.contains("; its limit"))
        .map(why -> why.substring(why.indexOf("; its limit") + 2));
  }

  /** A former name that no cluster has is right only once the cluster has its new one. */
  private void warnFormer(UserCommand.ApplyCluster asked, Optional<ClusterStatus> before) {
    if (before.isPresent() || asked.formerly().isEmpty()) return;
    var known = cliContext.api().clusters().stream().map(ClusterStatus::name).sorted().toList();
    humanScreen()
        .note(
            "warning: cluster %s: formerly: there is no cluster %s to rename, so this is a new one beside those that are there; %s"
                .formatted(
                    asked.spec().name(),
                    asked.formerly().get(),
                    known.isEmpty()
                        ? "there are none"
                        : "the clusters are " + String.join(", ", known)));
  }

  /** Says what {@code validate} says too: what costs money without work, and what never starts. */
  private void warn(ParsedDocument cluster) {
    var spec = ((UserCommand.ApplyCluster) cluster.command()).spec();
    var screen = humanScreen();
    for (var warning : ClusterWarnings.of(spec))
      screen.note(
          screen.paint(Style.WARN, "warning: ") + "cluster " + spec.name() + ": " + warning);
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

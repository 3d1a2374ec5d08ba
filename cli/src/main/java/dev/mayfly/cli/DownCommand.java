package dev.mayfly.cli;

import dev.mayfly.cli.show.Words;
import dev.mayfly.core.control.ClusterView;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.wire.Documents;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly down}: a cluster and its machines go. */
@Command(
    name = "down",
    description =
        "Takes a cluster down: its jobs are stopped and its machines deleted. Objects stay.",
    footer = {"", "Examples:", "  mayfly down us-central2", "  mayfly down us-central2 --wait"})
final class DownCommand implements Callable<Integer> {
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  private final Session session;
  @Mixin Common common = new Common();

  @Parameters(paramLabel = "CLUSTER", description = "Its name.")
  String name = "";

  @Option(names = "--wait", description = "Shows the machines going, and waits for the last one.")
  boolean wait;

  DownCommand(Session session) {
    this.session = session;
  }

  /** As JSON. */
  record Down(String cluster, String phase, Map<String, Integer> workers) {}

  @Override
  public Integer call() {
    var before = session.api().cluster(name);
    var document = Documents.of("DownCluster", Map.of("cluster", name));
    var message = session.topics().publish(document);
    var screen = common.people(session.screen());
    var going =
        session
            .acceptance()
            .await(message, "down of " + name, () -> gone(before).or(() -> going(before)));
    screen.line("cluster " + name + " is going" + machines(going));
    var last = wait && !going.phase().equals("gone") ? watch(before) : going;
    if (last.phase().equals("gone")) screen.line("cluster " + name + " is gone");
    if (common.json()) common.json(session.screen(), last);
    return 0;
  }

  private Optional<Down> going(ClusterView before) {
    return session
        .api()
        .findCluster(name)
        .filter(c -> c.uid().equals(before.uid()) && !c.phase().equals("up"))
        .map(c -> new Down(name, c.phase(), c.workers()));
  }

  /** Whether the name has no cluster any more, or another one. */
  private Optional<Down> gone(ClusterView before) {
    var now = session.api().findCluster(name);
    return now.isEmpty()
            || !now.get().uid().equals(before.uid())
            || now.get().phase().equals("gone")
        ? Optional.of(new Down(name, "gone", Map.of()))
        : Optional.empty();
  }

  private Down watch(ClusterView before) {
    var screen = common.people(session.screen());
    var shown = new String[] {""};
    return session
        .waiting()
        .until(
            PATIENCE,
            Duration.ofMillis(500),
            () -> {
              var line = going(before).map(d -> machines(d)).orElse("");
              if (!line.isEmpty() && !line.equals(shown[0])) screen.line("  still there" + line);
              shown[0] = line;
              return gone(before);
            })
        .orElseThrow(() ->
            new Unavailable(
                "cluster %s still has machines after %s: %s"
                    .formatted(name, Words.span(PATIENCE), shown[0])));
  }

  private static String machines(Down down) {
    var states = Words.counts(down.workers());
    return states.isEmpty() ? "" : ": workers " + states;
  }
}

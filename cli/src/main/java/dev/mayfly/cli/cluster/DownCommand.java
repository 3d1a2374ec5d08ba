package dev.mayfly.cli.cluster;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ResultCommand;
import dev.mayfly.cli.output.HumanFormat;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.BucketLayout;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.schedule.ScheduleStatus;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.UserDocuments;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code mayfly down}: takes a cluster and its machines down. */
@Command(
    name = "down",
    description =
        "Takes a cluster down: stops its jobs and deletes its machines. Objects are kept. Also"
            + " cancels an earlier up of that name that is still in the queue.",
    footer = {"", "Examples:", "  mayfly down us-central2", "  mayfly down us-central2 --wait"})
public final class DownCommand extends ResultCommand {
  private static final Duration MAX_WAIT = Duration.ofMinutes(15);
  private static final int LOOKED_AT = 100;
  private static final int NAMED = 5;

  @Parameters(paramLabel = "CLUSTER", description = "Its name.")
  String name = "";

  @Option(
      names = "--wait",
      description = "Shows the machines that remain and waits until the last one is deleted.")
  boolean wait;

  public DownCommand(CliContext cliContext) {
    super(cliContext);
  }

  /** The JSON result. */
  record Down(String cluster, String phase, Map<String, Integer> workers) {}

  @Override
  public Integer call() {
    var found = cliContext.api().findCluster(name);
    var document = UserDocuments.of("DownCluster", Map.of("cluster", name));
    var before = found.orElseGet(() -> publishUnknown(document));
    var screen = humanScreen();
    var newest = newest(before);
    var going =
        cliContext.publish(document, "down of " + name, () -> gone(before).or(() -> going(before)));
    screen.line("cluster " + name + " is going" + machines(going));
    stops(newest).ifPresent(screen::line);
    schedules(before).ifPresent(screen::line);
    if (!newest.isEmpty()) {
      screen.line(kept(before));
      screen.say(
          "  until a cluster is called so again, its jobs are shown as before: mayfly logs JOB -c "
              + name);
    }
    var last = wait && !going.phase().equals("gone") ? watch(before) : going;
    if (last.phase().equals("gone")) screen.line("cluster " + name + " is gone");
    showJson(last);
    return 0;
  }

  /** Its up may still be on its way: the down holds for it, and the unknown name is an error. */
  private ClusterStatus publishUnknown(ParsedDocument document) {
    cliContext.topics().publish(document);
    humanScreen()
        .line("down of " + name + " is published: an up that was published before creates nothing");
    return cliContext.api().cluster(name);
  }

  /** Its newest jobs, as far as they can be told: a question that fails keeps nothing up. */
  private List<JobStatus> newest(ClusterStatus before) {
    if (!before.phase().equals("up")) return List.of();
    try {
      return cliContext.api().jobs(name, LOOKED_AT);
    } catch (RuntimeException unanswered) {
      return List.of();
    }
  }

  private String kept(ClusterStatus before) {
    var folder = BucketLayout.of(before.spec().bucket()).jobs();
    return "  records and logs of its jobs stay in %s; to list them: %s"
        .formatted(folder, cliContext.listing(folder));
  }

  private static Optional<String> stops(List<JobStatus> newest) {
    var live = newest.stream().filter(job -> job.endedAt().isEmpty()).map(JobStatus::name).toList();
    if (live.isEmpty()) return Optional.empty();
    var number = HumanFormat.count(live.size(), "job");
    if (newest.size() == LOOKED_AT) number += " or more";
    return Optional.of("  it stops %s: %s".formatted(number, named(live)));
  }

  /** None of them submits a job any more, nor in a later cluster of that name. */
  private static Optional<String> schedules(ClusterStatus before) {
    var names = before.schedules().stream().map(ScheduleStatus::address).toList();
    if (names.isEmpty() || !before.phase().equals("up")) return Optional.empty();
    return Optional.of(
        "  it ends %s: %s".formatted(HumanFormat.count(names.size(), "schedule"), named(names)));
  }

  private static String named(List<String> names) {
    var more = names.size() > NAMED ? ", …" : "";
    return String.join(", ", names.subList(0, Math.min(NAMED, names.size()))) + more;
  }

  private Optional<Down> going(ClusterStatus before) {
    return cliContext
        .api()
        .findCluster(name)
        .filter(c -> c.uid().equals(before.uid()) && !c.phase().equals("up"))
        .map(c -> new Down(name, c.phase(), c.workers()));
  }

  /** Present if the cluster no longer exists or another cluster has its name. */
  private Optional<Down> gone(ClusterStatus before) {
    var now = cliContext.api().findCluster(name);
    return now.isEmpty()
            || !now.get().uid().equals(before.uid())
            || now.get().phase().equals("gone")
        ? Optional.of(new Down(name, "gone", Map.of()))
        : Optional.empty();
  }

  private Down watch(ClusterStatus before) {
    var screen = humanScreen();
    var shown = new String[] {""};
    return cliContext
        .poller()
        .until(
            MAX_WAIT,
            Duration.ofMillis(500),
            () -> {
              var line = going(before).map(d -> machines(d)).orElse("");
              if (!line.isEmpty() && !line.equals(shown[0])) screen.line("  still there" + line);
              shown[0] = line;
              return gone(before);
            })
        .orElseThrow(() ->
            new UnavailableException(
                "cluster %s still has machines after %s: %s"
                    .formatted(name, HumanFormat.duration(MAX_WAIT), shown[0])));
  }

  private static String machines(Down down) {
    var states = HumanFormat.counts(down.workers());
    return states.isEmpty() ? "" : ": workers " + states;
  }
}

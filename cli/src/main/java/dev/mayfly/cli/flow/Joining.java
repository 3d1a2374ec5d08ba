package dev.mayfly.cli.flow;

import dev.mayfly.cli.exit.Exit;
import dev.mayfly.cli.exit.Refusal;
import dev.mayfly.cli.reach.Api;
import dev.mayfly.cli.reach.Site;
import dev.mayfly.cli.reach.Topics;
import dev.mayfly.cli.show.Screen;
import dev.mayfly.core.control.ClusterView;
import dev.mayfly.core.control.WorkerView;
import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.MachineSheet;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.wire.Documents;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Lets this machine be a worker for as long as this process runs: joins, runs the agent, starts it
 * again when it dies, and joins again when the worker was given up meanwhile.
 */
public final class Joining {
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Looks at the agent for one at the worker. */
  private static final int LOOKS = 5;

  private static final String REMOVED = "removed: ";
  private static final String LEFT = "left: ";
  private static final int POWER_OFF = 42;
  private static final int BAD_SETTINGS = 78;

  private final Wish wish;
  private final Site site;
  private final Optional<String> token;
  private final Api api;
  private final Topics topics;
  private final Waiting waiting;
  private final Screen screen;
  private final OwnAgent agent;
  private final Set<Integer> ended = new HashSet<>();
  private Map<String, String> settings = Map.of();
  private String state = "";

  /**
   * What is asked for.
   *
   * @param account the service account that the agent speaks as
   * @param address where other machines reach this one; empty to ask its routes
   */
  public record Wish(
      String cluster,
      String pool,
      String worker,
      OwnMachine machine,
      Optional<String> account,
      Optional<String> address) {}

  /**
   * @param env of this process
   * @param token what the agent shows to a laptop cloud
   */
  public Joining(
      Wish wish,
      Map<String, String> env,
      Site site,
      Optional<String> token,
      Api api,
      Topics topics,
      Waiting waiting,
      Screen screen) {
    this.wish = wish;
    this.site = site;
    this.token = token;
    this.api = api;
    this.topics = topics;
    this.waiting = waiting;
    this.screen = screen;
    agent = new OwnAgent(env, wish.machine().folder().resolve("agent.log"), screen::note);
  }

  /** How a look at the agent and its worker ended. */
  private enum End {
    REMOVED,
    GIVEN_UP,
    ENDED
  }

  /** Until the worker is removed, or the agent is told to end. */
  public int run() {
    join();
    while (true) {
      switch (watch()) {
        case REMOVED -> {
          agent.stop();
          screen.line("worker " + wish.worker() + " was removed");
          return 0;
        }
        case ENDED -> {
          return 0;
        }
        case GIVEN_UP -> {
          agent.stop();
          rejoin();
        }
      }
    }
  }

  /** Asks to be let in, and starts the agent. */
  private void join() {
    var nonce = OwnMachine.random(32);
    var fields = new LinkedHashMap<String, Object>();
    fields.put("cluster", wish.cluster());
    fields.put("pool", wish.pool());
    fields.put("worker", wish.worker());
    fields.put("machine", wish.machine().id());
    fields.put("nonceHash", Sha256.of(nonce));
    var message = topics.publish(Documents.of("JoinWorker", fields));
    new Acceptance(api, waiting)
        .await(message, "join of " + wish.worker(), () -> worker().filter(this::isIn));
    settings = settings(api.cluster(wish.cluster()), nonce);
    agent.start(settings, surroundings());
    state = "";
    screen.line(
        "worker %s joins pool %s of cluster %s; its agent writes to %s"
            .formatted(
                wish.worker(),
                wish.pool(),
                wish.cluster(),
                wish.machine().folder().resolve("agent.log")));
  }

  /** The control plane may be away just now; what can't be mended by waiting ends it. */
  private void rejoin() {
    while (true)
      try {
        join();
        return;
      } catch (Unavailable later) {
        waiting.pause().pause(EVERY.multipliedBy(LOOKS));
      }
  }

  private boolean isIn(WorkerView worker) {
    return worker.instanceId().equals(Optional.of(wish.machine().id()))
        && List.of("booting", "preparing", "ready", "unfit").contains(worker.state());
  }

  private End watch() {
    for (var looks = 1; ; looks++) {
      waiting.pause().pause(EVERY);
      var code = agent.code();
      if (code.isPresent()) {
        if (code.get() == 0) return End.ENDED;
        if (code.get() == POWER_OFF) return End.GIVEN_UP;
        if (code.get() == BAD_SETTINGS)
          throw new Refusal(Exit.INPUT, "the agent does not start; see its log");
        again(code.get());
      }
      if (looks % LOOKS != 0) continue;
      var end = look();
      if (end.isPresent()) return end.get();
    }
  }

  /** As a service would: with the same value, and so as the same worker. */
  private void again(int code) {
    if (ended.add(code))
      screen.note("the agent ended with code " + code + " and is started again; see its log");
    agent.start(settings, surroundings());
  }

  private Optional<End> look() {
    try {
      var worker = worker();
      tell(worker);
      if (worker.isEmpty()) return Optional.of(End.GIVEN_UP);
      var why = worker.get().reason().orElse("");
      return switch (worker.get().state()) {
        case "lost" -> Optional.of(End.GIVEN_UP);
        case "gone" -> gone(why);
        default -> Optional.empty();
      };
    } catch (Unavailable | Denied | Invalid | Refusal later) {
      // The agent works on; what becomes of the worker is seen later.
      return Optional.empty();
    }
  }

  private static Optional<End> gone(String why) {
    // It said so itself, and is about to end.
    if (why.startsWith(LEFT)) return Optional.empty();
    return Optional.of(why.startsWith(REMOVED) ? End.REMOVED : End.GIVEN_UP);
  }

  private void tell(Optional<WorkerView> worker) {
    var now = worker.map(w -> w.state() + w.reason().map(r -> ": " + r).orElse("")).orElse("gone");
    if (!now.equals(state)) screen.line("worker " + wish.worker() + " is " + now);
    state = now;
  }

  private Optional<WorkerView> worker() {
    return api.workers(wish.cluster(), true).stream()
        .filter(w -> w.name().equals(wish.worker()))
        .findFirst();
  }

  private Map<String, String> settings(ClusterView cluster, String nonce) {
    var pool = cluster.spec().pool(wish.pool()).orElseThrow();
    var sheet =
        new MachineSheet(
            cluster.uid(),
            wish.worker(),
            wish.pool(),
            nonce,
            site.workers(),
            cluster.spec().bucket(),
            wish.machine().offers(pool.visible()));
    var all = new LinkedHashMap<>(sheet.metadata());
    all.put("mayfly-instance-id", wish.machine().id());
    all.put("mayfly-work-dir", wish.machine().folder().resolve("work").toString());
    wish.account().ifPresent(account -> all.put("mayfly-account", account));
    wish.address().ifPresent(address -> all.put("mayfly-address", address));
    all.putAll(cluster.spec().equipment());
    return all;
  }

  private Map<String, String> surroundings() {
    var more = new HashMap<String, String>();
    more.put("MAYFLY_METADATA", "off");
    more.put("GOOGLE_CLOUD_PROJECT", site.project());
    if (!site.storage().isEmpty()) more.put("MAYFLY_STORAGE_ENDPOINT", site.storage());
    token.ifPresent(it -> more.put("MAYFLY_STORAGE_TOKEN", it));
    return more;
  }
}

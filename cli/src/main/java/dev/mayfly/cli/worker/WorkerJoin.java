package dev.mayfly.cli.worker;

import dev.mayfly.cli.client.ApiClient;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.output.Screen;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.Sha256;
import dev.mayfly.core.model.worker.WorkerInfo;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.wire.UserDocuments;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Makes this machine a worker while this process runs: joins, runs the agent, restarts it when it
 * dies, and joins again when the worker was lost.
 */
final class WorkerJoin {
  private static final Duration EVERY = Duration.ofSeconds(1);

  /** Polls of the agent per poll of the worker. */
  private static final int AGENT_POLLS = 5;

  private static final String REMOVED = "removed: ";
  private static final String LEFT = "left: ";
  private static final int POWER_OFF = 42;
  private static final int BAD_SETTINGS = 78;

  private final JoinRequest joinRequest;
  private final CliContext cliContext;
  private final ApiClient apiClient;
  private final Screen screen;
  private final StaticWorkerAgent agent;
  private final Set<Integer> ended = new HashSet<>();
  private Map<String, String> settings = Map.of();
  private String state = "";

  /**
   * The parameters of a join.
   *
   * @param account the service account that the agent uses
   * @param address the address at which other machines reach this one; empty to derive it from the
   *     routes
   * @param driver the folder with a pretended GPU driver, first on the agent's path
   */
  record JoinRequest(
      String cluster,
      String pool,
      String worker,
      StaticWorkerMachine machine,
      Optional<String> account,
      Optional<String> address,
      Map<String, String> labels,
      Optional<Path> driver) {
    JoinRequest {
      labels = Map.copyOf(labels);
    }
  }

  WorkerJoin(JoinRequest joinRequest, CliContext cliContext) {
    this.joinRequest = joinRequest;
    this.cliContext = cliContext;
    apiClient = cliContext.api();
    screen = cliContext.screen();
    agent =
        new StaticWorkerAgent(
            cliContext.env(), joinRequest.machine().folder().resolve("agent.log"), screen::note);
  }

  /** Why watching the agent and its worker ended. */
  private enum End {
    REMOVED,
    GIVEN_UP,
    ENDED
  }

  /** Runs until the worker is removed or the agent is stopped. */
  int run() {
    join();
    while (true) {
      switch (watch()) {
        case REMOVED -> {
          agent.stop();
          screen.line("worker " + joinRequest.worker() + " was removed");
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

  /** Joins the pool and starts the agent. */
  private void join() {
    var nonce = StaticWorkerMachine.randomHex(32);
    var fields = new LinkedHashMap<String, Object>();
    fields.put("cluster", joinRequest.cluster());
    fields.put("pool", joinRequest.pool());
    fields.put("worker", joinRequest.worker());
    fields.put("machine", joinRequest.machine().id());
    fields.put("nonceHash", Sha256.of(nonce));
    if (!joinRequest.labels().isEmpty()) fields.put("labels", joinRequest.labels());
    cliContext.publish(
        UserDocuments.of("JoinWorker", fields),
        "join of " + joinRequest.worker(),
        () -> worker().filter(this::isJoined));
    settings = settings(apiClient.cluster(joinRequest.cluster()), nonce);
    agent.start(settings, environment());
    state = "";
    screen.line(
        "worker %s joins pool %s of cluster %s; agent log: %s"
            .formatted(
                joinRequest.worker(),
                joinRequest.pool(),
                joinRequest.cluster(),
                joinRequest.machine().folder().resolve("agent.log")));
  }

  /** Joins again. Waits for an unavailable control plane; any other error ends the command. */
  private void rejoin() {
    while (true)
      try {
        join();
        return;
      } catch (UnavailableException later) {
        cliContext.poller().sleeper().sleep(EVERY.multipliedBy(AGENT_POLLS));
      }
  }

  private boolean isJoined(WorkerStatus worker) {
    return worker.instanceId().equals(Optional.of(joinRequest.machine().id()))
        && List.of("booting", "preparing", "ready", "cordoned", "unfit").contains(worker.state());
  }

  private End watch() {
    for (var polls = 1; ; polls++) {
      cliContext.poller().sleeper().sleep(EVERY);
      var code = agent.code();
      if (code.isPresent()) {
        if (code.get() == 0) return End.ENDED;
        if (code.get() == POWER_OFF) return End.GIVEN_UP;
        if (code.get() == BAD_SETTINGS)
          throw CommandException.input("the agent cannot start; see its log");
        restart(code.get());
      }
      if (polls % AGENT_POLLS != 0) continue;
      var end = poll();
      if (end.isPresent()) return end.get();
    }
  }

  /** Restarts the agent with the same nonce, so as the same worker. */
  private void restart(int code) {
    if (ended.add(code))
      screen.note("the agent ended with code " + code + " and restarts; see its log");
    agent.start(settings, environment());
  }

  private Optional<End> poll() {
    try {
      var worker = worker();
      reportState(worker);
      if (worker.isEmpty()) return Optional.of(End.GIVEN_UP);
      var why = worker.get().reason().orElse("");
      return switch (worker.get().state()) {
        case "lost" -> Optional.of(End.GIVEN_UP);
        case "gone" -> gone(why);
        default -> Optional.empty();
      };
    } catch (UnavailableException
        | DeniedException
        | InvalidInputException
        | CommandException later) {
      // The agent continues; the worker is checked again later.
      return Optional.empty();
    }
  }

  private static Optional<End> gone(String why) {
    // The agent reported this itself and is about to end.
    if (why.startsWith(LEFT)) return Optional.empty();
    return Optional.of(why.startsWith(REMOVED) ? End.REMOVED : End.GIVEN_UP);
  }

  private void reportState(Optional<WorkerStatus> worker) {
    var now = worker.map(w -> w.state() + w.reason().map(r -> ": " + r).orElse("")).orElse("gone");
    if (!now.equals(state)) screen.line("worker " + joinRequest.worker() + " is " + now);
    state = now;
  }

  private Optional<WorkerStatus> worker() {
    return apiClient.workers(joinRequest.cluster(), true).stream()
        .filter(w -> w.name().equals(joinRequest.worker()))
        .findFirst();
  }

  private Map<String, String> settings(ClusterStatus cluster, String nonce) {
    var pool = cluster.spec().pool(joinRequest.pool()).orElseThrow();
    var workerInfo =
        new WorkerInfo(
            cluster.uid(),
            joinRequest.worker(),
            joinRequest.pool(),
            nonce,
            cliContext.endpoints().workers(),
            cluster.spec().bucket(),
            joinRequest.machine().offers(pool.visible()));
    var all = new LinkedHashMap<>(workerInfo.metadata());
    all.put("mayfly-instance-id", joinRequest.machine().id());
    all.put("mayfly-work-dir", joinRequest.machine().folder().resolve("work").toString());
    joinRequest.account().ifPresent(account -> all.put("mayfly-account", account));
    joinRequest.address().ifPresent(address -> all.put("mayfly-address", address));
    all.putAll(cluster.spec().preparationMetadata(pool, pool.zones().getFirst()));
    return all;
  }

  private Map<String, String> environment() {
    var more = new HashMap<String, String>();
    more.put("MAYFLY_METADATA", "off");
    joinRequest
        .driver()
        .ifPresent(bin -> more.put("PATH", bin + ":" + cliContext.env().getOrDefault("PATH", "")));
    var endpoints = cliContext.endpoints();
    more.put("GOOGLE_CLOUD_PROJECT", endpoints.project());
    if (!endpoints.storage().isEmpty()) more.put("MAYFLY_STORAGE_ENDPOINT", endpoints.storage());
    cliContext.token().ifPresent(it -> more.put("MAYFLY_STORAGE_TOKEN", it));
    return more;
  }
}

package dev.mayfly.local.cloud;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.local.cloud.compute.MachineDials;
import dev.mayfly.local.cloud.dials.Dials;
import dev.mayfly.local.cloud.http.ApiError;
import dev.mayfly.local.cloud.http.Query;
import dev.mayfly.local.cloud.http.Reply;
import dev.mayfly.local.cloud.tpu.TpuDials;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@code POST /_sim/…}: turns the dials; the paths are in the package's documentation. */
final class DialRoutes implements HttpHandler {
  static final String PREFIX = "/_sim/";

  private static final Set<String> QUOTA = Set.of("cpus", "gpus", "region");

  private final Dials dials;
  private final MachineDials machines;
  private final TpuDials tpus;
  private final Duration notice;

  DialRoutes(Dials dials, MachineDials machines, TpuDials tpus, Duration notice) {
    this.dials = dials;
    this.machines = machines;
    this.tpus = tpus;
    this.notice = notice;
  }

  @Override
  public void handle(HttpExchange exchange) throws IOException {
    var path = exchange.getRequestURI().getPath();
    if (!exchange.getRequestMethod().equals("POST")) {
      throw new ApiError(405, "httpMethodNotAllowed", path + " wants POST");
    }
    var steps = path.substring(PREFIX.length()).split("/");
    var query = Query.of(exchange.getRequestURI());
    switch (steps.length) {
      case 1 -> turn(steps[0], query);
      case 3 -> turn(steps[0], steps[1], steps[2], query);
      default -> throw unknown(path);
    }
    Reply.json(exchange, 200, "{}");
  }

  private void turn(String dial, Query query) {
    switch (dial) {
      case "quota" -> quota(query);
      case "tpu-quota" -> tpus.setChipQuota(limit(query, "chips"));
      case "tpu-reservation" ->
          tpus.setReservation(query.text("name").orElse(""), limit(query, "chips"));
      case "refusals" ->
          dials.setBareRefusals(query.text("style").filter("bare"::equals).isPresent());
      case "boot-delay" -> dials.setBootDelay(Duration.ofMillis(number(query, "ms")));
      case "lost-replies" ->
          dials.loseReplies(number(query, "next"), query.text("prefix").orElse("/"));
      case "staying-disks" -> dials.keepDisks(number(query, "next"));
      case "rate-limit" -> dials.limitRate(number(query, "next"));
      default -> throw unknown(PREFIX + dial);
    }
  }

  private void turn(String kind, String name, String dial, Query query) {
    if (kind.equals("vms") && (tpus.has(name) || name.equals("*"))) {
      turnTpu(name, dial, query);
      if (!name.equals("*")) {
        return;
      }
    }
    switch (kind + " " + dial) {
      case "vms preempt" -> machines.preempt(name, notice(query));
      case "vms kill" -> machines.kill(name, seconds(query, "unseen").orElse(Duration.ZERO));
      case "vms stop" -> machines.stop(name);
      case "vms delete" -> machines.delete(name);
      case "vms freeze" -> machines.freeze(name);
      case "vms thaw" -> machines.thaw(name);
      case "zones stock" ->
          stock(query.text("type").map(type -> Dials.stockOf(name, type)).orElse(name), query);
      case "zones silent" -> dials.silenceZones(number(query, "next"), Set.of(name));
      default -> throw unknown(PREFIX + kind + "/" + name + "/" + dial);
    }
  }

  /** A node that is killed, or one of its hosts, goes on saying READY. */
  private void turnTpu(String name, String dial, Query query) {
    switch (dial) {
      case "preempt" -> tpus.preempt(name);
      case "delete" -> tpus.vanish(name);
      case "kill" -> tpus.kill(name, query.amount("host"));
      default -> {
        if (!name.equals("*")) {
          throw ApiError.invalid("There is no dial " + dial + " for TPU node '" + name + "'");
        }
      }
    }
  }

  private void stock(String what, Query query) {
    limit(query, "n").ifPresentOrElse(n -> dials.setStock(what, n), () -> dials.refill(what));
  }

  /** Without a limit, none is left. */
  private void quota(Query query) {
    var region = query.text("region").orElse(Dials.EVERYWHERE);
    var metrics = List.of("cpus", "gpus").stream().filter(m -> query.text(m).isPresent()).toList();
    for (var name : query.values().keySet())
      if (!QUOTA.contains(name))
        throw ApiError.invalid(
            "a quota is of cpus or gpus, of one region or of each; not of " + name);
    if (metrics.isEmpty()) dials.clearQuotas();
    metrics.forEach(metric -> dials.setQuota(metric, region, limit(query, metric)));
  }

  private Optional<Duration> notice(Query query) {
    return query.text("notice").filter("false"::equals).isPresent()
        ? Optional.empty()
        : Optional.of(seconds(query, "seconds").orElse(notice));
  }

  private static Optional<Duration> seconds(Query query, String name) {
    return query.amount(name).map(Duration::ofSeconds);
  }

  /** Absent means that there is no limit. */
  private static OptionalInt limit(Query query, String name) {
    return query.amount(name).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private static int number(Query query, String name) {
    return query
        .amount(name)
        .orElseThrow(() -> ApiError.invalid("Parameter '" + name + "' is missing"));
  }

  private static ApiError unknown(String path) {
    return new ApiError(404, "notFound", "There is no dial " + path);
  }
}

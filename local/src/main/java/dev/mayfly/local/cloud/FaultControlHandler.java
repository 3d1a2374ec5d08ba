package dev.mayfly.local.cloud;

import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.QueryParameters;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestHandler;
import dev.mayfly.local.machines.FaultControls;
import dev.mayfly.local.machines.compute.MachineFaultControls;
import dev.mayfly.local.machines.tpu.TpuFaultControls;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.Set;

/** {@code POST /_sim/…}: sets the fault controls. */
public final class FaultControlHandler implements RestHandler {
  public static final String PREFIX = "/_sim/";

  /** Compute Engine's quotas, by what they are called here. */
  private static final Map<String, String> QUOTAS =
      Map.of("cpus", "cpus", "gpus", "gpus", "tpus", FaultControls.TPUS);

  private final FaultControls faultControls;
  private final MachineFaultControls machines;
  private final TpuFaultControls tpus;
  private final Duration notice;

  public FaultControlHandler(
      FaultControls faultControls,
      MachineFaultControls machines,
      TpuFaultControls tpus,
      Duration notice) {
    this.faultControls = faultControls;
    this.machines = machines;
    this.tpus = tpus;
    this.notice = notice;
  }

  @Override
  public void answer(RestCall restCall) throws IOException {
    var path = restCall.uri().getPath();
    if (!restCall.method().equals("POST")) {
      throw new ApiError(405, "httpMethodNotAllowed", path + " wants POST");
    }
    var steps = path.substring(PREFIX.length()).split("/");
    var queryParameters = restCall.parameters();
    switch (steps.length) {
      case 1 -> apply(steps[0], queryParameters);
      case 3 -> apply(steps[0], steps[1], steps[2], queryParameters);
      default -> throw unknown(path);
    }
    restCall.answerJson(200, "{}");
  }

  private void apply(String faultControl, QueryParameters queryParameters) {
    switch (faultControl) {
      case "quota" -> quota(queryParameters);
      case "tpu-quota" -> tpus.setChipQuota(limit(queryParameters, "chips"));
      case "reservation" ->
          faultControls.setReservation(
              queryParameters.text("name").orElse(""),
              queryParameters.text("exists").filter("no"::equals).isEmpty());
      case "tpu-reservation" ->
          tpus.setReservation(
              queryParameters.text("name").orElse(""), limit(queryParameters, "chips"));
      case "refusals" ->
          faultControls.setBareErrors(
              queryParameters.text("style").filter("bare"::equals).isPresent());
      case "boot-delay" ->
          faultControls.setBootDelay(Duration.ofMillis(number(queryParameters, "ms")));
      case "lost-replies" ->
          faultControls.loseReplies(
              number(queryParameters, "next"), queryParameters.text("prefix").orElse("/"));
      case "staying-disks" -> faultControls.keepDisks(number(queryParameters, "next"));
      case "rate-limit" -> faultControls.limitRate(number(queryParameters, "next"));
      default -> throw unknown(PREFIX + faultControl);
    }
  }

  private void apply(
      String kind, String name, String faultControl, QueryParameters queryParameters) {
    if (kind.equals("vms") && (tpus.has(name) || name.equals("*"))) {
      applyToTpu(name, faultControl, queryParameters);
      if (!name.equals("*")) {
        return;
      }
    }
    switch (kind + " " + faultControl) {
      case "vms preempt" -> machines.preempt(name, notice(queryParameters));
      case "vms kill" ->
          machines.kill(name, seconds(queryParameters, "unseen").orElse(Duration.ZERO));
      case "vms stop" -> machines.stop(name);
      case "vms delete" -> machines.delete(name);
      case "vms freeze" -> machines.freeze(name);
      case "vms thaw" -> machines.thaw(name);
      case "zones stock" ->
          stock(
              queryParameters
                  .text("type")
                  .map(type -> FaultControls.stockOf(name, type))
                  .orElse(name),
              queryParameters);
      case "zones silent" ->
          faultControls.silenceZones(number(queryParameters, "next"), Set.of(name));
      default -> throw unknown(PREFIX + kind + "/" + name + "/" + faultControl);
    }
  }

  /** A killed node, or a node with a killed host, still reports READY. */
  private void applyToTpu(String name, String faultControl, QueryParameters queryParameters) {
    switch (faultControl) {
      case "preempt" -> tpus.preempt(name, notice(queryParameters));
      case "delete" -> tpus.vanish(name);
      case "kill" -> tpus.kill(name, queryParameters.amount("host"));
      default -> {
        if (!name.equals("*")) {
          throw ApiError.invalid(
              "Unknown fault control " + faultControl + " for TPU node '" + name + "'");
        }
      }
    }
  }

  private void stock(String what, QueryParameters queryParameters) {
    limit(queryParameters, "n")
        .ifPresentOrElse(
            n -> faultControls.setStock(what, n), () -> faultControls.removeStockLimit(what));
  }

  /** Sets a quota; without a limit, removes it. */
  private void quota(QueryParameters queryParameters) {
    var region = queryParameters.text("region").orElse(FaultControls.EVERYWHERE);
    for (var name : queryParameters.all().keySet())
      if (!QUOTAS.containsKey(name) && !name.equals("region"))
        throw ApiError.invalid(
            "a quota applies to cpus, gpus or tpus, in one region or in each; not to " + name);
    if (QUOTAS.keySet().stream().allMatch(name -> queryParameters.text(name).isEmpty()))
      faultControls.clearQuotas();
    QUOTAS.forEach((name, metric) -> {
      if (queryParameters.text(name).isPresent())
        faultControls.setQuota(metric, region, limit(queryParameters, name));
    });
  }

  private Optional<Duration> notice(QueryParameters queryParameters) {
    return queryParameters.text("notice").filter("false"::equals).isPresent()
        ? Optional.empty()
        : Optional.of(seconds(queryParameters, "seconds").orElse(notice));
  }

  private static Optional<Duration> seconds(QueryParameters queryParameters, String name) {
    return queryParameters.amount(name).map(Duration::ofSeconds);
  }

  /** A limit; absent means no limit. */
  private static OptionalInt limit(QueryParameters queryParameters, String name) {
    return queryParameters.amount(name).map(OptionalInt::of).orElse(OptionalInt.empty());
  }

  private static int number(QueryParameters queryParameters, String name) {
    return queryParameters
        .amount(name)
        .orElseThrow(() -> ApiError.invalid("Parameter '" + name + "' is missing"));
  }

  private static ApiError unknown(String path) {
    return ApiError.notFound("Unknown fault control " + path);
  }
}

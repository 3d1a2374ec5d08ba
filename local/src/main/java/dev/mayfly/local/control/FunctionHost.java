package dev.mayfly.local.control;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.functions.CloudEventsFunction;
import com.google.cloud.functions.HttpFunction;
import dev.mayfly.core.port.LedgerMeter;
import dev.mayfly.functions.ControlPlaneFunctions;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.CallFaultInjector;
import dev.mayfly.local.http.LoopbackServer;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestHandler;
import dev.mayfly.local.http.Route;
import dev.mayfly.wire.Wire;
import io.cloudevents.CloudEvent;
import io.cloudevents.core.builder.CloudEventBuilder;
import io.cloudevents.rw.CloudEventRWException;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Serves a deployment's entry points on loopback, like Cloud Run and Eventarc: HTTP functions under
 * their own paths, and CloudEvents in binary mode at {@code /functions/TOPIC}.
 */
public final class FunctionHost {
  private static final Logger LOG = LoggerFactory.getLogger(FunctionHost.class);

  private FunctionHost() {}

  /**
   * @param identityTokenFilter guards the function {@code workers}
   * @param meter counts the ledger's operations since the start of this process: {@code GET
   *     /ledger/operations}
   * @param accessGuard guards all calls; agents send an identity token, which the filter checks
   */
  static LoopbackServer start(
      int port,
      ControlPlaneFunctions controlPlaneFunctions,
      IdentityTokenFilter identityTokenFilter,
      Supplier<Object> meter,
      AccessGuard accessGuard)
      throws IOException {
    var routes = routes(controlPlaneFunctions, identityTokenFilter, meter);
    return LoopbackServer.start(port, routes, CallFaultInjector.NONE, accessGuard);
  }

  /** What is served at the port. */
  public static List<Route> routes(
      ControlPlaneFunctions controlPlaneFunctions,
      IdentityTokenFilter identityTokenFilter,
      Supplier<Object> meter) {
    var api = controlPlaneFunctions.api();
    return List.of(
        http(
            "/workers/",
            AccessLevel.PUBLIC,
            identityTokenFilter.protect(controlPlaneFunctions.workers())),
        http(
            "/api/",
            AccessLevel.IDENTITY,
            (request, response) ->
                LedgerMeter.looking(() -> {
                  api.service(request, response);
                  return true;
                })),
        events(PubSubTopics.JOBS, controlPlaneFunctions.jobs()),
        events(PubSubTopics.CLUSTERS, controlPlaneFunctions.clusters()),
        events(
            PubSubTopics.TICKS, controlPlaneFunctions.autoscale(), controlPlaneFunctions.cleanup()),
        events(PubSubTopics.VM_EVENTS, controlPlaneFunctions.vmEvents()),
        events(PubSubTopics.NOTIFICATIONS, controlPlaneFunctions.notifications()),
        route(
            "/ledger/operations",
            AccessLevel.OWNER,
            restCall -> restCall.answerJson(200, json(meter.get()))));
  }

  private static String json(Object value) {
    return new String(Wire.shared().json(value), UTF_8);
  }

  private static Route route(String path, AccessLevel accessLevel, RestHandler handler) {
    return new Route(path, handler, accessLevel, ApiError.Shape.FUNCTION);
  }

  public static Route http(String path, AccessLevel accessLevel, HttpFunction function) {
    return route(
        path,
        accessLevel,
        restCall -> {
          var response = new HostedResponse(restCall);
          answer(restCall, response, () -> function.service(new HostedRequest(restCall), response));
        });
  }

  private static Route events(String topic, CloudEventsFunction... functions) {
    return route(
        "/functions/" + topic,
        AccessLevel.OWNER,
        restCall -> {
          var response = new HostedResponse(restCall);
          answer(
              restCall,
              response,
              () -> {
                var event = event(restCall);
                for (var function : functions) function.accept(event);
                response.setStatusCode(204);
              });
        });
  }

  /** Reads a CloudEvent in binary mode: its attributes are headers. */
  private static CloudEvent event(RestCall restCall) throws IOException {
    var body = restCall.body().readAllBytes();
    try {
      return CloudEventBuilder.v1()
          .withId(restCall.header("ce-id").orElse("null"))
          .withSource(URI.create(restCall.header("ce-source").orElse("null")))
          .withType(restCall.header("ce-type").orElse("null"))
          .withData("application/json", body)
          .build();
    } catch (IllegalArgumentException | IllegalStateException | CloudEventRWException e) {
      throw ApiError.invalid("The headers make no event: " + e.getMessage(), e);
    }
  }

  /** The body of a function. */
  private interface Work {
    void run() throws Exception;
  }

  /** An exception is a 500, as in the Functions Framework, so the event is delivered again. */
  private static void answer(RestCall restCall, HostedResponse response, Work work) {
    try {
      try {
        work.run();
      } catch (ApiError refusal) {
        throw refusal;
      } catch (Exception failure) {
        LOG.debug("{} failed", restCall.uri(), failure);
        response.setStatusCode(500);
      }
      response.send();
    } catch (IOException gone) {
      LOG.debug("the caller of {} went away", restCall.uri());
    }
  }
}

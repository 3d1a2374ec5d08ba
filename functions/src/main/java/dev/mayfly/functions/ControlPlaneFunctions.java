package dev.mayfly.functions;

import com.google.cloud.functions.CloudEventsFunction;
import com.google.cloud.functions.HttpFunction;
import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.state.Context;
import dev.mayfly.core.sync.LivenessWatch;
import dev.mayfly.functions.handler.AllowedAccounts;
import dev.mayfly.functions.handler.ApiHandler;
import dev.mayfly.functions.handler.CallerAuthenticator;
import dev.mayfly.functions.handler.MessageHandler;
import dev.mayfly.functions.handler.NotificationHandler;
import dev.mayfly.functions.handler.TickHandler;
import dev.mayfly.functions.handler.VmEventHandler;
import dev.mayfly.functions.handler.WorkersHandler;
import dev.mayfly.functions.webhook.WebhookAccess;
import dev.mayfly.functions.webhook.WebhookDelivery;
import java.util.Optional;

/**
 * All of Mayfly's entry points, created from the context, on Google Cloud and on a laptop alike.
 *
 * <p>One instance of this class serves one function instance; no state in it must outlive the
 * process.
 */
public final class ControlPlaneFunctions implements AutoCloseable {
  private final ControlPlane controlPlane;
  private final CloudEventsFunction jobs;
  private final CloudEventsFunction clusters;
  private final CloudEventsFunction autoscale;
  private final CloudEventsFunction cleanup;
  private final CloudEventsFunction vmEvents;
  private final CloudEventsFunction notifications;
  private final HttpFunction workers;
  private final HttpFunction api;

  private ControlPlaneFunctions(
      ControlPlane controlPlane,
      Context context,
      CallerAuthenticator callerAuthenticator,
      WebhookAccess webhookAccess) {
    this.controlPlane = controlPlane;
    jobs = new MessageHandler(controlPlane, UserTopic.JOBS, context.clock());
    clusters = new MessageHandler(controlPlane, UserTopic.CLUSTERS, context.clock());
    autoscale = ticks(controlPlane, context, TickHandler.Role.AUTOSCALE);
    cleanup = ticks(controlPlane, context, TickHandler.Role.CLEANUP);
    vmEvents = new VmEventHandler(controlPlane, context.clock());
    // The ledger itself: nothing that it writes is told to anybody.
    notifications =
        new NotificationHandler(
            new WebhookDelivery(context.ledger(), webhookAccess, context.clock()), context.clock());
    workers = new WorkersHandler(controlPlane.syncService(), callerAuthenticator);
    api = new ApiHandler(controlPlane.statusQueries(), controlPlane::cleanupPlan, context.clock());
  }

  private static TickHandler ticks(
      ControlPlane controlPlane, Context context, TickHandler.Role role) {
    return new TickHandler(controlPlane, role, context.executor(), context.clock());
  }

  /**
   * @param instance a name that no other instance has or had in the last minutes
   * @param workersUrl where agents sync, without {@code /v1/sync}
   */
  public static ControlPlaneFunctions of(Context context, String instance, String workersUrl) {
    var control = new ControlPlane(context, instance, workersUrl);
    return new ControlPlaneFunctions(
        control, context, CallerAuthenticator.disabled(), WebhookAccess.NONE);
  }

  /**
   * As above, but each agent's call must prove its machine by an identity token for {@code
   * workersUrl}. Only the token's claims are read: the platform must verify its signature.
   *
   * @param webhookAccess for the function that calls webhooks
   */
  public static ControlPlaneFunctions withIdentity(
      Context context,
      String instance,
      String workersUrl,
      AllowedAccounts allowedAccounts,
      WebhookAccess webhookAccess) {
    var control = new ControlPlane(context, instance, workersUrl);
    var callerAuthenticator =
        CallerAuthenticator.required(workersUrl, allowedAccounts, context.clock());
    return new ControlPlaneFunctions(control, context, callerAuthenticator, webhookAccess);
  }

  /** As above, for one of several processes that are suspended between calls. */
  static ControlPlaneFunctions of(
      Context context,
      String instance,
      String workersUrl,
      LivenessWatch livenessWatch,
      CallerAuthenticator callerAuthenticator,
      WebhookAccess webhookAccess) {
    var control = new ControlPlane(context, instance, workersUrl, Optional.of(livenessWatch));
    return new ControlPlaneFunctions(control, context, callerAuthenticator, webhookAccess);
  }

  /** Topic {@code mayfly-jobs}: commands about jobs, and triggers to continue one. */
  public CloudEventsFunction jobs() {
    return jobs;
  }

  /** Topic {@code mayfly-clusters}. */
  public CloudEventsFunction clusters() {
    return clusters;
  }

  /** Topic {@code mayfly-ticks}: reconciles clusters. */
  public CloudEventsFunction autoscale() {
    return autoscale;
  }

  /** Topic {@code mayfly-ticks}: collects orphans. */
  public CloudEventsFunction cleanup() {
    return cleanup;
  }

  /** Topic {@code mayfly-vm-events}: the audit log's entries about machines. */
  public CloudEventsFunction vmEvents() {
    return vmEvents;
  }

  /** Topic {@code mayfly-notifications}: calls webhooks. */
  public CloudEventsFunction notifications() {
    return notifications;
  }

  /** HTTP: {@code POST /v1/sync}. */
  public HttpFunction workers() {
    return workers;
  }

  /** HTTP: status queries of users and the CLI. */
  public HttpFunction api() {
    return api;
  }

  @Override
  public void close() {
    controlPlane.close();
  }
}

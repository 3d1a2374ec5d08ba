package dev.mayfly.functions;

import dev.mayfly.core.model.Timings;
import dev.mayfly.core.port.Fleet;
import dev.mayfly.core.port.TickScheduler;
import dev.mayfly.core.state.Context;
import dev.mayfly.functions.handler.CallerAuthenticator;
import dev.mayfly.functions.os.LogFormatter;
import dev.mayfly.functions.os.ProcessPorts;
import dev.mayfly.functions.webhook.WebhookAccess;
import dev.mayfly.functions.webhook.WebhookReach;
import dev.mayfly.gcp.StartupScript;
import dev.mayfly.gcp.SubmitterMetadata;
import dev.mayfly.gcp.compute.ComputeEngine;
import dev.mayfly.gcp.compute.ComputeSettings;
import dev.mayfly.gcp.firestore.FirestoreDatabase;
import dev.mayfly.gcp.firestore.FirestoreSettings;
import dev.mayfly.gcp.fleet.GoogleFleet;
import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.scheduler.CloudScheduler;
import dev.mayfly.gcp.tpu.CloudTpu;
import dev.mayfly.gcp.tpu.TpuSettings;
import dev.mayfly.gcs.AccessTokenSupplier;
import dev.mayfly.gcs.ObjectStores;
import dev.mayfly.gcs.StoreSettings;
import dev.mayfly.gcs.secrets.CloudSecrets;
import dev.mayfly.wire.Wire;
import java.net.URI;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/**
 * Wires the control plane of a function on Google Cloud from its settings. Clients connect at first
 * use, so that an instance pays only for what its function needs.
 */
final class FunctionWiring {
  private static final Duration LONGEST_WATCH = Duration.ofSeconds(58);

  private FunctionWiring() {}

  /** The Cloud Scheduler job that ticks. */
  static final String TICK_JOB = "mayfly-autoscale";

  /** Created when the first function of the process is loaded. */
  private static final class Shared {
    static final ControlPlaneFunctions DEPLOYMENT;

    static {
      LogFormatter.install();
      DEPLOYMENT = deployment(FunctionSettings.from(System.getenv()));
    }
  }

  /** The one instance of this process. */
  static ControlPlaneFunctions shared() {
    return Shared.DEPLOYMENT;
  }

  static ControlPlaneFunctions deployment(FunctionSettings functionSettings) {
    var clock = InstantSource.system();
    var idGenerator = ProcessPorts.ids();
    var pubSub =
        new PubSub(
            new PubSubSettings(functionSettings.project(), functionSettings.overrides().pubsub()));
    var webhookAccess = webhooks(functionSettings);
    var context =
        new Context(
            FirestoreDatabase.open(firestore(functionSettings)).ledger(),
            pubSub.bus(),
            pubSub.notifications(),
            fleet(functionSettings),
            ObjectStores.withoutFiles(store(functionSettings)),
            Wire.codec(webhookAccess::check),
            ProcessPorts.executorDuringCalls(clock),
            schedule(functionSettings),
            idGenerator,
            clock,
            Timings.DEFAULT);
    var callerAuthenticator =
        functionSettings.identity()
            ? CallerAuthenticator.required(
                functionSettings.workersUrl(), functionSettings.accounts(), clock)
            : CallerAuthenticator.disabled();
    var token =
        functionSettings.identity()
            ? Optional.of(IdentityTokenSource.ofEnvironment())
            : Optional.<IdentityTokenSource>empty();
    var livenessWatch =
        new HttpLivenessWatch(functionSettings.workersUrl(), span(functionSettings.tick()), token);
    return ControlPlaneFunctions.of(
        context,
        "f-" + idGenerator.next(8),
        functionSettings.workersUrl(),
        livenessWatch,
        callerAuthenticator,
        webhookAccess);
  }

  /** The simulated cloud serves secrets too, at the endpoint of its objects. */
  private static WebhookAccess webhooks(FunctionSettings functionSettings) {
    var overrides = functionSettings.overrides();
    var tokens =
        overrides
            .storage()
            .map(_ -> (Supplier<String>) () -> overrides.token().orElse(""))
            .orElseGet(AccessTokenSupplier::new);
    var secrets =
        CloudSecrets.reader(
            overrides.storage().orElse(CloudSecrets.ENDPOINT), functionSettings::project, tokens);
    var reach =
        overrides.storage().isPresent()
            ? WebhookReach.THIS_COMPUTER
            : functionSettings.webhookReach();
    return new WebhookAccess(secrets, reach);
  }

  /** A little less than the tick's interval, so that one watch ends before the next. */
  static Duration span(Duration tick) {
    var span = tick.minusSeconds(2);
    if (span.isNegative()) return Duration.ZERO;
    return span.compareTo(LONGEST_WATCH) < 0 ? span : LONGEST_WATCH;
  }

  private static FirestoreSettings firestore(FunctionSettings functionSettings) {
    return new FirestoreSettings(
        functionSettings.project(),
        functionSettings.database(),
        functionSettings.overrides().firestore());
  }

  private static StoreSettings store(FunctionSettings functionSettings) {
    var others = functionSettings.overrides();
    return new StoreSettings(
        others.storage().map(URI::create),
        others.token().map(token -> () -> token),
        functionSettings.project());
  }

  /** Terraform creates the job. Without a region its location is unknown, and ticks never pause. */
  private static TickScheduler schedule(FunctionSettings functionSettings) {
    return functionSettings
        .region()
        .map(region ->
            "projects/" + functionSettings.project() + "/locations/" + region + "/jobs/" + TICK_JOB)
        .map(job ->
            CloudScheduler.schedule(
                job,
                functionSettings.overrides().standIn(functionSettings.overrides().scheduler())))
        .orElseGet(TickScheduler::always);
  }

  private static Fleet fleet(FunctionSettings functionSettings) {
    var plain = ComputeSettings.of(functionSettings.project());
    var compute =
        new ComputeSettings(
            functionSettings.project(),
            functionSettings.overrides().standIn(functionSettings.overrides().compute()),
            plain.image(),
            plain.diskGb(),
            functionSettings.network(),
            functionSettings.subnetwork(),
            functionSettings.agentAccount(),
            metadata(functionSettings));
    var tpu =
        new TpuSettings(
            functionSettings.project(),
            functionSettings.overrides().standIn(functionSettings.overrides().tpu()),
            Optional.empty(),
            Optional.of(functionSettings.network()),
            functionSettings.subnetwork(),
            functionSettings.agentAccount(),
            metadata(functionSettings));
    return GoogleFleet.of(ComputeEngine.fleet(compute), CloudTpu.fleet(tpu));
  }

  /** Metadata of all machines, besides the control plane's own items for each. */
  private static Map<String, String> metadata(FunctionSettings functionSettings) {
    var items = new HashMap<String, String>();
    items.put("mayfly-project", functionSettings.project());
    items.put("mayfly-identity", Boolean.toString(functionSettings.identity()));
    functionSettings
        .submitter()
        .ifPresent(it ->
            items.putAll(
                SubmitterMetadata.of(
                    it.account(),
                    it.apiUrl(),
                    functionSettings.region(),
                    functionSettings.overrides().pubsub().map(host -> "http://" + host))));
    functionSettings
        .bundle()
        .ifPresent(bundle -> items.putAll(StartupScript.items(bundle.url(), bundle.sha256())));
    return items;
  }
}

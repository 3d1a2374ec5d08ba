package dev.mayfly.emulators;

import dev.mayfly.gcp.pubsub.PubSub;
import dev.mayfly.gcp.pubsub.PubSubSettings;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.local.access.AccessGuard;
import dev.mayfly.local.access.LocalAccounts;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.control.ControlSettings;
import dev.mayfly.local.control.IdentityTokenFilter;
import dev.mayfly.local.control.TickPublisher;
import dev.mayfly.local.os.FreePort;
import dev.mayfly.local.os.ServerProcess;
import java.io.IOException;
import java.net.http.HttpClient;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The laptop's control plane as on Google Cloud: both emulators, separate processes for each
 * function, and the parts of Cloud Run, Eventarc and Cloud Scheduler between them. All of it ends
 * with this process, including the state. Settings: {@link ControlSettings}. Exit code 78 means
 * invalid settings.
 */
public final class EmulatorsMain {
  private static final Logger LOG = LoggerFactory.getLogger(EmulatorsMain.class);

  /** One function: its class, its topic unless it serves HTTP, and its number of instances. */
  private record Function(String name, String target, Optional<String> topic, int instances) {}

  private static final List<Function> FUNCTIONS =
      List.of(
          new Function("jobs", "JobsFunction", Optional.of(PubSubTopics.JOBS), 1),
          new Function("clusters", "ClustersFunction", Optional.of(PubSubTopics.CLUSTERS), 1),
          new Function("autoscale", "AutoscaleFunction", Optional.of(PubSubTopics.TICKS), 1),
          new Function("cleanup", "CleanupFunction", Optional.of(PubSubTopics.TICKS), 1),
          new Function("vm-events", "VmEventsFunction", Optional.of(PubSubTopics.VM_EVENTS), 1),
          new Function(
              "notifications", "NotificationsFunction", Optional.of(PubSubTopics.NOTIFICATIONS), 1),
          new Function("workers", "WorkersFunction", Optional.empty(), 3),
          new Function("api", "ApiFunction", Optional.empty(), 1));

  private EmulatorsMain() {}

  public static void main(String[] arguments) throws InterruptedException {
    ServerProcess.run("the control plane", () -> start(ControlSettings.from(System.getenv())));
  }

  private static void start(ControlSettings settings) throws IOException, InterruptedException {
    var sdk =
        GoogleSdk.find(System.getenv())
            .orElseThrow(
                () -> new IOException("Google's emulators are missing; " + GoogleSdk.REMEDY));
    var logs = settings.home().resolve("logs");
    var pubsubPort = settings.port() + 1;
    var firestorePort = settings.port() + 2;
    var pubsub =
        EmulatorProcess.start(
            sdk, EmulatorProcess.Kind.PUBSUB, pubsubPort, logs.resolve("pubsub.log"));
    var firestore =
        EmulatorProcess.start(
            sdk, EmulatorProcess.Kind.FIRESTORE, firestorePort, logs.resolve("firestore.log"));
    for (var emulatorProcess : List.of(pubsub, firestore)) {
      var _ = emulatorProcess.process().onExit().thenRun(() -> ended(emulatorProcess));
    }
    var proxies = List.of(DroppingProxy.start(firestorePort), DroppingProxy.start(pubsubPort));
    var owner = OwnerToken.read(settings.home());
    var env = environment(settings, owner, proxies.get(0).host(), proxies.get(1).host());
    var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();
    var functions = new HashMap<String, FunctionInstances>();
    for (var function : FUNCTIONS) functions.put(function.name(), run(function, client, env, logs));
    new FunctionWarmUp().await(functions.values(), Objects.requireNonNull(functions.get("api")));
    deliver(new PubSubRestClient(pubsub.host(), settings.project()), functions);
    var account = LocalAccounts.functions(settings.project());
    var identityTokenFilter = new IdentityTokenFilter(settings.cloud(), owner.text());
    var _ =
        new CloudRunFrontend(
                functions,
                proxies,
                account,
                identityTokenFilter::denialStatus,
                InstantSource.system())
            .start(
                settings.port(),
                AccessGuard.of(
                    owner,
                    header ->
                        identityTokenFilter.denialStatus(
                            header,
                            LocalAccounts.taskSubmitter(settings.project()),
                            "http://127.0.0.1:" + settings.port() + "/api",
                            InstantSource.system().instant())));
    var triggerBus =
        new PubSub(new PubSubSettings(settings.project(), Optional.of(pubsub.host()))).bus();
    new TickPublisher(triggerBus, settings.tick()).start();
    LOG.info("the control plane serves http://127.0.0.1:{}", settings.port());
  }

  private static FunctionInstances run(
      Function function, HttpClient client, Map<String, String> env, Path logs) throws IOException {
    var processes = new ArrayList<FunctionProcess>();
    for (var i = 1; i <= function.instances(); i++) {
      var name = function.instances() == 1 ? function.name() : function.name() + "-" + i;
      var target = "dev.mayfly.functions." + function.target();
      var process = new FunctionProcess(name, target, FreePort.find(), env, logs);
      process.start();
      processes.add(process);
    }
    return new FunctionInstances(client, processes);
  }

  private static void deliver(
      PubSubRestClient pubSubRestClient, Map<String, FunctionInstances> functions)
      throws IOException, InterruptedException {
    pubSubRestClient.makeTopics();
    for (var function : FUNCTIONS) {
      if (function.topic().isEmpty()) continue;
      var functionInstances = functions.get(function.name());
      if (functionInstances != null)
        new EventarcDelivery(
                pubSubRestClient,
                "mayfly-" + function.name(),
                function.topic().get(),
                functionInstances)
            .start();
    }
  }

  private static Map<String, String> environment(
      ControlSettings settings, OwnerToken owner, String firestore, String pubsub)
      throws IOException {
    var frontend = "127.0.0.1:" + settings.port();
    var allowedAccounts = LocalAccounts.of(settings.project());
    var grpc = Files.readString(settings.home().resolve("cloud/grpc-endpoint"));
    return Map.ofEntries(
        Map.entry("GOOGLE_CLOUD_PROJECT", settings.project()),
        Map.entry("MAYFLY_WORKERS_URL", "http://" + frontend + "/workers"),
        Map.entry("MAYFLY_AGENT_ACCOUNT", allowedAccounts.agent()),
        Map.entry("MAYFLY_AUTOSCALE_ACCOUNT", allowedAccounts.autoscale()),
        Map.entry("MAYFLY_STATIC_ACCOUNTS", String.join(",", allowedAccounts.own())),
        Map.entry("MAYFLY_SUBMITTER_ACCOUNT", LocalAccounts.taskSubmitter(settings.project())),
        Map.entry("MAYFLY_API_URL", "http://" + frontend + "/api"),
        Map.entry("MAYFLY_TICK_SECONDS", Long.toString(settings.tick().toSeconds())),
        Map.entry("FIRESTORE_EMULATOR_HOST", firestore),
        Map.entry("PUBSUB_EMULATOR_HOST", pubsub),
        Map.entry("MAYFLY_COMPUTE_ENDPOINT", settings.cloud()),
        Map.entry("MAYFLY_TPU_ENDPOINT", grpc.strip()),
        Map.entry("MAYFLY_STORAGE_ENDPOINT", settings.cloud()),
        Map.entry("MAYFLY_ENDPOINT_TOKEN", owner.text()),
        Map.entry("GCE_METADATA_HOST", frontend));
  }

  /** Ends this process, which is useless without its state or its messages. */
  private static void ended(EmulatorProcess emulatorProcess) {
    LOG.error("the emulator at {} ended; its data is lost", emulatorProcess.host());
    Runtime.getRuntime().halt(1);
  }
}

package dev.mayfly.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.cli.client.GoogleApis;
import dev.mayfly.cli.client.HttpTransport;
import dev.mayfly.core.model.cluster.ClusterSpec;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Collectors;

/** The parts of Google's APIs that doctor uses, over HTTP on loopback, for a healthy project. */
final class FakeGoogleApis implements AutoCloseable {
  static final String PROJECT = "lab-batch";

  /** As Google words it for a login without a quota project: the API is off in gcloud's own. */
  private static final String QUOTA =
      """
      {"error": {"code": 403, "message": "Your application is authenticating by using local Application Default Credentials. The API requires a quota project, which is not set by default.",
        "details": [{"@type": "type.googleapis.com/google.rpc.ErrorInfo", "reason": "SERVICE_DISABLED", "metadata": {"consumer": "projects/764086051850"}}]}}
      """;

  private final HttpServer server;

  /** The answers by path without query; other paths get 404. */
  final Map<String, String> answers = new LinkedHashMap<>();

  /** What was asked, by path without its query. */
  final Map<String, String> asked = new ConcurrentHashMap<>();

  /** The projects that calls were charged to, by path; empty for the login's own. */
  final Map<String, String> charged = new ConcurrentHashMap<>();

  /** Whether the login has no quota project, so that each call has to name one. */
  volatile boolean wantsQuotaProject;

  /** A status other than 200, by path. */
  final Map<String, Integer> statuses = new LinkedHashMap<>();

  /** The paths whose API is disabled. */
  private final Set<String> off = new HashSet<>();

  /** The paths for which the caller may not have the call charged to the project. */
  private final Set<String> denied = new HashSet<>();

  FakeGoogleApis() throws IOException {
    answers.put(projects("/cloudresourcemanager/v1", ""), active());
    answers.put(
        projects("/cloudresourcemanager/v1", ":testIamPermissions"),
        "{\"permissions\": [" + quoted(AccessCheck.DEPLOYER.keySet()) + "]}");
    enabled(AccessCheck.APIS);
    agents("roles/eventarc.serviceAgent");
    answers.put(
        projects("/compute/compute/v1", ""),
        """
        {"quotas": [
          {"metric": "CPUS_ALL_REGIONS", "limit": 600.0, "usage": 24.0},
          {"metric": "GPUS_ALL_REGIONS", "limit": 4.0, "usage": 0.0}]}
        """);
    answers.put(
        projects("/cloudscheduler/v1", "/locations"),
        "{\"locations\": [{\"locationId\": \"us-central1\"}, {\"locationId\": \"us-east1\"}]}");
    answers.put(
        projects("/compute/compute/v1", "/regions/us-central1"),
        """
        {"quotas": [
          {"metric": "CPUS", "limit": 500.0, "usage": 24.0, "owner": "x"},
          {"metric": "SSD_TOTAL_GB", "limit": 500.0, "usage": 350.0},
          {"metric": "NVIDIA_T4_GPUS", "limit": 4.0, "usage": 0.0},
          {"metric": "NVIDIA_A100_GPUS", "limit": 0.0, "usage": 0.0}]}
        """);
    answers.put(
        projects("/serviceusage/v1beta1", "/services/tpu.googleapis.com/consumerQuotaMetrics"),
        """
        {"metrics": [{"displayName": "TPUv4 spot cores", "consumerQuotaLimits": [{"quotaBuckets": [
          {"effectiveLimit": "0"},
          {"effectiveLimit": "128", "dimensions": {"zone": "us-central1-b"}},
          {"effectiveLimit": "64", "dimensions": {"zone": "us-west4-a"}}]}]}]}
        """);
    bucket("US-CENTRAL1", true);
    answers.put(
        projects("/firestore/v1", "/databases/mayfly"),
        "{\"type\": \"FIRESTORE_NATIVE\", \"deleteProtectionState\": \"DELETE_PROTECTION_ENABLED\"}");
    answers.put(sums(), "[{\"result\": {\"aggregateFields\": {}}}]");
    answers.put(
        projects("/cloudfunctions/v2", "/locations/-/functions"),
        DeploymentCheck.FUNCTIONS.stream()
            .map(f ->
                "{\"name\": \"projects/lab-batch/locations/us-central1/functions/mayfly-%s\", \"state\": \"ACTIVE\"}"
                    .formatted(f))
            .collect(Collectors.joining(", ", "{\"functions\": [", "]}")));
    schedule("mayfly-autoscale", "PAUSED");
    schedule("mayfly-cleanup", "ENABLED");
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
  }

  static String projects(String api, String rest) {
    return api + "/projects/" + PROJECT + rest;
  }

  static String sums() {
    return projects(
        "/firestore/v1",
        "/databases/mayfly/documents/clusters/doctor/jobs/none:runAggregationQuery");
  }

  static String active() {
    return "{\"projectNumber\": \"123\", \"lifecycleState\": \"ACTIVE\"}";
  }

  private static String quoted(Iterable<String> texts) {
    var all = new StringBuilder();
    texts.forEach(t -> all.append(all.isEmpty() ? "" : ", ").append('"').append(t).append('"'));
    return all.toString();
  }

  void enabled(Iterable<String> apis) {
    var services = new StringBuilder();
    for (var api : apis)
      services
          .append(services.isEmpty() ? "" : ", ")
          .append("{\"config\": {\"name\": \"")
          .append(api)
          .append("\"}}");
    answers.put(projects("/serviceusage/v1", "/services"), "{\"services\": [" + services + "]}");
  }

  /** Eventarc's own account, with a role or, where that is empty, not there. */
  void agents(String role) {
    answers.put(
        projects("/cloudresourcemanager/v1", ":getIamPolicy"),
        role.isEmpty()
            ? "{\"etag\": \"x\"}"
            : "{\"bindings\": [{\"role\": \"%s\", \"members\": [\"serviceAccount:service-123@gcp-sa-eventarc.iam.gserviceaccount.com\"]}]}"
                .formatted(role));
  }

  void bucket(String location, boolean uniform) {
    answers.put(
        "/storage/storage/v1/b/lab",
        """
        {"location": "%s", "iamConfiguration": {
          "uniformBucketLevelAccess": {"enabled": %s}, "publicAccessPrevention": "enforced"}}
        """
            .formatted(location, uniform));
  }

  void schedule(String name, String state) {
    answers.put(
        projects("/cloudscheduler/v1", "/locations/us-central1/jobs/" + name),
        "{\"state\": \"" + state + "\"}");
  }

  /** Refuses to charge the call to the project. */
  void denyQuotaProject(String path) {
    statuses.put(path, 403);
    denied.add(path);
  }

  /** Refuses like Compute Engine and newer APIs before they are enabled. */
  void off(String path) {
    statuses.put(path, 403);
    off.add(path);
  }

  String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  private void handle(HttpExchange call) throws IOException {
    try (call) {
      var path = call.getRequestURI().getPath();
      asked.put(path, new String(call.getRequestBody().readAllBytes(), UTF_8));
      var payer = call.getRequestHeaders().getFirst("x-goog-user-project");
      charged.put(path, payer == null ? "" : payer);
      var known = answers.get(path);
      var refused = wantsQuotaProject && payer == null;
      var status = refused ? 403 : statuses.getOrDefault(path, known == null ? 404 : 200);
      var text =
          refused
              ? QUOTA
              : status == 200
                  ? known
                  : "{\"error\": {\"code\": %d, \"message\": \"no %s\"%s}}"
                      .formatted(status, path, reasons(path));
      var body = text.getBytes(UTF_8);
      call.sendResponseHeaders(status, body.length);
      call.getResponseBody().write(body);
    }
  }

  private String reasons(String path) {
    if (denied.contains(path))
      return ", \"details\": [{\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", \"reason\": \"USER_PROJECT_DENIED\"}]";
    if (!off.contains(path)) return "";
    return path.startsWith("/compute/")
        ? ", \"errors\": [{\"domain\": \"usageLimits\", \"reason\": \"accessNotConfigured\"}]"
        : ", \"details\": [{\"@type\": \"type.googleapis.com/google.rpc.Help\"}, {\"@type\": \"type.googleapis.com/google.rpc.ErrorInfo\", \"reason\": \"SERVICE_DISABLED\"}]";
  }

  /** What doctor finds here. */
  List<CheckResult> checks(ClusterSpec... clusters) {
    var apis =
        new GoogleApis(
            PROJECT,
            new HttpTransport(url -> Optional.empty()),
            Optional.of(url()),
            () -> "unused");
    return new ProjectChecks(
            apis, PROJECT, List.of("us-central1"), List.of("lab"), "mayfly", List.of(clusters))
        .checks();
  }

  static CheckResult find(List<CheckResult> checkResults, String about) {
    return checkResults.stream().filter(c -> c.about().equals(about)).findFirst().orElseThrow();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

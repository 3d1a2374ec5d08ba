package dev.mayfly.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.mayfly.core.model.document.EventRecord;
import dev.mayfly.core.model.document.RejectedMessage;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.port.Codec;
import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.core.query.JobExplanation;
import dev.mayfly.core.query.JobStatus;
import dev.mayfly.core.query.WorkerStatus;
import dev.mayfly.core.query.cost.ClusterCost;
import dev.mayfly.core.query.estimate.JobEstimate;
import dev.mayfly.core.query.task.TaskAdditionStatus;
import dev.mayfly.core.query.task.TaskPage;
import dev.mayfly.core.query.task.TaskStatus;
import dev.mayfly.core.text.TaskTemplate;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** A control plane with scripted answers, over HTTP on loopback. */
public final class FakeControlPlane implements AutoCloseable {
  private final HttpServer server;
  public final List<UserCommand> published = new CopyOnWriteArrayList<>();
  public final List<String> calls = new CopyOnWriteArrayList<>();
  public final Map<String, ClusterStatus> clusters = new HashMap<>();
  public final List<WorkerStatus> workers = new ArrayList<>();

  /** The answers to successive reads of a job, the last one repeated; by name and by uid. */
  final Map<String, Deque<JobStatus>> jobs = new LinkedHashMap<>();

  /** The answers to successive reads of a job's tasks, and single tasks by index. */
  public final Deque<TaskPage> pages = new ArrayDeque<>();

  /** The answers to successive questions why a job is in its state. */
  public final Deque<JobExplanation> explanations = new ArrayDeque<>();

  /** When jobs may be done; null from a control plane of before. */
  public @Nullable JobEstimate estimate;

  /** What the cluster costs; null from a control plane of before. */
  public @Nullable ClusterCost cost;

  public final Map<String, TaskStatus> tasks = new HashMap<>();

  public final List<EventRecord> eventRecords = new ArrayList<>();

  /** By their ids. */
  public final Map<String, TaskAdditionStatus> additions = new HashMap<>();

  final Map<String, RejectedMessage> rejectedMessages = new HashMap<>();

  /** Messages that were accepted, and uids of submissions that are or found a job. */
  private final Set<String> taken = new HashSet<>();

  /** The states of a submitted job; empty for a rejection. */
  public Function<UserCommand.SubmitJob, List<JobStatus>> onSubmit =
      job ->
          List.of(
              ViewFixtures.job(TaskTemplate.fillSubmission(job.spec(), ViewFixtures.NOW))
                  .uid(UserCommand.SubmitJob.uid(job.submission().orElseThrow()))
                  .view());

  /** Called with each command that is taken, and the id of its message. */
  public BiConsumer<UserCommand, String> onTaken = (command, message) -> {};

  public List<String> refusal = List.of();

  /** The locations of buckets elsewhere than the machines. */
  public final Map<String, String> locations = new HashMap<>();

  /** Called with each path before it is answered, by several threads at once. */
  public volatile Consumer<String> onCall = path -> {};

  /** Whether each request fails. */
  volatile boolean away;

  /** Topics to which nothing may be published, with the status that says so. */
  final Map<String, Integer> deniedTopics = new HashMap<>();

  /** Whether what is published is taken, and not answered. */
  volatile boolean losesReplies;

  /** The names of jobs to refuse. */
  Predicate<String> refuses = name -> false;

  public FakeControlPlane() throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/",
        exchange -> {
          onCall.accept(exchange.getRequestURI().toString());
          handle(exchange);
        });
    server.start();
  }

  public String url() {
    return "http://127.0.0.1:" + server.getAddress().getPort();
  }

  /** Announces the control plane to commands under this home. */
  public void announce(Path home) throws IOException {
    var u = url();
    var text =
        """
        {"project":"p","api":"%s/api","pubsub":"%s","storage":"%s","cloud":"%s","workers":"%s/w",
        "cloudPid":1,"controlPid":2,"supervisorPid":3,"later":true}\
        """
            .formatted(u, u, u, u, u);
    Files.writeString(home.resolve("local.json"), text);
  }

  public void add(JobStatus... looks) {
    for (var key : List.of(looks[0].name(), looks[0].uid()))
      jobs.put(key, new ArrayDeque<>(List.of(looks)));
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      var path = exchange.getRequestURI().toString();
      calls.add(exchange.getRequestMethod() + " " + path);
      var body = exchange.getRequestBody().readAllBytes();
      var denied = deniedTopics.get(path.replaceAll(".*/topics/|:publish", ""));
      if (denied != null) {
        exchange.sendResponseHeaders(denied, -1);
        return;
      }
      var answer = exchange.getRequestMethod().equals("POST") ? post(path, body) : get(path);
      if (losesReplies && path.endsWith(":publish")) return;
      var status = away ? 503 : answer.isEmpty() ? 404 : 200;
      var bytes = answer.orElse("{\"status\":404,\"error\":\"there is nothing\"}").getBytes(UTF_8);
      exchange.sendResponseHeaders(status, bytes.length);
      exchange.getResponseBody().write(bytes);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private Optional<String> post(String path, byte[] body) {
    if (!path.endsWith(":publish")) return Optional.of("{}");
    var text = new String(body, UTF_8);
    var from = text.indexOf("\"data\":\"") + 8;
    Codec codec = Wire.codec();
    var data = Base64.getDecoder().decode(text.substring(from, text.indexOf('"', from)));
    for (var userCommand : codec.commands(data)) {
      published.add(userCommand);
      if (userCommand instanceof UserCommand.DownCluster down) {
        clusters.remove(down.cluster());
        jobs.clear();
      }
      if (userCommand instanceof UserCommand.SubmitJob bad && refuses.test(bad.spec().name()))
        refusal = List.of("job bad: no object matches its inputs");
      else if (userCommand instanceof UserCommand.SubmitJob job
          && job.schedule().isEmpty()
          && refusal.isEmpty()) accept(job);
      if (refusal.isEmpty()) onTaken.accept(userCommand, "m" + published.size());
    }
    var id = "m" + published.size();
    if (refusal.isEmpty()) taken.add(id);
    if (!refusal.isEmpty())
      rejectedMessages.put(id, new RejectedMessage(id, ViewFixtures.NOW, "job x", refusal, ""));
    if (refusal.toString().contains("job bad")) refusal = List.of();
    return Optional.of("{\"messageIds\":[\"" + id + "\"]}");
  }

  private void accept(UserCommand.SubmitJob job) {
    var uid = UserCommand.SubmitJob.uid(job.submission().orElseThrow());
    var looks = onSubmit.apply(job);
    if (looks.getFirst().uid().equals(uid) || looks.getFirst().endedAt().isEmpty()) taken.add(uid);
    add(looks.toArray(JobStatus[]::new));
  }

  private Optional<String> get(String path) {
    var parts = path.replaceAll("\\?.*", "").split("/");
    if (parts[parts.length - 1].equals("storageLayout"))
      return Optional.of("{\"location\": \"%s\"}".formatted(locations.getOrDefault(parts[4], "Z")));
    if (path.startsWith("/api/v1/rejections/")) return json(rejectedMessages.get(parts[4]));
    return switch (parts.length) {
      case 4 -> json(List.copyOf(clusters.values()));
      case 5 -> json(clusters.get(parts[4]));
      case 6 -> json(ofCluster(path, parts[5]));
      case 7 -> json(look(parts[4], parts[6], path));
      case 8 -> json(ofJob(parts[7]));
      case 9 -> json(parts[7].equals("additions") ? additions.get(parts[8]) : tasks.get(parts[8]));
      default -> Optional.empty();
    };
  }

  private @Nullable Object ofJob(String kind) {
    return switch (kind) {
      case "explain" -> explanations.poll();
      case "estimate" -> estimate;
      default ->
          pages.isEmpty() && !jobs.isEmpty()
              ? new TaskPage(List.of(), Optional.empty())
              : pages.poll();
    };
  }

  private @Nullable Object ofCluster(String path, String kind) {
    return switch (kind) {
      case "workers" -> workers;
      case "cost" -> cost;
      case "events" ->
          eventRecords.stream()
              .filter(e -> !path.contains("about=") || path.contains(e.about().replace("/", "%2F")))
              .limit(Long.parseLong(path.replaceAll(".*limit=(\\d+).*", "$1")))
              .toList();
      default -> all();
    };
  }

  private List<JobStatus> all() {
    return jobs.values().stream().map(Deque::peek).distinct().toList();
  }

  private JobStatus look(String cluster, String job, String path) {
    var looks = jobs.get(job);
    if (looks == null || !looks.getFirst().cluster().equals(cluster)) return null;
    var owner = looks.getFirst().owner().orElse("");
    if (path.contains("owner=") && !path.endsWith("owner=" + owner)) return null;
    for (var asked : List.of("submission=", "message="))
      if (path.contains(asked) && !taken.contains(path.replaceAll(".*" + asked + "|&.*", "")))
        return null;
    return looks.size() == 1 ? looks.peek() : looks.poll();
  }

  private static Optional<String> json(Object value) {
    return Optional.ofNullable(value).map(v -> new String(Wire.shared().json(v), UTF_8));
  }

  @Override
  public void close() {
    server.stop(0);
  }
}

package dev.mayfly.local.cloud.pubsub;

import com.sun.net.httpserver.HttpHandler;
import dev.mayfly.gcp.pubsub.Topics;
import dev.mayfly.local.cloud.rest.Call;
import dev.mayfly.local.cloud.rest.Faults;
import dev.mayfly.local.cloud.rest.Refused;
import dev.mayfly.local.cloud.rest.Rest;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Serves Pub/Sub's publishing calls as {@code gcloud pubsub topics} sends them, and pushes Mayfly's
 * own topics to the control plane. A message that was acknowledged survives this process and is
 * delivered at least once.
 */
public final class PubSubSurface implements AutoCloseable {
  /**
   * They are there in every project, and pushed. Messages of other topics go to nobody, as without
   * a subscription.
   */
  public static final Set<String> TOPICS = Set.copyOf(Topics.ALL);

  private static final int CAP = 10 << 20;

  private final Path folder;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final PushTarget receiver;
  private final PushDials dials;
  private final Rest rest;
  private final AtomicLong lastId = new AtomicLong();
  private final Set<String> made = new ConcurrentSkipListSet<>();
  private final AtomicReference<Running> running = new AtomicReference<>();

  private record Running(Journal journal, Pusher pusher) {}

  /**
   * @param folder keeps the messages that nobody has taken yet
   * @param receiver of the messages of Mayfly's own topics
   * @param random spreads what is pushed again
   */
  public PubSubSurface(
      Path folder,
      InstantSource clock,
      RandomGenerator random,
      PushTarget receiver,
      PushDials dials,
      Faults faults) {
    this.folder = folder;
    this.clock = clock;
    this.random = random;
    this.receiver = receiver;
    this.dials = dials;
    rest = new Rest(faults, PubSubSurface::error);
  }

  /** By path prefix; calls before {@link #start} are refused for a moment (503). */
  public Map<String, HttpHandler> routes() {
    return Map.of("/v1/projects/", rest.handler(this::answer));
  }

  /** Opens the journal and goes on delivering what was not taken. */
  public void start() throws IOException {
    var journal = new Journal(folder.resolve("journal.jsonl"));
    var pusher = new Pusher(receiver, clock, random, journal::taken);
    for (var fact : journal.alive()) {
      if (fact.topic() != null) made.add(fact.topic());
      if (fact.message() != null) pusher.push(fact.message(), java.time.Duration.ZERO);
    }
    running.set(new Running(journal, pusher));
  }

  @Override
  public void close() throws IOException {
    var open = running.getAndSet(null);
    if (open == null) return;
    open.pusher().close();
    open.journal().close();
  }

  private void answer(Call call) throws IOException {
    var path = call.path();
    if (path.size() < 4 || path.size() > 5 || !path.get(3).equals("topics")) throw unknown(call);
    if (path.size() == 4) {
      if (!call.method().equals("GET")) throw unknown(call);
      list(call, path.get(2));
      return;
    }
    var last = path.get(4);
    var colon = last.indexOf(':');
    var topic =
        "projects/" + path.get(2) + "/topics/" + (colon < 0 ? last : last.substring(0, colon));
    switch (call.method() + (colon < 0 ? "" : last.substring(colon))) {
      case "POST:publish" -> publish(call, topic);
      case "GET" -> call.answer(200, Call.JSON.createObjectNode().put("name", known(topic)));
      case "PUT" -> create(call, topic);
      default -> throw unknown(call);
    }
  }

  private void publish(Call call, String topic) throws IOException {
    known(topic);
    var open = open();
    var messages = Submission.of(request(call)).stream().map(s -> message(topic, s)).toList();
    var pushed = TOPICS.contains(messages.getFirst().topicId());
    if (pushed) write(open, messages);
    var answer = Call.JSON.createObjectNode();
    var ids = answer.putArray("messageIds");
    messages.forEach(m -> ids.add(m.id()));
    if (pushed) messages.forEach(m -> deliver(open, m));
    call.answer(200, answer);
  }

  /**
   * A message of the cloud's own, such as a log sink's. Returns when it is on the disk.
   *
   * @param topic {@code projects/P/topics/T}
   */
  public void send(String topic, byte[] data, Map<String, String> attributes) throws IOException {
    var text = Base64.getEncoder().encodeToString(data);
    var message = message(known(topic), new Submission(text, attributes));
    var open = open();
    write(open, List.of(message));
    deliver(open, message);
  }

  private static tools.jackson.databind.node.ObjectNode request(Call call) throws IOException {
    try {
      return call.json(CAP);
    } catch (Refused e) {
      if (e.status() != 413) throw e;
      throw Refused.invalid("Request payload size exceeds the limit: " + CAP + " bytes.");
    }
  }

  private Published message(String topic, Submission submission) {
    var now = clock.instant();
    var micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    var id = lastId.updateAndGet(last -> Math.max(last + 1, micros));
    return new Published(Long.toString(id), topic, now, submission.data(), submission.attributes());
  }

  /** Returns when all of them are on the disk. */
  private static void write(Running open, List<Published> messages) throws IOException {
    var writes = new ArrayList<CompletableFuture<Void>>();
    for (var message : messages)
      writes.add(open.journal().add(new Journal.Fact(message, null, null)));
    try {
      CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      throw new IOException("the message could not be kept: " + e.getMessage(), e);
    }
  }

  private void deliver(Running open, Published message) {
    var delay = dials.delay(message.topicId());
    for (var copy = 0; copy < dials.copies(message.topicId()); copy++)
      open.pusher().push(message, delay);
  }

  private void create(Call call, String topic) throws IOException {
    var id = topic.substring(topic.lastIndexOf('/') + 1);
    if (!id.matches("[A-Za-z][-A-Za-z0-9_.~+%]{2,254}") || id.startsWith("goog"))
      throw Refused.invalid("Invalid [topics] name: (name=" + topic + ")");
    if (exists(topic))
      throw new Refused(
          409, "alreadyExists", "Resource already exists in the project (resource=" + id + ").");
    try {
      open().journal().add(new Journal.Fact(null, null, topic)).join();
    } catch (CompletionException e) {
      throw new IOException("the topic could not be kept: " + e.getMessage(), e);
    }
    made.add(topic);
    call.answer(200, Call.JSON.createObjectNode().put("name", topic));
  }

  private void list(Call call, String project) throws IOException {
    var prefix = "projects/" + project + "/topics/";
    var names = new java.util.TreeSet<String>();
    TOPICS.forEach(t -> names.add(prefix + t));
    made.stream().filter(t -> t.startsWith(prefix)).forEach(names::add);
    var answer = Call.JSON.createObjectNode();
    var topics = answer.putArray("topics");
    names.forEach(name -> topics.addObject().put("name", name));
    call.answer(200, answer);
  }

  private boolean exists(String topic) {
    return made.contains(topic) || TOPICS.contains(topic.substring(topic.lastIndexOf('/') + 1));
  }

  private String known(String topic) {
    if (exists(topic)) return topic;
    var id = topic.substring(topic.lastIndexOf('/') + 1);
    throw Refused.notFound("Resource not found (resource=" + id + ").");
  }

  private Running open() {
    var open = running.get();
    if (open == null) throw new Refused(503, "backendError", "Pub/Sub is not up yet");
    return open;
  }

  private static Refused unknown(Call call) {
    return Refused.notFound(
        "The laptop cloud does not serve " + call.method() + " /" + String.join("/", call.path()));
  }

  private static tools.jackson.databind.node.ObjectNode error(Refused refused) {
    var node = Call.JSON.createObjectNode();
    node.putObject("error")
        .put("code", refused.status())
        .put("message", refused.getMessage())
        .put("status", word(refused.status()));
    return node;
  }

  private static String word(int status) {
    return switch (status) {
      case 400 -> "INVALID_ARGUMENT";
      case 403 -> "PERMISSION_DENIED";
      case 404 -> "NOT_FOUND";
      case 409 -> "ALREADY_EXISTS";
      case 429 -> "RESOURCE_EXHAUSTED";
      default -> "UNAVAILABLE";
    };
  }
}

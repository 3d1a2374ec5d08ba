package dev.mayfly.local.pubsub;

import dev.mayfly.core.model.message.MessageTopic;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.local.access.AccessLevel;
import dev.mayfly.local.access.OwnerToken;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.Route;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentSkipListSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.random.RandomGenerator;

/**
 * Serves Pub/Sub's publishing calls as {@code gcloud pubsub topics} sends them, and pushes Mayfly's
 * own topics to the control plane. An accepted message survives this process and is delivered at
 * least once.
 */
public final class PubSubApi implements AutoCloseable {
  /**
   * The topics that exist in every project and are pushed, beside each person's own. Messages of
   * other topics are dropped, as without a subscription.
   */
  public static final Set<String> TOPICS = Set.copyOf(PubSubTopics.ALL);

  private static final int CAP = 10 << 20;

  private final Path folder;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final PushEndpoint receiver;
  private final PushFaults faults;
  private final Optional<OwnerToken> owner;
  private final AtomicLong lastId = new AtomicLong();
  private final Set<String> made = new ConcurrentSkipListSet<>();
  private final AtomicReference<Running> running = new AtomicReference<>();

  private record Running(MessageLog journal, MessagePusher pusher) {}

  /**
   * @param folder the folder of unacknowledged messages
   * @param receiver receiver of messages of Mayfly's own topics
   * @param random the source of jitter for retries
   * @param owner tells callers apart by their tokens; empty if all are the owner
   */
  public PubSubApi(
      Path folder,
      InstantSource clock,
      RandomGenerator random,
      PushEndpoint receiver,
      PushFaults faults,
      Optional<OwnerToken> owner) {
    this.owner = owner;
    this.folder = folder;
    this.clock = clock;
    this.random = random;
    this.receiver = receiver;
    this.faults = faults;
  }

  /** Calls before {@link #start} get 503. */
  public Route route() {
    return new Route("/v1/projects/", this::answer, AccessLevel.PUBLISHER, ApiError.Shape.STATUS);
  }

  /** Opens the log and resumes delivery of unacknowledged messages. */
  public void start() throws IOException {
    var messageLog = new MessageLog(folder.resolve("journal.jsonl"));
    var messagePusher = new MessagePusher(receiver, clock, random, messageLog::acknowledge);
    for (var logEntry : messageLog.alive()) {
      if (logEntry.topic() != null) made.add(logEntry.topic());
      if (logEntry.message() != null)
        messagePusher.push(logEntry.message(), java.time.Duration.ZERO);
    }
    running.set(new Running(messageLog, messagePusher));
  }

  @Override
  public void close() throws IOException {
    var open = running.getAndSet(null);
    if (open == null) return;
    open.pusher().close();
    open.journal().close();
  }

  private void answer(RestCall restCall) throws IOException {
    var path = restCall.path();
    var bearer = OwnerToken.bearer(restCall.header("Authorization").orElse(null));
    if (owner.isPresent()) TopicRights.of(owner.get(), bearer).check(path.getLast());
    if (path.size() < 4 || path.size() > 5 || !path.get(3).equals("topics"))
      throw restCall.unserved();
    if (path.size() == 4) {
      if (!restCall.method().equals("GET")) throw restCall.unserved();
      list(restCall, path.get(2));
      return;
    }
    var last = path.get(4);
    var colon = last.indexOf(':');
    var topic =
        "projects/" + path.get(2) + "/topics/" + (colon < 0 ? last : last.substring(0, colon));
    switch (restCall.method() + (colon < 0 ? "" : last.substring(colon))) {
      case "POST:publish" -> publish(restCall, topic);
      case "GET" ->
          restCall.answer(200, RestCall.JSON.createObjectNode().put("name", known(topic)));
      case "PUT" -> create(restCall, topic);
      default -> throw restCall.unserved();
    }
  }

  private void publish(RestCall restCall, String topic) throws IOException {
    known(topic);
    var open = open();
    var messages =
        IncomingMessage.of(request(restCall)).stream().map(s -> message(topic, s)).toList();
    var pushed = TOPICS.contains(messages.getFirst().functionTopic());
    if (pushed) write(open, messages);
    var answer = RestCall.JSON.createObjectNode();
    var ids = answer.putArray("messageIds");
    messages.forEach(m -> ids.add(m.id()));
    if (pushed) messages.forEach(m -> deliver(open, m));
    restCall.answer(200, answer);
  }

  /**
   * Publishes a message of the cloud itself, such as a log sink's. Returns when it is durable.
   *
   * @param topic {@code projects/P/topics/T}
   */
  public void send(String topic, byte[] data, Map<String, String> attributes) throws IOException {
    var text = Base64.getEncoder().encodeToString(data);
    var message = message(known(topic), new IncomingMessage(text, attributes));
    var open = open();
    write(open, List.of(message));
    deliver(open, message);
  }

  private static tools.jackson.databind.node.ObjectNode request(RestCall restCall)
      throws IOException {
    try {
      return restCall.json(CAP);
    } catch (ApiError e) {
      if (e.status() != 413) throw e;
      throw ApiError.invalid("Request payload size exceeds the limit: " + CAP + " bytes.");
    }
  }

  private PublishedMessage message(String topic, IncomingMessage incomingMessage) {
    var now = clock.instant();
    var micros = now.getEpochSecond() * 1_000_000 + now.getNano() / 1_000;
    var id = lastId.updateAndGet(last -> Math.max(last + 1, micros));
    return new PublishedMessage(
        Long.toString(id), topic, now, incomingMessage.data(), incomingMessage.attributes());
  }

  /** Returns when all messages are durable. */
  private static void write(Running open, List<PublishedMessage> messages) throws IOException {
    var writes = new ArrayList<CompletableFuture<Void>>();
    for (var message : messages)
      writes.add(open.journal().add(new MessageLog.LogEntry(message, null, null)));
    try {
      CompletableFuture.allOf(writes.toArray(CompletableFuture[]::new)).join();
    } catch (CompletionException e) {
      throw new IOException("the message could not be stored: " + e.getMessage(), e);
    }
  }

  private void deliver(Running open, PublishedMessage message) {
    var delay = faults.delay(message.topicId());
    for (var copy = 0; copy < faults.copies(message.topicId()); copy++)
      open.pusher().push(message, delay);
  }

  private void create(RestCall restCall, String topic) throws IOException {
    var id = topic.substring(topic.lastIndexOf('/') + 1);
    if (!id.matches("[A-Za-z][-A-Za-z0-9_.~+%]{2,254}") || id.startsWith("goog"))
      throw ApiError.invalid("Invalid [topics] name: (name=" + topic + ")");
    if (exists(topic))
      throw ApiError.exists("Resource already exists in the project (resource=" + id + ").");
    try {
      open().journal().add(new MessageLog.LogEntry(null, null, topic)).join();
    } catch (CompletionException e) {
      throw new IOException("the topic could not be stored: " + e.getMessage(), e);
    }
    made.add(topic);
    restCall.answer(200, RestCall.JSON.createObjectNode().put("name", topic));
  }

  private void list(RestCall restCall, String project) throws IOException {
    var prefix = "projects/" + project + "/topics/";
    var names = new java.util.TreeSet<String>();
    TOPICS.forEach(t -> names.add(prefix + t));
    made.stream().filter(t -> t.startsWith(prefix)).forEach(names::add);
    var answer = RestCall.JSON.createObjectNode();
    var topics = answer.putArray("topics");
    names.forEach(name -> topics.addObject().put("name", name));
    restCall.answer(200, answer);
  }

  private boolean exists(String topic) {
    var id = topic.substring(topic.lastIndexOf('/') + 1);
    return made.contains(topic) || TOPICS.contains(id) || MessageTopic.ofId(id).isPresent();
  }

  private String known(String topic) {
    if (exists(topic)) return topic;
    var id = topic.substring(topic.lastIndexOf('/') + 1);
    throw ApiError.notFound("Resource not found (resource=" + id + ").");
  }

  private Running open() {
    var open = running.get();
    if (open == null) throw ApiError.unavailable("Pub/Sub is not up yet");
    return open;
  }
}

package dev.mayfly.local.pubsub;

import dev.mayfly.local.http.RestCall;
import dev.mayfly.wire.proof.ProvenServers;
import java.io.IOException;
import java.net.ConnectException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;
import java.time.InstantSource;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.random.RandomGenerator;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Posts each message to the receiver as a binary CloudEvent, as Eventarc does, until it answers 2xx
 * or a day has passed.
 */
final class MessagePusher implements AutoCloseable {
  private static final Logger LOG = LoggerFactory.getLogger(MessagePusher.class);
  private static final Duration KEPT = Duration.ofHours(24);

  /** An event function may take nine minutes; Pub/Sub itself waits ten. */
  private static final Duration DEADLINE = Duration.ofMinutes(10);

  private static final long FIRST_PAUSE_MILLIS = 100;
  private static final long LONGEST_PAUSE_MILLIS = 10_000;

  /** A refused connection is cheap, so retry often and find a starting receiver soon. */
  private static final long LONGEST_PAUSE_UNHEARD_MILLIS = 1_000;

  private final PushEndpoint receiver;
  private final InstantSource clock;
  private final RandomGenerator random;
  private final Consumer<String> taken;
  private final Semaphore atOnce = new Semaphore(64);
  private final ScheduledExecutorService waiting =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().name("push-timer").daemon().factory());
  private final ExecutorService threads =
      Executors.newThreadPerTaskExecutor(Thread.ofVirtual().name("push-", 0).factory());
  private final HttpClient client =
      HttpClient.newBuilder()
          .version(HttpClient.Version.HTTP_1_1)
          .connectTimeout(Duration.ofSeconds(5))
          .build();

  /**
   * @param random is called by one thread at a time
   * @param taken receives the id of each message that is done
   */
  MessagePusher(
      PushEndpoint receiver, InstantSource clock, RandomGenerator random, Consumer<String> taken) {
    this.receiver = receiver;
    this.clock = clock;
    this.random = random;
    this.taken = taken;
  }

  void push(PublishedMessage message, Duration delay) {
    later(message, 1, delay.toMillis());
  }

  private void later(PublishedMessage message, int attempt, long pauseMillis) {
    try {
      if (pauseMillis == 0) threads.execute(() -> attempt(message, attempt));
      else {
        var unused =
            waiting.schedule(() -> later(message, attempt, 0), pauseMillis, TimeUnit.MILLISECONDS);
      }
    } catch (RejectedExecutionException e) {
      LOG.debug("{} is delivered at the next start", message.id());
    }
  }

  private void attempt(PublishedMessage message, int attempt) {
    if (message.publishTime().plus(KEPT).isBefore(clock.instant())) {
      LOG.warn(
          "message {} of {} was not accepted within {}; dropping it",
          message.id(),
          message.topic(),
          KEPT);
      taken.accept(message.id());
      return;
    }
    try {
      atOnce.acquire();
      try {
        post(message, attempt);
      } finally {
        atOnce.release();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void post(PublishedMessage message, int attempt) throws InterruptedException {
    try {
      ProvenServers.shared().connect(receiver.url().toString(), receiver.token().orElse(""));
      var status = client.send(request(message), BodyHandlers.discarding()).statusCode();
      if (status / 100 == 2) {
        taken.accept(message.id());
        return;
      }
      LOG.info(
          "message {} of {} got {}, attempt {}", message.id(), message.topic(), status, attempt);
      later(message, attempt + 1, pause(attempt, LONGEST_PAUSE_MILLIS));
    } catch (ConnectException e) {
      later(message, attempt + 1, pause(attempt, LONGEST_PAUSE_UNHEARD_MILLIS));
    } catch (IOException e) {
      LOG.info("message {} of {}: {}, attempt {}", message.id(), message.topic(), e, attempt);
      later(message, attempt + 1, pause(attempt, LONGEST_PAUSE_MILLIS));
    }
  }

  /** Doubles with jitter on one half, so that failed messages do not all return at once. */
  private synchronized long pause(int attempt, long longest) {
    var whole = Math.min(longest, FIRST_PAUSE_MILLIS << Math.min(attempt - 1, 10));
    return whole / 2 + random.nextLong(whole / 2 + 1);
  }

  private HttpRequest request(PublishedMessage message) {
    var request =
        HttpRequest.newBuilder(
            URI.create(receiver.url() + "/functions/" + message.functionTopic()));
    receiver.token().ifPresent(it -> request.header("Authorization", "Bearer " + it));
    return request
        .timeout(DEADLINE)
        .header("Content-Type", "application/json")
        .header("ce-id", message.id())
        .header("ce-source", "//pubsub.googleapis.com/" + message.topic())
        .header("ce-type", "google.cloud.pubsub.topic.v1.messagePublished")
        .header("ce-specversion", "1.0")
        .header("ce-time", message.publishTime().toString())
        .POST(BodyPublishers.ofByteArray(body(message)))
        .build();
  }

  private static byte[] body(PublishedMessage message) {
    var node = RestCall.JSON.createObjectNode();
    var inner = node.putObject("message");
    inner.put("data", message.data());
    inner.put("messageId", message.id());
    inner.put("publishTime", message.publishTime().toString());
    message.attributes().forEach(inner.putObject("attributes")::put);
    node.put("subscription", message.subscription());
    return RestCall.JSON.writeValueAsBytes(node);
  }

  /** Waits two seconds for answers; unanswered messages are delivered again at the next start. */
  @Override
  public void close() {
    waiting.shutdownNow();
    threads.shutdown();
    try {
      if (!threads.awaitTermination(2, TimeUnit.SECONDS)) threads.shutdownNow();
    } catch (InterruptedException e) {
      threads.shutdownNow();
      Thread.currentThread().interrupt();
    }
    client.shutdownNow();
  }
}

package dev.mayfly.local.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.notification.Notification;
import dev.mayfly.core.port.NotificationTopic;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.porttests.NotificationTopicContract;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class LocalNotificationTopicTest extends NotificationTopicContract {
  private final BlockingQueue<Told> published = new LinkedBlockingQueue<>();
  private TestServer cloud;
  private LocalNotificationTopic topic;

  @BeforeEach
  void start() throws IOException {
    cloud =
        new TestServer(
            Map.of("/v1/projects/demo/topics/mayfly-notifications:publish", this::publish));
    topic = new LocalNotificationTopic(new CloudPublisher(cloud.url(), "demo", "token"));
  }

  @AfterEach
  void stop() {
    cloud.close();
  }

  private void publish(HttpExchange exchange) throws IOException {
    try (exchange) {
      var message =
          JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes()).at("/messages/0");
      var data = Base64.getDecoder().decode(message.get("data").asString());
      var attributes = new TreeMap<String, String>();
      message
          .get("attributes")
          .properties()
          .forEach(a -> attributes.put(a.getKey(), a.getValue().asString()));
      published.add(new Told(Wire.shared().read(Notification.class, data), attributes));
      exchange.sendResponseHeaders(200, -1);
    }
  }

  @Override
  protected NotificationTopic topic() {
    return topic;
  }

  @Override
  protected Told next() throws InterruptedException {
    var next = published.poll(120, TimeUnit.SECONDS);
    assertThat(next).as("a notification within two minutes").isNotNull();
    return next;
  }

  @Test
  void unreachableCloudIsUnavailable() {
    cloud.close();

    assertThatThrownBy(() -> topic.publish(ended()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("cannot be reached");
  }
}

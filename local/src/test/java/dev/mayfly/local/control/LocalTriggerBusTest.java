package dev.mayfly.local.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.port.TriggerBus;
import dev.mayfly.local.http.TestServer;
import dev.mayfly.porttests.TriggerBusContract;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

class LocalTriggerBusTest extends TriggerBusContract {
  private final BlockingQueue<Trigger> published = new LinkedBlockingQueue<>();
  private TestServer cloud;
  private LocalTriggerBus bus;

  @BeforeEach
  void start() throws IOException {
    cloud = new TestServer(Map.of("/v1/projects/demo/topics/", this::publish));
    bus = new LocalTriggerBus(new CloudPublisher(cloud.url(), "demo", "token"));
  }

  @AfterEach
  void stop() {
    cloud.close();
  }

  private void publish(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
      var data = body.at("/messages/0/data").asString();
      published.add(Wire.shared().trigger(Base64.getDecoder().decode(data)));
      exchange.sendResponseHeaders(200, -1);
    }
  }

  @Override
  protected TriggerBus bus() {
    return bus;
  }

  @Override
  protected Trigger next() throws InterruptedException {
    var next = published.poll(120, TimeUnit.SECONDS);
    assertThat(next).as("a trigger within two minutes").isNotNull();
    return next;
  }

  @Test
  void unreachableCloudIsUnavailable() {
    cloud.close();

    assertThatThrownBy(() -> bus.send(new Trigger.Tick()))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("cannot be reached");
  }
}

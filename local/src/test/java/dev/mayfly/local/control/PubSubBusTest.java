package dev.mayfly.local.control;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpExchange;
import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.port.Bus;
import dev.mayfly.local.cloud.rest.TestServer;
import dev.mayfly.porttests.BusContract;
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

class PubSubBusTest extends BusContract {
  private final BlockingQueue<Hint> published = new LinkedBlockingQueue<>();
  private TestServer cloud;
  private PubSubBus bus;

  @BeforeEach
  void start() throws IOException {
    cloud = new TestServer(Map.of("/v1/projects/demo/topics/", this::publish));
    bus = new PubSubBus(cloud.url(), "demo", "token");
  }

  @AfterEach
  void stop() {
    cloud.close();
  }

  private void publish(HttpExchange exchange) throws IOException {
    try (exchange) {
      var body = JsonMapper.shared().readTree(exchange.getRequestBody().readAllBytes());
      var data = body.at("/messages/0/data").asString();
      published.add(Wire.shared().hint(Base64.getDecoder().decode(data)));
      exchange.sendResponseHeaders(200, -1);
    }
  }

  @Override
  protected Bus bus() {
    return bus;
  }

  @Override
  protected Hint next() throws InterruptedException {
    var next = published.poll(120, TimeUnit.SECONDS);
    assertThat(next).as("a hint within two minutes").isNotNull();
    return next;
  }

  @Test
  void aCloudThatIsAwayIsUnavailableAndNoBug() {
    cloud.close();

    assertThatThrownBy(() -> bus.send(new Hint.Tick()))
        .isInstanceOf(Unavailable.class)
        .hasMessageContaining("can't be reached");
  }
}

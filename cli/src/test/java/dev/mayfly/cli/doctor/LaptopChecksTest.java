package dev.mayfly.cli.doctor;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import dev.mayfly.cli.client.DeploymentEndpoints;
import dev.mayfly.cli.client.HttpTransport;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LaptopChecksTest {
  @TempDir Path home;

  @Test
  void damagedLedgerIsWrongAndHasItsRemedy() throws IOException {
    var server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext(
        "/",
        exchange -> {
          var reply = "{\"error\": \"the ledger is damaged: delete the folder x\"}".getBytes(UTF_8);
          exchange.sendResponseHeaders(503, reply.length);
          exchange.getResponseBody().write(reply);
          exchange.close();
        });
    server.start();
    try {
      var url = "http://127.0.0.1:" + server.getAddress().getPort();
      Files.writeString(
          DeploymentEndpoints.file(home),
          """
          {"project": "p", "api": "%1$s/api", "pubsub": "%1$s", "storage": "%1$s", "cloud": "%1$s",
           "workers": "%1$s", "cloudPid": 1, "controlPid": 1, "supervisorPid": 1}
          """
              .formatted(url));

      var findings =
          new LaptopChecks(Map.of(), home, new HttpTransport(any -> Optional.empty())).findings();

      assertThat(findings)
          .filteredOn(f -> f.about().equals("laptop cloud"))
          .singleElement()
          .satisfies(f -> {
            assertThat(f.verdict()).isEqualTo(LaptopChecks.Verdict.WRONG);
            assertThat(f.text()).contains("delete the folder x");
          });
    } finally {
      server.stop(0);
    }
  }
}

package dev.mayfly.agent.machine;

import static java.util.concurrent.TimeUnit.SECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.mayfly.core.error.UnavailableException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
final class MetadataClientTest {
  private FakeMetadataServer server;
  private MetadataClient metadataClient;

  @BeforeEach
  void start() throws IOException {
    server = new FakeMetadataServer();
    metadataClient = new MetadataClient(server.host(), Duration.ofSeconds(20), "");
  }

  @AfterEach
  void stop() {
    server.close();
  }

  @Test
  void readsValuesAndAttributes() {
    server.set("instance/id", "4711");
    server.set("instance/attributes/mayfly-worker", "w-1");

    assertThat(metadataClient.find("instance/id")).contains("4711");
    assertThat(metadataClient.attribute("mayfly-worker")).contains("w-1");
  }

  @Test
  void missingValueIsEmpty() {
    assertThat(metadataClient.attribute("unknown")).isEmpty();
  }

  @Test
  void retriesFailingServer() {
    server.set("instance/id", "4711");
    server.failNext(3);

    assertThat(metadataClient.find("instance/id")).contains("4711");
  }

  @Test
  void failingServerIsUnavailableNotAbsent() {
    server.failNext(1_000);
    var impatient = new MetadataClient(server.host(), Duration.ofMillis(250), "");

    assertThatThrownBy(() -> impatient.find("instance/id"))
        .isInstanceOf(UnavailableException.class)
        .hasMessageContaining("instance/id")
        .hasMessageContaining("503");
  }

  @Test
  void identityTokenNamesItsAudience() {
    server.set("instance/service-accounts/default/identity", "token");

    assertThat(metadataClient.identityToken("https://workers.example/"))
        .isEqualTo("token?format=full&audience=https://workers.example/");
  }

  @Test
  void noticeIsReportedOnce() throws Exception {
    server.set("instance/preempted", "FALSE");
    var noticed = new CountDownLatch(1);
    var watch =
        Thread.ofVirtual()
            .start(
                new PreemptionWatch(
                    metadataClient, PreemptionWatch.Notice.PREEMPTED, noticed::countDown));

    assertThat(noticed.getCount()).isEqualTo(1);
    server.set("instance/preempted", "TRUE");

    assertThat(noticed.await(30, SECONDS)).isTrue();
    assertThat(watch.join(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void noticeSurvivesFailingServer() throws Exception {
    server.failNext(2);
    server.set("instance/preempted", "TRUE");
    var noticed = new CountDownLatch(1);

    Thread.ofVirtual()
        .start(
            new PreemptionWatch(
                metadataClient, PreemptionWatch.Notice.PREEMPTED, noticed::countDown));

    assertThat(noticed.await(30, SECONDS)).isTrue();
  }

  @Test
  void onlyTerminatingMaintenanceIsNotice() throws Exception {
    server.set("instance/maintenance-event", "MIGRATE_ON_HOST_MAINTENANCE");
    var noticed = new CountDownLatch(1);
    var watch =
        Thread.ofVirtual()
            .start(
                new PreemptionWatch(
                    metadataClient, PreemptionWatch.Notice.MAINTENANCE, noticed::countDown));

    server.set("instance/maintenance-event", "NONE");
    assertThat(noticed.getCount()).isEqualTo(1);
    server.set("instance/maintenance-event", "TERMINATE_ON_HOST_MAINTENANCE");

    assertThat(noticed.await(30, SECONDS)).isTrue();
    assertThat(watch.join(Duration.ofSeconds(30))).isTrue();
  }

  @Test
  void controlPlanesProjectIsPreferred() {
    server.set("project/project-id", "google-tenant-77");
    assertThat(metadataClient.project()).contains("google-tenant-77");

    server.set("instance/attributes/mayfly-project", "lab");
    assertThat(metadataClient.project()).contains("lab");
  }
}

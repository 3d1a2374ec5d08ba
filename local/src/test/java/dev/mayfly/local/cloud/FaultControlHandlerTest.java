package dev.mayfly.local.cloud;

import static dev.mayfly.local.cloud.TestCloud.ZONE;
import static dev.mayfly.local.cloud.TestCloud.machine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.cloud.compute.v1.AttachedDisk;
import com.google.cloud.compute.v1.AttachedDiskInitializeParams;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import tools.jackson.databind.json.JsonMapper;

@Timeout(300)
class FaultControlHandlerTest {
  @TempDir Path home;
  private final HttpClient http = HttpClient.newHttpClient();
  private TestCloud test;

  @BeforeEach
  void start() throws IOException {
    test = new TestCloud(home, "exec sleep 1000");
  }

  @AfterEach
  void stop() {
    test.close();
    http.close();
  }

  @Test
  void machinesArePreemptedByName() throws Exception {
    test.run(machine("w-1"));

    assertThat(post("vms/w-1/preempt?notice=false")).isEqualTo(200);

    assertThat(test.nextSystemEvent().getOperationType()).isEqualTo("compute.instances.preempted");
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void preemptionNoticeTakesRequestedSeconds() throws Exception {
    test.run(machine("w-1"));

    assertThat(post("vms/w-1/preempt?seconds=3600")).isEqualTo(200);
    assertThat(test.get("w-1").getStatus()).isEqualTo("RUNNING");

    assertThat(post("vms/w-1/preempt?seconds=0")).isEqualTo(200);
    assertThat(test.nextSystemEvent().getOperationType()).isEqualTo("compute.instances.preempted");
  }

  @Test
  void aStarMeansEveryMachine() throws Exception {
    test.run(machine("w-1"));
    test.run(machine("w-2"));

    assertThat(post("vms/*/freeze")).isEqualTo(200);
    assertThat(post("vms/*/thaw")).isEqualTo(200);
    assertThat(post("vms/*/kill")).isEqualTo(200);

    test.nextSystemEvent();
    test.nextSystemEvent();
    assertThat(test.get("w-1").getStatus()).isEqualTo("TERMINATED");
    assertThat(test.get("w-2").getStatus()).isEqualTo("TERMINATED");
  }

  @Test
  void machinesAreStoppedAndDeleted() throws Exception {
    test.run(machine("w-1"));

    assertThat(post("vms/w-1/stop")).isEqualTo(200);
    test.settle();
    assertThat(test.get("w-1").getStatus()).isEqualTo("TERMINATED");

    assertThat(post("vms/w-1/delete")).isEqualTo(200);
    test.settle();
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void limitsAreSetAndLifted() throws Exception {
    assertThat(post("zones/" + ZONE + "/stock?n=0")).isEqualTo(200);
    assertThat(test.insert(machine("w-1"), "r-1").hasError()).isTrue();
    assertThat(post("zones/" + ZONE + "/stock")).isEqualTo(200);
    assertThat(post("quota?cpus=1")).isEqualTo(200);
    assertThat(test.insert(machine("w-1"), "r-2").getError().getErrors(0).getCode())
        .isEqualTo("QUOTA_EXCEEDED");
    assertThat(post("quota")).isEqualTo(200);
    assertThat(post("boot-delay?ms=3600000")).isEqualTo(200);

    assertThat(test.insert(machine("w-1"), "r-3").hasError()).isFalse();

    assertThat(test.get("w-1").getStatus()).isEqualTo("PROVISIONING");
    assertThat(test.simulatedCloud.faultControls().bootDelay()).isEqualTo(Duration.ofHours(1));
  }

  @Test
  void callFaultsAreInjected() throws Exception {
    assertThat(post("rate-limit?next=1")).isEqualTo(200);
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(PermissionDeniedException.class);

    // After one on the same connection, the client's transport repeats a call that was cut off.
    assertThat(post("lost-replies?next=2&prefix=/compute/")).isEqualTo(200);
    assertThatThrownBy(() -> test.insert(machine("w-1"), "r-1")).isInstanceOf(ApiException.class);
    assertThat(test.get("w-1").getName()).isEqualTo("w-1");
    assertThat(post("lost-replies?next=0")).isEqualTo(200);

    assertThat(post("zones/" + ZONE + "/silent?next=1")).isEqualTo(200);
    assertThat(
            test.instances
                .aggregatedList(TestCloud.PROJECT)
                .getPage()
                .getResponse()
                .getUnreachablesCount())
        .isEqualTo(1);
  }

  @Test
  void invalidRequestsAreExplained() throws Exception {
    assertThat(post("vms/w-1/preempt")).isEqualTo(404);
    assertThat(post("vms/w-1/explode")).isEqualTo(404);
    assertThat(post("quota?cpus=many")).isEqualTo(400);
    assertThat(post("boot-delay")).isEqualTo(400);
    for (var huge :
        List.of("quota?cpus=", "tpu-quota?chips=", "rate-limit?next=", "boot-delay?ms="))
      assertThat(post(huge + "4294967296")).as(huge).isEqualTo(400);
    test.run(machine("w-1").clearScheduling());
    assertThat(post("vms/w-1/preempt")).isEqualTo(400);
    test.await(test.delete("w-1", "r-9"));
  }

  @Test
  void stateIsReadableByPeople() throws Exception {
    var image = "projects/lab/global/images/family/alpa";
    test.run(
        machine("w-1")
            .setDisks(
                0,
                AttachedDisk.newBuilder()
                    .setBoot(true)
                    .setInitializeParams(
                        AttachedDiskInitializeParams.newBuilder().setSourceImage(image))));
    post("zones/" + ZONE + "/stock?n=7");

    var reply =
        http.send(
            HttpRequest.newBuilder(URI.create(test.simulatedCloud.url() + "/_sim/state")).build(),
            BodyHandlers.ofString());

    var state = JsonMapper.shared().readTree(reply.body());
    var found = state.path("machines").get(0);
    assertThat(found.path("name").asString()).isEqualTo("w-1");
    assertThat(found.path("status").asString()).isEqualTo("RUNNING");
    assertThat(found.path("zone").asString()).isEqualTo(ZONE);
    assertThat(found.path("bootImage").asString()).isEqualTo(image);
    assertThat(found.path("resourcePolicies")).isEmpty();
    assertThat(found.path("labels").path("mayfly-cluster").asString()).isEqualTo("c1");
    assertThat(state.path("faultControls").path("stock").path(ZONE).asInt()).isEqualTo(7);
  }

  private int post(String faultControl) throws IOException, InterruptedException {
    var request =
        HttpRequest.newBuilder(URI.create(test.simulatedCloud.url() + "/_sim/" + faultControl))
            .POST(BodyPublishers.noBody())
            .build();
    return http.send(request, BodyHandlers.discarding()).statusCode();
  }
}

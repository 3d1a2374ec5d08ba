package dev.mayfly.local.machines.compute;

import static dev.mayfly.local.cloud.TestCloud.PROJECT;
import static dev.mayfly.local.cloud.TestCloud.ZONE;
import static dev.mayfly.local.cloud.TestCloud.machine;
import static dev.mayfly.local.cloud.TestCloud.spot;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.gax.rpc.NotFoundException;
import com.google.cloud.compute.v1.ListZoneOperationsRequest;
import com.google.common.collect.Iterables;
import dev.mayfly.local.cloud.TestCloud;
import dev.mayfly.local.machines.NamedPipe;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;
import org.junit.jupiter.api.io.TempDir;

@Timeout(value = 300, threadMode = ThreadMode.SEPARATE_THREAD)
class MachineLifecycleTest {
  @TempDir Path home;
  private NamedPipe namedPipe = new NamedPipe(Path.of("/nowhere"));
  private NamedPipe lifeline = namedPipe;
  private CompletableFuture<String> death = new CompletableFuture<>();
  private TestCloud test;

  @BeforeEach
  void start() throws IOException, InterruptedException {
    namedPipe = NamedPipe.make(home.resolve("said"));
    lifeline = NamedPipe.make(home.resolve("lifeline"));
    death = lifeline.untilClosed();
    test = begin();
  }

  @AfterEach
  void stop() {
    test.close();
  }

  private TestCloud begin() throws IOException {
    return new TestCloud(
        home,
        "exec 3> "
            + lifeline.path()
            + "; echo $PPID $GCE_METADATA_HOST > "
            + namedPipe.path()
            + "; sleep 1000");
  }

  /** The report of the machine's boot command. */
  private record Booted(long init, String metadata) {}

  private Booted booted() throws IOException {
    var words = namedPipe.take().split(" ");
    return new Booted(Long.parseLong(words[0]), words[1]);
  }

  @Test
  void preemptionNoticeReachesMachineBeforeItEnds() throws Exception {
    test.run(machine("w-1"));
    var inside = booted();
    var notice = waitForNotice(inside);

    test.simulatedCloud.machines().preempt("w-1", Optional.of(Duration.ofHours(1)));

    assertThat(notice.get(120, TimeUnit.SECONDS).body()).isEqualTo("TRUE");
    assertThat(test.get("w-1").getStatus()).isEqualTo("RUNNING");
    assertThat(death).isNotDone();

    test.simulatedCloud.machines().preempt("w-1", Optional.of(Duration.ofMillis(50)));

    var event = test.nextSystemEvent();
    assertThat(event.getOperationType()).isEqualTo("compute.instances.preempted");
    assertThat(event.getTargetLink()).endsWith("/instances/w-1");
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
    assertDead();
    assertThat(preemptions()).isEqualTo(1);
  }

  @Test
  void aPreemptionWithoutNoticeEndsTheMachineAtOnce() throws Exception {
    test.run(machine("w-1"));
    booted();

    test.simulatedCloud.machines().preempt("w-1", Optional.empty());

    test.nextSystemEvent();
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
    assertDead();
  }

  @Test
  void preemptedMachineStaysWithStopAction() throws Exception {
    test.run(machine("w-1").setScheduling(spot("STOP")));
    booted();

    test.simulatedCloud.machines().preempt("w-1", Optional.empty());

    test.nextSystemEvent();
    assertThat(test.get("w-1").getStatus()).isEqualTo("TERMINATED");
    assertDead();
    test.await(test.delete("w-1", "r-1"));
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void deleteDuringNoticeIsImmediate() throws Exception {
    test.run(machine("w-1"));
    booted();
    test.simulatedCloud.machines().preempt("w-1", Optional.of(Duration.ofHours(1)));

    test.await(test.delete("w-1", "r-1"));

    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
    assertDead();
  }

  @Test
  void hostErrorIsVisibleLate() throws Exception {
    test.run(machine("w-1"));
    booted();

    test.simulatedCloud.machines().kill("w-1", Duration.ofHours(1));

    assertDead();
    assertThat(test.get("w-1").getStatus()).isEqualTo("RUNNING");

    test.simulatedCloud.machines().kill("w-1", Duration.ZERO);

    assertThat(test.nextSystemEvent().getOperationType()).isEqualTo("compute.instances.hostError");
    assertThat(test.get("w-1").getStatus()).isEqualTo("TERMINATED");
  }

  @Test
  void aMachineThatIsStoppedStays() throws Exception {
    test.run(machine("w-1"));
    booted();

    test.simulatedCloud.machines().stop("w-1");

    assertDead();
    test.settle();
    assertThat(test.get("w-1").getStatus()).isEqualTo("TERMINATED");
  }

  @Test
  void machineIsDeletedAfterMaximumRunDuration() throws Exception {
    var end = Instant.now().plusMillis(700);
    test.insert(
        machine("w-1").setScheduling(spot("DELETE").toBuilder().setTerminationTime(end.toString())),
        "r-1");

    test.nextSystemEvent();

    assertThat(Instant.now()).isAfterOrEqualTo(end);
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void runDurationBeginsWhenMachineRuns() {
    var limit = com.google.cloud.compute.v1.Duration.newBuilder().setSeconds(3600);

    var instance =
        test.run(machine("w-1").setScheduling(spot("DELETE").toBuilder().setMaxRunDuration(limit)));

    var scheduling = instance.getScheduling();
    assertThat(Instant.parse(scheduling.getTerminationTime()))
        .isAfter(Instant.parse(instance.getLastStartTimestamp()).plusSeconds(3599));
  }

  @Test
  void bootingMachineCanBeDeleted() {
    test.simulatedCloud.faultControls().setBootDelay(Duration.ofHours(1));
    test.insert(machine("w-1"), "r-1");
    assertThat(test.get("w-1").getStatus()).isEqualTo("PROVISIONING");

    test.await(test.delete("w-1", "r-2"));

    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void restartKeepsMachinesOperationsAndPort() throws Exception {
    var before = test.run(machine("w-1"));
    var inside = booted();
    test.simulatedCloud.faultControls().setBootDelay(Duration.ofSeconds(1));
    var slow = test.insert(machine("w-2"), "r-2");
    var url = test.simulatedCloud.url();
    test.leave();
    assertThat(death).isNotDone();

    test = begin();

    assertThat(test.simulatedCloud.url()).isEqualTo(url);
    assertThat(test.get("w-1")).isEqualTo(before);
    var reply = HttpClient.newHttpClient().send(preempted(inside, ""), BodyHandlers.ofString());
    assertThat(reply.body()).isEqualTo("FALSE");
    // Pending work continues.
    assertThat(test.insert(machine("w-2"), "r-2").getName()).isEqualTo(slow.getName());
    assertThat(test.await(slow).hasError()).isFalse();
    assertThat(test.get("w-2").getStatus()).isEqualTo("RUNNING");
    test.await(test.delete("w-1", "r-3"));
    test.await(test.delete("w-2", "r-4"));
    assertDead();
  }

  @Test
  void aRestartedCloudSeesThatAMachineHasDied() throws Exception {
    test.run(machine("w-1"));
    var init = ProcessHandle.of(booted().init()).orElseThrow();
    test.leave();
    init.destroyForcibly();

    test = begin();

    assertThat(test.nextSystemEvent().getOperationType())
        .isEqualTo("compute.instances.guestTerminate");
    assertThat(test.get("w-1").getStatus()).isEqualTo("TERMINATED");
  }

  @Test
  void aSecondCloudOnTheSameFolderIsRefused() {
    assertThatThrownBy(this::begin)
        .isInstanceOf(IOException.class)
        .hasMessageContaining("Another simulated cloud runs on");
  }

  private long preemptions() {
    var request =
        ListZoneOperationsRequest.newBuilder()
            .setProject(PROJECT)
            .setZone(ZONE)
            .setFilter("operationType = \"compute.instances.preempted\"")
            .build();
    return Iterables.size(test.operations.list(request).iterateAll());
  }

  /** Waits until no process of the machine is left. */
  private void assertDead() throws Exception {
    death.get(120, TimeUnit.SECONDS);
  }

  private static CompletableFuture<HttpResponse<String>> waitForNotice(Booted inside)
      throws Exception {
    var client = HttpClient.newHttpClient();
    var now = client.send(preempted(inside, ""), BodyHandlers.ofString());
    var tag = now.headers().firstValue("ETag").orElseThrow();
    return client.sendAsync(
        preempted(inside, "?wait_for_change=true&last_etag=" + tag), BodyHandlers.ofString());
  }

  private static HttpRequest preempted(Booted inside, String query) {
    return HttpRequest.newBuilder(
            URI.create(
                "http://" + inside.metadata() + "/computeMetadata/v1/instance/preempted" + query))
        .header("Metadata-Flavor", "Google")
        .build();
  }
}

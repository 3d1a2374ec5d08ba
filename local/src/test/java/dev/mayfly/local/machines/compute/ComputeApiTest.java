package dev.mayfly.local.machines.compute;

import static dev.mayfly.local.cloud.TestCloud.PROJECT;
import static dev.mayfly.local.cloud.TestCloud.ZONE;
import static dev.mayfly.local.cloud.TestCloud.machine;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.google.api.client.http.HttpResponseException;
import com.google.api.gax.rpc.AbortedException;
import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.InvalidArgumentException;
import com.google.api.gax.rpc.NotFoundException;
import com.google.api.gax.rpc.PermissionDeniedException;
import com.google.cloud.compute.v1.AggregatedListInstancesRequest;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.InstancesSetLabelsRequest;
import com.google.cloud.compute.v1.ListInstancesRequest;
import com.google.cloud.compute.v1.Operation.Status;
import com.google.cloud.compute.v1.SetLabelsInstanceRequest;
import com.google.common.collect.Iterables;
import com.google.common.collect.Streams;
import dev.mayfly.local.cloud.TestCloud;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.OptionalInt;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(300)
class ComputeApiTest {
  @TempDir Path home;
  private TestCloud test;

  @BeforeEach
  void start() throws IOException {
    test = new TestCloud(home, "exec sleep 1000");
  }

  @AfterEach
  void stop() {
    test.close();
  }

  @Test
  void anInsertedMachineRunsWhenItsOperationIsDone() {
    var operation = test.insert(machine("w-1"), "r-1");

    assertThat(operation.getOperationType()).isEqualTo("insert");
    assertThat(test.await(operation).getStatus()).isEqualTo(Status.DONE);
    var instance = test.get("w-1");
    assertThat(instance.getStatus()).isEqualTo("RUNNING");
    assertThat(instance.getId()).isEqualTo(operation.getTargetId());
    assertThat(instance.getZone()).endsWith("/zones/" + ZONE);
    assertThat(instance.getScheduling().getPreemptible()).isTrue();
  }

  @Test
  void eachMachineHasItsOwnAddress() {
    var addresses = new HashSet<String>();
    for (var name : List.of("w-1", "w-2", "w-3")) {
      test.await(test.insert(machine(name), "r-" + name));
      addresses.add(test.get(name).getNetworkInterfaces(0).getNetworkIP());
    }

    assertThat(addresses).hasSize(3).allMatch(ip -> ip.matches("127[.]251[.]\\d+[.]\\d+"));
  }

  @Test
  void aRepeatedRequestIsTheSameOperation() {
    var first = test.insert(machine("w-1"), "r-1");

    assertThat(test.insert(machine("w-1"), "r-1").getName()).isEqualTo(first.getName());

    test.await(first);
    var delete = test.delete("w-1", "r-2");
    assertThat(test.delete("w-1", "r-2").getName()).isEqualTo(delete.getName());
  }

  @Test
  void aNameThatIsTakenIsAConflict() {
    test.run(machine("w-1"));

    assertThatThrownBy(() -> test.insert(machine("w-1"), "r-other"))
        .isInstanceOf(AbortedException.class)
        .satisfies(e -> assertThat(body(e)).contains("\"reason\":\"alreadyExists\""));
  }

  @Test
  void deletedMachineIsNotFoundAfterOperation() {
    test.run(machine("w-1"));

    var operation = test.await(test.delete("w-1", "r-1"));

    assertThat(operation.getStatus()).isEqualTo(Status.DONE);
    assertThat(operation.hasError()).isFalse();
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
    assertThatThrownBy(() -> test.delete("w-1", "r-2")).isInstanceOf(NotFoundException.class);
    assertThat(test.run(machine("w-1")).getStatus()).isEqualTo("RUNNING");
  }

  @Test
  void aStockoutIsAnErrorOfTheOperation() {
    test.simulatedCloud.faultControls().setStock(ZONE, 1);
    test.run(machine("w-1"));

    var operation = test.insert(machine("w-2"), "r-2");

    assertThat(operation.getStatus()).isEqualTo(Status.DONE);
    assertThat(operation.getError().getErrors(0).getCode())
        .isEqualTo("ZONE_RESOURCE_POOL_EXHAUSTED_WITH_DETAILS");
    assertThat(operation.getHttpErrorStatusCode()).isEqualTo(503);
    assertThatThrownBy(() -> test.get("w-2")).isInstanceOf(NotFoundException.class);

    test.simulatedCloud.faultControls().removeStockLimit(ZONE);
    assertThat(test.run(machine("w-2")).getStatus()).isEqualTo("RUNNING");
  }

  @Test
  void theQuotaCountsTheCpusOfTheRegion() {
    test.simulatedCloud.faultControls().setCpuQuota(OptionalInt.of(3));
    test.run(machine("w-1"));

    var operation = test.insert(machine("w-2"), "r-2");

    assertThat(operation.getError().getErrors(0).getCode()).isEqualTo("QUOTA_EXCEEDED");
    assertThat(operation.getHttpErrorStatusCode()).isEqualTo(403);
  }

  @Test
  void theRateLimitIsA403WithItsReason() {
    test.simulatedCloud.faultControls().limitRate(1);

    assertThatThrownBy(() -> test.get("w-1"))
        .isInstanceOf(PermissionDeniedException.class)
        .satisfies(e -> assertThat(body(e)).contains("\"reason\":\"rateLimitExceeded\""));
    assertThatThrownBy(() -> test.get("w-1")).isInstanceOf(NotFoundException.class);
  }

  @Test
  void aLostReplyHasItsEffect() {
    test.simulatedCloud.faultControls().loseReplies(1, "/compute/");

    assertThatThrownBy(() -> test.insert(machine("w-1"), "r-1")).isInstanceOf(ApiException.class);

    var repeated = test.insert(machine("w-1"), "r-1");
    assertThat(test.await(repeated).hasError()).isFalse();
    assertThat(test.get("w-1").getId()).isEqualTo(repeated.getTargetId());
  }

  @Test
  void whatComputeEngineDoesNotAcceptIsA400() {
    assertRefused(machine("W_1"), "resource.name");
    assertRefused(machine("w").setMachineType("zones/z/machineTypes/n2-standard-3"), "machineType");
    assertRefused(machine("w").putLabels("k", "Big"), "resource.labels");
    assertRefused(machine("w").clearDisks(), "resource.disks");
    assertRefused(machine("w").clearNetworkInterfaces(), "resource.networkInterfaces");
    assertRefused(
        machine("w").setScheduling(TestCloud.spot("DELETE").toBuilder().setAutomaticRestart(true)),
        "automaticRestart");
  }

  @Test
  void unknownZoneIs404NamingKnownZones() {
    assertThatThrownBy(() -> test.instances.get(PROJECT, "moon-1-a", "w"))
        .isInstanceOf(NotFoundException.class)
        .satisfies(e -> assertThat(body(e)).contains("us-central1-a"));
  }

  @Test
  void aListIsFilteredAndPaged() {
    for (var i = 0; i < 5; i++) {
      test.insert(machine("w-" + i).putLabels("mayfly-pool", i < 3 ? "a" : "b"), "r-" + i);
    }
    var request =
        ListInstancesRequest.newBuilder()
            .setProject(PROJECT)
            .setZone(ZONE)
            .setMaxResults(2)
            .setFilter("(labels.mayfly-cluster = \"c1\") AND (labels.mayfly-pool = \"a\")")
            .build();

    var page = test.instances.list(request);

    assertThat(Iterables.size(page.getPage().getValues())).isEqualTo(2);
    assertThat(Streams.stream(page.iterateAll()).map(Instance::getName))
        .containsExactly("w-0", "w-1", "w-2");
  }

  @Test
  void aFilterThatIsNotUnderstoodIsRefused() {
    var request =
        ListInstancesRequest.newBuilder().setProject(PROJECT).setZone(ZONE).setFilter("name > 3");

    assertThatThrownBy(() -> test.instances.list(request.build()))
        .isInstanceOf(InvalidArgumentException.class)
        .satisfies(e -> assertThat(body(e)).contains("name > 3"));
  }

  @Test
  void theListOfAllZonesNamesEachOfThem() {
    test.run(machine("w-1"));

    var entries =
        test.instances.aggregatedList(
            AggregatedListInstancesRequest.newBuilder()
                .setProject(PROJECT)
                .setFilter("labels.mayfly-cluster:*")
                .setReturnPartialSuccess(true)
                .build());

    assertThat(
            Streams.stream(entries.iterateAll()).filter(e -> e.getValue().getInstancesCount() > 0))
        .singleElement()
        .satisfies(entry -> assertThat(entry.getKey()).isEqualTo("zones/" + ZONE));
    assertThat(Iterables.size(entries.iterateAll())).isEqualTo(ZoneCatalog.names().size());
  }

  @Test
  void silentZoneIsWarnedInAggregatedList() {
    test.run(machine("w-1"));
    test.simulatedCloud.faultControls().silenceZones(1, Set.of(ZONE));

    var page = test.instances.aggregatedList(PROJECT).getPage();

    assertThat(page.getResponse().getUnreachablesList()).containsExactly("zones/" + ZONE);
    assertThat(page.getResponse().getItemsMap().get("zones/" + ZONE).getWarning().getCode())
        .isEqualTo("UNREACHABLE");
  }

  @Test
  void labelsChangeOnlyWithTheFingerprintThatWasRead() {
    var instance = test.run(machine("w-1"));
    var change =
        InstancesSetLabelsRequest.newBuilder()
            .putLabels("mayfly-cluster", "c2")
            .setLabelFingerprint(instance.getLabelFingerprint())
            .build();

    test.instances
        .setLabelsCallable()
        .call(
            SetLabelsInstanceRequest.newBuilder()
                .setProject(PROJECT)
                .setZone(ZONE)
                .setInstance("w-1")
                .setInstancesSetLabelsRequestResource(change)
                .build());

    assertThat(test.get("w-1").getLabelsMap()).containsEntry("mayfly-cluster", "c2");
    assertThat(test.get("w-1").getLabelFingerprint()).isNotEqualTo(instance.getLabelFingerprint());
  }

  private void assertRefused(Instance.Builder machine, String field) {
    assertThatThrownBy(() -> test.insert(machine, "r"))
        .isInstanceOf(InvalidArgumentException.class)
        .satisfies(e -> assertThat(body(e)).contains(field));
  }

  private static String body(Throwable failure) {
    return ((HttpResponseException) failure.getCause()).getContent();
  }
}

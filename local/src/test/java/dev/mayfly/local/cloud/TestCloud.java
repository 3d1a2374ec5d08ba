package dev.mayfly.local.cloud;

import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.rpc.NotFoundException;
import com.google.cloud.compute.v1.AttachedDisk;
import com.google.cloud.compute.v1.DeleteInstanceRequest;
import com.google.cloud.compute.v1.InsertInstanceRequest;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.InstancesClient;
import com.google.cloud.compute.v1.InstancesSettings;
import com.google.cloud.compute.v1.NetworkInterface;
import com.google.cloud.compute.v1.Operation;
import com.google.cloud.compute.v1.Scheduling;
import com.google.cloud.compute.v1.ZoneOperationsClient;
import com.google.cloud.compute.v1.ZoneOperationsSettings;
import dev.mayfly.local.machines.BootCommand;
import java.io.IOException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;

/** A cloud whose machines run a shell command, and Google's own clients of it. */
public final class TestCloud implements AutoCloseable {
  public static final String PROJECT = "lab";
  public static final String ZONE = "us-central1-a";

  public final SimulatedCloud simulatedCloud;
  public final InstancesClient instances;
  public final ZoneOperationsClient operations;
  final BlockingQueue<Operation> systemEvents = new LinkedBlockingQueue<>();

  /**
   * @param script the command that each machine boots
   */
  public TestCloud(Path home, String script) throws IOException {
    simulatedCloud =
        SimulatedCloud.start(
            CloudSettings.from(
                Map.of(
                    "MAYFLY_HOME",
                    home.toString(),
                    "MAYFLY_CLOUD_PROJECT",
                    PROJECT,
                    "MAYFLY_CLOUD_BOOT_DELAY_MS",
                    "2")),
            new BootCommand(List.of("/bin/sh", "-c", script)),
            InstantSource.system(),
            new SimulatedCloud.Routes(List.of(), List.of()),
            systemEvents::add,
            Optional.empty());
    instances =
        InstancesClient.create(
            InstancesSettings.newBuilder()
                .setEndpoint(simulatedCloud.url())
                .setCredentialsProvider(NoCredentialsProvider.create())
                .build());
    operations =
        ZoneOperationsClient.create(
            ZoneOperationsSettings.newBuilder()
                .setEndpoint(simulatedCloud.url())
                .setCredentialsProvider(NoCredentialsProvider.create())
                .build());
  }

  public static Instance.Builder machine(String name) {
    return Instance.newBuilder()
        .setName(name)
        .setMachineType("zones/" + ZONE + "/machineTypes/n2-standard-2")
        .addDisks(AttachedDisk.newBuilder().setBoot(true).setAutoDelete(true))
        .addNetworkInterfaces(NetworkInterface.newBuilder().setNetwork("global/networks/default"))
        .setScheduling(spot("DELETE"))
        .putLabels("mayfly-cluster", "c1");
  }

  public static Scheduling spot(String action) {
    return Scheduling.newBuilder()
        .setProvisioningModel("SPOT")
        .setInstanceTerminationAction(action)
        .build();
  }

  public Operation insert(Instance.Builder machine, String requestId) {
    return instances
        .insertCallable()
        .call(
            InsertInstanceRequest.newBuilder()
                .setProject(PROJECT)
                .setZone(ZONE)
                .setInstanceResource(machine)
                .setRequestId(requestId)
                .build());
  }

  /** Inserts a machine and waits until it runs. */
  public Instance run(Instance.Builder machine) {
    await(insert(machine, UUID.randomUUID().toString()));
    return get(machine.getName());
  }

  public Operation delete(String name, String requestId) {
    return instances
        .deleteCallable()
        .call(
            DeleteInstanceRequest.newBuilder()
                .setProject(PROJECT)
                .setZone(ZONE)
                .setInstance(name)
                .setRequestId(requestId)
                .build());
  }

  public Operation await(Operation operation) {
    return operations.wait(PROJECT, ZONE, operation.getName());
  }

  /** Waits for every operation. */
  public void settle() {
    operations.list(PROJECT, ZONE).iterateAll().forEach(this::await);
  }

  public Instance get(String name) {
    return instances.get(PROJECT, ZONE, name);
  }

  /** Waits for Compute to do something by itself. */
  public Operation nextSystemEvent() throws InterruptedException {
    var event = systemEvents.poll(120, TimeUnit.SECONDS);
    if (event == null) {
      throw new AssertionError("Compute did nothing by itself for two minutes");
    }
    return event;
  }

  /** Leaves the cloud's machines running. */
  public void leave() {
    instances.close();
    operations.close();
    simulatedCloud.close();
  }

  /** Deletes the cloud's machines. */
  @Override
  public void close() {
    for (var instance : instances.list(PROJECT, ZONE).iterateAll()) {
      try {
        await(delete(instance.getName(), "close-" + instance.getName()));
      } catch (NotFoundException ignored) {
        // The test had already deleted it, and it disappeared after the list.
      }
    }
    leave();
  }
}

package dev.mayfly.local.machines.compute;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.google.cloud.compute.v1.Address;
import com.google.cloud.compute.v1.Disk;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.InstancesSetLabelsRequest;
import com.google.cloud.compute.v1.MachineType;
import com.google.cloud.compute.v1.Operation;
import com.google.cloud.compute.v1.OperationList;
import com.google.cloud.compute.v1.ResourcePolicy;
import com.google.cloud.compute.v1.ZoneList;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import dev.mayfly.local.http.ApiError;
import dev.mayfly.local.http.QueryParameters;
import dev.mayfly.local.http.RestCall;
import dev.mayfly.local.http.RestHandler;
import dev.mayfly.local.machines.CloudContext;
import dev.mayfly.local.machines.ProtoJson;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** {@code /compute/v1/projects/…}: dispatches requests and writes the answers. */
public final class ComputeApi implements RestHandler {
  /** The route prefix of this handler. */
  public static final String PREFIX = "/compute/v1/projects/";

  private static final int LARGEST = 10 << 20;
  private static final Duration LONGEST_WAIT = Duration.ofMinutes(2);

  private final CloudContext cloudContext;
  private final ComputeMachines computeMachines;
  private final InstanceLists lists;
  private final DiskAndAddressCalls leftovers;

  public ComputeApi(CloudContext cloudContext, ComputeMachines computeMachines) {
    this.cloudContext = cloudContext;
    this.computeMachines = computeMachines;
    this.lists = new InstanceLists(computeMachines, cloudContext.faultControls());
    this.leftovers = new DiskAndAddressCalls(computeMachines, cloudContext);
  }

  /** One request with its path segments. */
  private record Call(String method, List<String> path, QueryParameters query, String body) {
    /** Method and path, with a star for each name. */
    String form() {
      var form = new StringBuilder(method);
      for (var i = 0; i < path.size(); i++) {
        form.append(i == 0 ? ' ' : '/')
            .append(i % 2 == 1 && !path.get(0).equals("aggregated") ? "*" : path.get(i));
      }
      return form.toString();
    }

    String zone() {
      return path.get(1);
    }

    String name() {
      return path.get(3);
    }

    ComputeMachine.Key key() {
      return new ComputeMachine.Key(zone(), name());
    }

    Optional<String> requestId() {
      return query.text("requestId");
    }

    <B extends Message.Builder> B parsed(B builder) {
      try {
        return ProtoJson.parse(body, builder);
      } catch (InvalidProtocolBufferException e) {
        throw ApiError.invalid("Invalid JSON payload received. " + e.getMessage(), e);
      }
    }
  }

  @Override
  public void answer(RestCall restCall) throws IOException {
    // The prefix has three parts.
    var path = restCall.path().subList(3, restCall.path().size());
    if (!path.getFirst().equals(cloudContext.project())) {
      throw ApiError.notFound(
          "The resource 'projects/%s' was not found; this cloud has the project '%s' only"
              .formatted(path.getFirst(), cloudContext.project()));
    }
    var call =
        new Call(
            restCall.method(),
            path.subList(1, path.size()),
            restCall.parameters(),
            new String(restCall.bytes(LARGEST), UTF_8));
    restCall.answerJson(200, ProtoJson.print(answer(call)));
  }

  private Message answer(Call call) {
    if (call.path().size() > 1 && call.path().getFirst().equals("zones")) {
      ZoneCatalog.check(cloudContext.project(), call.zone());
    }
    return switch (call.form()) {
      case "GET aggregated/instances" -> lists.ofAll(call.query());
      case "GET aggregated/disks" -> leftovers.disks(call.query());
      case "GET aggregated/addresses" -> leftovers.addresses(call.query());
      case "GET aggregated/resourcePolicies" -> leftovers.policies(call.query());
      case "GET zones/*/disks/*" -> leftovers.disk(call.key());
      case "POST zones/*/disks" ->
          leftovers.insertDisk(call.zone(), call.parsed(Disk.newBuilder()).build());
      case "DELETE zones/*/disks/*" -> leftovers.deleteDisk(call.key());
      case "GET regions/*/addresses/*" -> computeMachines.addresses().get(call.zone(), call.name());
      case "POST regions/*/addresses" ->
          leftovers.insertAddress(call.zone(), call.parsed(Address.newBuilder()).build());
      case "DELETE regions/*/addresses/*" -> leftovers.deleteAddress(call.zone(), call.name());
      case "POST regions/*/resourcePolicies" ->
          leftovers.insertPolicy(call.zone(), call.parsed(ResourcePolicy.newBuilder()).build());
      case "DELETE regions/*/resourcePolicies/*" ->
          leftovers.deletePolicy(call.zone(), call.name());
      case "GET zones" -> zones();
      case "GET zones/*" -> ZoneCatalog.describe(computeMachines.links(), call.zone());
      case "GET zones/*/instances" -> lists.ofZone(call.zone(), call.query());
      case "POST zones/*/instances" ->
          computeMachines.insert(
              call.zone(), call.parsed(Instance.newBuilder()).build(), call.requestId());
      case "GET zones/*/instances/*" -> computeMachines.get(call.zone(), call.name());
      case "DELETE zones/*/instances/*" ->
          computeMachines.end("delete", call.key(), Termination.Cause.DELETED, call.requestId());
      case "POST zones/*/instances/*/stop" ->
          computeMachines.end("stop", call.key(), Termination.Cause.STOPPED, call.requestId());
      case "POST zones/*/instances/*/setLabels" -> setLabels(call);
      case "GET zones/*/machineTypes/*" -> machineType(call);
      case "GET zones/*/operations" -> operations(call);
      case "GET zones/*/operations/*" -> computeMachines.operations().get(call.zone(), call.name());
      case "POST zones/*/operations/*/wait" -> await(call);
      default -> throw ApiError.notFound("The simulated Compute Engine has no " + call.form());
    };
  }

  private Message setLabels(Call call) {
    var asked = call.parsed(InstancesSetLabelsRequest.newBuilder());
    return computeMachines.setLabels(call.key(), asked.getLabelsMap(), asked.getLabelFingerprint());
  }

  private Operation await(Call call) {
    try {
      return computeMachines.operations().await(call.zone(), call.name(), LONGEST_WAIT);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw ApiError.unavailable("The simulated cloud is stopping");
    }
  }

  private Message operations(Call call) {
    var all = computeMachines.operations().list(call.zone());
    var resultPage = ResultPage.of(all, Operation::getName, call.query());
    var list =
        OperationList.newBuilder().setKind("compute#operationList").addAllItems(resultPage.items());
    resultPage.ifMore(list::setNextPageToken);
    return list.build();
  }

  private Message zones() {
    var zones =
        ZoneCatalog.names().stream()
            .map(zone -> ZoneCatalog.describe(computeMachines.links(), zone))
            .toList();
    return ZoneList.newBuilder().setKind("compute#zoneList").addAllItems(zones).build();
  }

  private Message machineType(Call call) {
    var shape =
        MachineShape.of(call.name())
            .orElseThrow(() ->
                ResourceLinks.missing(
                    computeMachines.links().inZone(call.zone(), "machineTypes", call.name())));
    return MachineType.newBuilder()
        .setKind("compute#machineType")
        .setName(shape.name())
        .setZone(call.zone())
        .setGuestCpus(shape.cpus())
        .setMemoryMb((int) shape.memoryMb())
        .setSelfLink(computeMachines.links().machineType(call.zone(), shape.name()))
        .build();
  }
}

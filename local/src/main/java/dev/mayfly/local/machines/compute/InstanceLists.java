package dev.mayfly.local.machines.compute;

import com.google.cloud.compute.v1.Data;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.InstanceAggregatedList;
import com.google.cloud.compute.v1.InstanceList;
import com.google.cloud.compute.v1.InstancesScopedList;
import com.google.cloud.compute.v1.Warning;
import dev.mayfly.local.http.QueryParameters;
import dev.mayfly.local.machines.FaultControls;
import java.util.List;

/** Lists instances of one zone or of all zones. */
final class InstanceLists {
  private final ComputeMachines computeMachines;
  private final FaultControls faultControls;

  InstanceLists(ComputeMachines computeMachines, FaultControls faultControls) {
    this.computeMachines = computeMachines;
    this.faultControls = faultControls;
  }

  InstanceList ofZone(String zone, QueryParameters queryParameters) {
    var all =
        computeMachines.instances().stream()
            .filter(instance -> zone(instance).equals(zone))
            .toList();
    var resultPage = ResultPage.of(all, Instance::getName, queryParameters);
    var list =
        InstanceList.newBuilder().setKind("compute#instanceList").addAllItems(resultPage.items());
    resultPage.ifMore(list::setNextPageToken);
    return list.build();
  }

  /** Lists every zone; a zone without instances has a warning. */
  InstanceAggregatedList ofAll(QueryParameters queryParameters) {
    var silent = faultControls.takeSilentZones();
    var resultPage =
        ResultPage.of(
            computeMachines.instances(),
            instance -> zone(instance) + "/" + instance.getName(),
            queryParameters);
    var list = InstanceAggregatedList.newBuilder().setKind("compute#instanceAggregatedList");
    for (var zone : ZoneCatalog.names()) {
      var scope = "zones/" + zone;
      var found =
          resultPage.items().stream().filter(instance -> zone(instance).equals(zone)).toList();
      list.putItems(scope, silent.contains(zone) ? unreachable(scope) : scoped(scope, found));
    }
    silent.forEach(zone -> list.addUnreachables("zones/" + zone));
    resultPage.ifMore(list::setNextPageToken);
    return list.build();
  }

  private static String zone(Instance instance) {
    return ResourceLinks.last(instance.getZone());
  }

  private static InstancesScopedList scoped(String scope, List<Instance> found) {
    return found.isEmpty()
        ? warning(
            "NO_RESULTS_ON_PAGE",
            "There are no results for scope '" + scope + "' on this page.",
            scope)
        : InstancesScopedList.newBuilder().addAllInstances(found).build();
  }

  private static InstancesScopedList unreachable(String scope) {
    return warning("UNREACHABLE", "The scope '" + scope + "' is unreachable.", scope);
  }

  private static InstancesScopedList warning(String code, String message, String scope) {
    return InstancesScopedList.newBuilder()
        .setWarning(
            Warning.newBuilder()
                .setCode(code)
                .setMessage(message)
                .addData(Data.newBuilder().setKey("scope").setValue(scope)))
        .build();
  }
}

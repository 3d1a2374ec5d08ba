package dev.mayfly.local.cloud.compute;

import com.google.cloud.compute.v1.Data;
import com.google.cloud.compute.v1.Instance;
import com.google.cloud.compute.v1.InstanceAggregatedList;
import com.google.cloud.compute.v1.InstanceList;
import com.google.cloud.compute.v1.InstancesScopedList;
import com.google.cloud.compute.v1.Warning;
import dev.mayfly.local.cloud.dials.Dials;
import dev.mayfly.local.cloud.http.Query;
import java.util.List;
import java.util.stream.Stream;

/** The two ways to list instances: of one zone, and of all. */
final class InstanceLists {
  private final Machines machines;
  private final Dials dials;

  InstanceLists(Machines machines, Dials dials) {
    this.machines = machines;
    this.dials = dials;
  }

  InstanceList ofZone(String zone, Query query) {
    var all = matching(query).filter(instance -> zone(instance).equals(zone)).toList();
    var page = Page.of(all, Instance::getName, query);
    var list = InstanceList.newBuilder().setKind("compute#instanceList").addAllItems(page.items());
    if (!page.next().isEmpty()) {
      list.setNextPageToken(page.next());
    }
    return list.build();
  }

  /** Every zone is named; one without an instance says so in a warning. */
  InstanceAggregatedList ofAll(Query query) {
    var silent = dials.takeSilentZones();
    var page =
        Page.of(
            matching(query).toList(), instance -> zone(instance) + "/" + instance.getName(), query);
    var list = InstanceAggregatedList.newBuilder().setKind("compute#instanceAggregatedList");
    for (var zone : Zones.names()) {
      var scope = "zones/" + zone;
      var found = page.items().stream().filter(instance -> zone(instance).equals(zone)).toList();
      list.putItems(scope, silent.contains(zone) ? unreachable(scope) : scoped(scope, found));
    }
    silent.forEach(zone -> list.addUnreachables("zones/" + zone));
    if (!page.next().isEmpty()) {
      list.setNextPageToken(page.next());
    }
    return list.build();
  }

  private Stream<Instance> matching(Query query) {
    var filter = Filter.parse(query.text("filter"));
    return machines.instances().stream().filter(filter::matches);
  }

  private static String zone(Instance instance) {
    return Links.last(instance.getZone());
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

package dev.mayfly.cli.doctor;

import dev.mayfly.cli.client.GoogleApis;
import dev.mayfly.core.port.CloudMachine;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;

/**
 * Looks for machines that Mayfly ordered, in a project where it is not deployed any more: nothing
 * ends them but, for virtual machines, their pool's {@code life}. TPUs are billed until somebody
 * deletes them.
 */
record LeftMachinesCheck(GoogleApis apis, String project) {
  private static final int SHOWN = 5;

  private record Nodes(Optional<List<Node>> nodes) {}

  /** A TPU; its name is {@code projects/P/locations/Z/nodes/N}. */
  private record Node(Optional<String> name, Optional<Map<String, String>> labels) {}

  private record Instances(Optional<Map<String, Scope>> items) {}

  private record Scope(Optional<List<Instance>> instances) {}

  private record Instance(Optional<String> name, Optional<String> zone) {}

  /** What a machine is deleted by. */
  private record Left(String what, String name, String zone) {
    String command(String project) {
      return "gcloud compute %s delete %s --zone=%s --project=%s"
          .formatted(what, name, zone, project);
    }
  }

  /** Empty where there are none, or an API is off and so has none. */
  Optional<CheckResult> check() {
    var left = new ArrayList<Left>();
    tpus(left);
    instances(left);
    if (left.isEmpty()) return Optional.empty();
    var names = left.stream().limit(SHOWN).map(it -> it.name() + " in " + it.zone());
    var more = left.size() > SHOWN ? " and " + (left.size() - SHOWN) + " more" : "";
    return Optional.of(
        CheckResult.wrong(
            "machines",
            "Mayfly machines remain and are billed, and no control plane will delete them: "
                + names.collect(Collectors.joining(", "))
                + more,
            left.stream().map(it -> it.command(project)).collect(Collectors.joining("; "))));
  }

  private void tpus(List<Left> left) {
    var apiReply = apis.get("tpu", "/v2/projects/" + project + "/locations/-/nodes?pageSize=500");
    if (!apiReply.ok()) return;
    for (var node : apiReply.as(Nodes.class).nodes().orElse(List.of())) {
      var parts = node.name().orElse("").split("/", -1);
      if (parts.length == 6 && node.labels().orElse(Map.of()).containsKey(CloudMachine.CLUSTER))
        left.add(new Left("tpus tpu-vm", parts[5], parts[3]));
    }
  }

  private void instances(List<Left> left) {
    var apiReply =
        apis.get(
            "compute",
            "/compute/v1/projects/%s/aggregated/instances?filter=labels.%s:*"
                .formatted(project, CloudMachine.CLUSTER));
    if (!apiReply.ok()) return;
    for (var scope : apiReply.as(Instances.class).items().orElse(Map.of()).values())
      for (var instance : scope.instances().orElse(List.of()))
        left.add(
            new Left(
                "instances",
                instance.name().orElse(""),
                instance.zone().orElse("").replaceFirst(".*/", "")));
  }
}

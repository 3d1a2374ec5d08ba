package dev.mayfly.local.machines;

import java.util.HashMap;
import java.util.Map;

/** The initial values of a machine's metadata server, by path. */
final class MetadataValues {
  private MetadataValues() {}

  static Map<String, String> of(VmSpec spec) {
    var project = "projects/" + VmSpec.PROJECT_NUMBER;
    var values = new HashMap<String, String>();
    values.put("instance/id", spec.id());
    values.put("instance/name", spec.name());
    values.put(
        "instance/hostname",
        spec.name() + "." + spec.zone() + ".c." + spec.project() + ".internal");
    values.put("instance/zone", project + "/zones/" + spec.zone());
    values.put("instance/machine-type", project + "/machineTypes/" + spec.machineType());
    values.put("instance/network-interfaces/0/ip", spec.address());
    values.put("instance/preempted", "FALSE");
    values.put("instance/maintenance-event", "NONE");
    values.put("instance/scheduling/preemptible", spec.spot() ? "TRUE" : "FALSE");
    values.put("instance/service-accounts/default/email", spec.serviceAccount());
    values.put(
        "instance/service-accounts/default/scopes",
        "https://www.googleapis.com/auth/cloud-platform\n");
    values.put("project/project-id", spec.project());
    values.put("project/numeric-project-id", VmSpec.PROJECT_NUMBER);
    values.put("universe/universe-domain", "googleapis.com");
    spec.attributes().forEach((key, value) -> values.put("instance/attributes/" + key, value));
    return values;
  }
}

package dev.mayfly.arch;

import static java.util.Map.entry;

import dev.mayfly.arch.CallGraph.Method;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import java.util.List;
import java.util.Map;

/**
 * The rights that a port call needs on Google Cloud, by its adapter's API calls and the permissions
 * in Google's reference; Firestore, Pub/Sub, Cloud Storage and Cloud Run are granted by Google's
 * own roles, for which we use our own terms.
 */
final class PortRights {
  private static final String[] ORDER = {
    "compute.instances.create",
    "compute.instances.get",
    "compute.instances.setLabels",
    "compute.instances.setMetadata",
    "compute.instances.setServiceAccount",
    "compute.disks.create",
    "compute.disks.setLabels",
    "compute.disks.use",
    "compute.images.useReadOnly",
    "compute.subnetworks.use",
    "compute.resourcePolicies.create",
    "compute.resourcePolicies.use",
    "tpu.nodes.create",
    "tpu.nodes.get",
    "act as agent"
  };

  private static final Map<String, List<String>> NEEDS =
      Map.ofEntries(
          entry("Ledger.read(DocumentKey)", List.of("state.get")),
          entry("Ledger.readAll(Collection)", List.of("state.get")),
          entry("Ledger.query(LedgerQuery)", List.of("state.get")),
          entry("Ledger.totals(OfJob)", List.of("state.get")),
          entry("Ledger.watch(String, Consumer)", List.of("state.get")),
          entry("Ledger.commit(List)", List.of("state.get", "state.write")),
          // The trigger determines the topic.
          entry("TriggerBus.send(Trigger)", List.of()),
          entry(
              "NotificationTopic.publish(Notification)",
              List.of("publish to " + PubSubTopics.NOTIFICATIONS)),
          entry("Secrets.value(String)", List.of("read webhook-secrets")),
          entry("TickScheduler.pause()", List.of("cloudscheduler.jobs.pause")),
          entry("TickScheduler.resume()", List.of("cloudscheduler.jobs.enable")),
          entry("TickScheduler.paused()", List.of("cloudscheduler.jobs.get")),
          entry("ObjectStore.find(ObjectUrl)", List.of("storage.objects.get")),
          entry("ObjectStore.read(ObjectUrl, int)", List.of("storage.objects.get")),
          entry("ObjectStore.open(ObjectUrl)", List.of("storage.objects.get")),
          entry("ObjectStore.list(ObjectUrl, String, int)", List.of("storage.objects.get")),
          entry("ObjectStore.location(ObjectUrl)", List.of("storage.objects.get")),
          entry("ObjectStore.reaches(ObjectUrl)", List.of()),
          // An existing object is read.
          entry(
              "ObjectStore.create(ObjectUrl, Content, Map)",
              List.of("storage.objects.create", "storage.objects.get")),
          // The control plane deletes only sentinels, and replaces only outcomes.
          entry(
              "ObjectStore.delete(ObjectUrl, long)",
              List.of("storage.objects.delete if sentinels")),
          entry(
              "ObjectStore.replace(ObjectUrl, Content, Map, long)",
              List.of(
                  "storage.objects.create",
                  "storage.objects.get",
                  "storage.objects.delete if outcomes")),
          entry("Fleet.order(Order)", List.of(ORDER)),
          entry(
              "Fleet.progress(Name, String)",
              List.of("compute.zoneOperations.get", "tpu.operations.get", "tpu.nodes.get")),
          entry("Fleet.find(Name)", List.of("compute.instances.get", "tpu.nodes.get")),
          // Other resources with the label are read first; a machine's disks are deleted with it.
          entry(
              "Fleet.delete(Name)",
              List.of(
                  "compute.instances.get",
                  "compute.instances.delete",
                  "compute.disks.delete",
                  "tpu.nodes.get",
                  "tpu.nodes.delete")),
          entry("Fleet.list()", List.of("compute.instances.list", "tpu.nodes.list")),
          entry(
              "Fleet.leftovers()",
              List.of(
                  "compute.disks.list", "compute.addresses.list", "compute.resourcePolicies.list")),
          entry(
              "Fleet.delete(Leftover)",
              List.of(
                  "compute.disks.get",
                  "compute.disks.delete",
                  "compute.addresses.get",
                  "compute.addresses.delete",
                  "compute.resourcePolicies.delete")),
          entry("Fleet.whyNoContainers(ClusterSpec, PoolSpec)", List.of()),
          entry("Fleet.whyUnmounted(ClusterSpec, PoolSpec)", List.of()),
          entry("Fleet.whyNoSubmitters(PoolSpec)", List.of()),
          entry("LivenessWatch.watch(List)", List.of("call workers")));

  /** Google's own roles among the functions' grants. */
  private static final Map<String, List<String>> ROLES =
      Map.of(
          "roles/datastore.user", List.of("state.get", "state.write"),
          "roles/datastore.viewer", List.of("state.get"),
          "roles/storage.objectViewer", List.of("storage.objects.get"),
          "roles/storage.objectCreator", List.of("storage.objects.create"));

  private PortRights() {}

  /** Throws for a method without declared rights. */
  static List<String> of(Method call) {
    var rights = NEEDS.get(call.shortly());
    if (rights == null)
      throw new AssertionError(
          call.shortly() + " is a call of a port: say in PortRights which rights it takes");
    return rights;
  }

  /**
   * The rights of one grant of {@code access.json}.
   *
   * @param condition its name; empty for none
   * @param made the roles that Terraform creates
   */
  static List<String> of(String role, String on, String condition, Map<String, List<String>> made) {
    var place = on.substring(on.indexOf(':') + 1);
    return switch (role) {
      case "mayflyReplacer" -> List.of("storage.objects.delete if " + condition);
      case "roles/pubsub.publisher" -> List.of("publish to " + place);
      case "roles/run.invoker" -> List.of("call " + place);
      case "roles/secretmanager.secretAccessor" -> List.of("read " + on);
      case "roles/iam.serviceAccountUser" -> List.of("act as " + place);
      default -> {
        var rights = made.getOrDefault(role, ROLES.get(role));
        if (rights == null)
          throw new AssertionError(role + " is granted: say in PortRights what it allows");
        yield rights;
      }
    };
  }

  /** Read-only rights come in bundles; every other right must be needed by itself. */
  static boolean onlyLooks(String right) {
    return right.endsWith(".get") || right.endsWith(".list");
  }
}

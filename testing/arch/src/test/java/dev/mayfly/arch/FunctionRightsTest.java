package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.CommandHandler;
import dev.mayfly.core.control.ControlPlane;
import dev.mayfly.core.control.RedeliveryLimit;
import dev.mayfly.core.model.message.Trigger;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.message.UserTopic;
import dev.mayfly.core.model.notification.PendingNotification;
import dev.mayfly.core.query.StatusQueries;
import dev.mayfly.core.reconcile.MachineEventHandler;
import dev.mayfly.core.sync.SyncService;
import dev.mayfly.functions.webhook.WebhookDelivery;
import dev.mayfly.gcp.pubsub.PubSubTopics;
import dev.mayfly.wire.UserDocuments;
import java.io.IOException;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import tools.jackson.databind.JsonNode;

/**
 * Each function's account has exactly the rights that the function's code can need: {@code
 * access.json} against the ports that are reached from its entry, by the bytecode.
 */
class FunctionRightsTest {
  private static final String MESSAGE = "dev/mayfly/core/model/message/";
  private static final Set<String> PORTS =
      Set.of(
          "dev/mayfly/core/port/Ledger",
          "dev/mayfly/core/port/TriggerBus",
          "dev/mayfly/core/port/Fleet",
          "dev/mayfly/core/port/ObjectStore",
          "dev/mayfly/core/port/NotificationTopic",
          "dev/mayfly/core/port/Secrets",
          "dev/mayfly/core/port/TickScheduler",
          "dev/mayfly/core/sync/LivenessWatch");

  private static final List<Trigger> TRIGGERS =
      List.of(
          new Trigger.Tick(),
          new Trigger.CollectOrphans(),
          new Trigger.Reconcile("c"),
          new Trigger.StartWaiting("c"),
          new Trigger.RunSchedules("c"),
          new Trigger.Expand("c", "j"),
          new Trigger.Finalize("c", "j"));

  static List<String> functions() throws IOException {
    return TerraformConfig.json("modules/control-plane/functions.json").propertyNames().stream()
        .toList();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void accountHasEveryNeededRight(String function) throws IOException {
    var missing = needed(function);
    grants(function).values().forEach(missing.keySet()::removeAll);

    // Each with the call path that needs it.
    assertThat(missing).as("what %s needs and no grant gives", function).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void accountHasNoUnneededRight(String function) throws IOException {
    var needed = needed(function).keySet();
    var unused = new TreeSet<String>();
    grants(function)
        .forEach((grant, rights) -> {
          if (rights.stream().noneMatch(needed::contains)) unused.add(grant);
          for (var right : rights)
            if (!PortRights.onlyLooks(right) && !needed.contains(right))
              unused.add(grant + ": " + right);
        });

    assertThat(unused).as("unused by %s, which needs %s", function, needed).isEmpty();
  }

  @Test
  void triggersMayCallOnlyTopicFunctions() throws IOException {
    var hearing = new TreeSet<String>();
    TerraformConfig.json("modules/control-plane/functions.json")
        .properties()
        .forEach(it -> {
          if (it.getValue().has("topic")) hearing.add("call " + it.getKey());
        });
    var called = new TreeSet<String>();
    grants("trigger").values().forEach(called::addAll);

    assertThat(called).isEqualTo(hearing);
  }

  /** Otherwise this test would miss possible calls. */
  @Test
  void everyCommandAndTriggerIsCovered() throws IOException {
    assertThat(TRIGGERS.stream().map(Object::getClass))
        .containsExactlyInAnyOrder(Trigger.class.getPermittedSubclasses());
    assertThat(commands().stream().map(Object::getClass).distinct())
        .containsExactlyInAnyOrder(UserCommand.class.getPermittedSubclasses());
  }

  /** A dry run cannot change what its code does not call. */
  @Test
  void dryRunOfCleanupOnlyReads() {
    assertThat(calls(reach(PORTS, Set.of()).from(ControlPlane.class, "cleanupPlan")))
        .containsExactlyInAnyOrder(
            "Fleet.list()",
            "Fleet.find(Name)",
            "Fleet.progress(Name, String)",
            "Fleet.leftovers()",
            "Ledger.query(LedgerQuery)",
            "Ledger.read(DocumentKey)",
            "Ledger.readAll(Collection)");
  }

  /** The search itself: only possible branches are followed. */
  @Test
  void reachFollowsOnlyKindsThatCome() {
    var sweep =
        calls(
            reach(PORTS, Set.of(Trigger.CollectOrphans.class)).from(ControlPlane.class, "handle"));
    var tick = calls(reach(PORTS, Set.of(Trigger.Tick.class)).from(ControlPlane.class, "handle"));
    var nothing = calls(reach(PORTS, Set.of()).from(ControlPlane.class, "handle"));

    assertThat(sweep).contains("Fleet.leftovers()").doesNotContain("Fleet.order(Order)");
    assertThat(tick).contains("Fleet.order(Order)").doesNotContain("Fleet.leftovers()");
    assertThat(nothing).isEmpty();
  }

  /** The needed rights, each with a path to a call that needs it. */
  private static Map<String, String> needed(String function) throws IOException {
    return switch (function) {
      case "jobs" -> rights(topic(UserTopic.JOBS));
      case "clusters" -> rights(topic(UserTopic.CLUSTERS));
      case "autoscale" ->
          rights(
              reach(PORTS, Set.of(Trigger.Tick.class, Trigger.Reconcile.class))
                  .from(ControlPlane.class, "handle")
                  .from(ControlPlane.class, "resume")
                  .from(ControlPlane.class, "passOn")
                  .from(ControlPlane.class, "flushOnClose"));
      // Cleanup leaves nothing for later.
      case "cleanup" ->
          rights(
              reach(PORTS, Set.of(Trigger.CollectOrphans.class))
                  .from(ControlPlane.class, "handle")
                  .from(ControlPlane.class, "flushOnClose"));
      case "vm-events" ->
          rights(
              reach(PORTS, Set.of())
                  .from(MachineEventHandler.class, "handle")
                  .from(ControlPlane.class, "flushOnClose"));
      case "notifications" -> rights(reach(PORTS, Set.of()).from(WebhookDelivery.class, "deliver"));
      case "workers" ->
          rights(
              reach(PORTS, Set.of())
                  .from(SyncService.class, "sync")
                  .from(SyncService.class, "watch"));
      case "api" -> api();
      default -> throw new AssertionError("what does " + function + " begin with?");
    };
  }

  private static CallGraph topic(UserTopic userTopic) throws IOException {
    var kinds = new HashSet<Class<?>>();
    for (var userCommand : commands())
      if (UserTopic.of(userCommand) == userTopic) kinds.add(userCommand.getClass());
    for (var trigger : TRIGGERS)
      if (PubSubTopics.of(trigger).equals(userTopic.id())) kinds.add(trigger.getClass());
    return reach(PORTS, kinds)
        .from(CommandHandler.class, "handle")
        .from(RedeliveryLimit.class, "deliver")
        .from(ControlPlane.class, "handle")
        .from(ControlPlane.class, "flushOnClose");
  }

  /** Its cleanup is a dry run. */
  private static Map<String, String> api() {
    var views = reach(PORTS, Set.of());
    for (var method : StatusQueries.class.getDeclaredMethods())
      if (Modifier.isPublic(method.getModifiers()))
        views.from(StatusQueries.class, method.getName());
    return rights(views.from(ControlPlane.class, "cleanupPlan"));
  }

  private static Map<String, String> rights(CallGraph callGraph) {
    var needed = new TreeMap<String, String>();
    for (var call : callGraph.reached())
      for (var right : PortRights.of(call)) needed.putIfAbsent(right, callGraph.wayTo(call));
    if (calls(callGraph).contains("TriggerBus.send(Trigger)"))
      for (var trigger : TRIGGERS)
        if (callGraph.made().contains(internal(trigger.getClass())))
          needed.put(
              "publish to " + PubSubTopics.of(trigger),
              callGraph.wayToMake(internal(trigger.getClass())));
    // Whoever commits an event that owes a notification publishes it too, behind the port.
    if (callGraph.made().contains(internal(PendingNotification.class)))
      needed.put(
          "publish to " + PubSubTopics.NOTIFICATIONS,
          callGraph.wayToMake(internal(PendingNotification.class)));
    return needed;
  }

  private static Set<String> calls(CallGraph callGraph) {
    var calls = new TreeSet<String>();
    callGraph.reached().forEach(call -> calls.add(call.shortly()));
    return calls;
  }

  /** A call graph for only these kinds of commands and triggers. */
  private static CallGraph reach(Set<String> ports, Set<Class<?>> kinds) {
    var names = new HashSet<String>();
    kinds.forEach(kind -> names.add(internal(kind)));
    return new CallGraph(
        ports::contains,
        name ->
            names.contains(name)
                || !(name.startsWith(MESSAGE + "Trigger$")
                    || name.startsWith(MESSAGE + "UserCommand$")));
  }

  private static String internal(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static List<UserCommand> commands() throws IOException {
    var all = new ArrayList<UserCommand>();
    try (Stream<Path> files = Files.list(TerraformConfig.ROOT.resolve("schemas/samples/valid"))) {
      for (var file : files.filter(f -> f.getFileName().toString().startsWith("user-")).toList())
        UserDocuments.parse(Files.readAllBytes(file), "", Map.of())
            .forEach(parsedDocument -> all.add(parsedDocument.command()));
    }
    return all;
  }

  /** The rights of each of the account's grants. */
  private static Map<String, List<String>> grants(String who) throws IOException {
    var access = TerraformConfig.json("modules/iam/access.json");
    var made = new HashMap<String, List<String>>();
    access
        .get("roles")
        .properties()
        .forEach(role -> made.put(role.getKey(), texts(role.getValue().get("permissions"))));
    var grants = new HashMap<String, List<String>>();
    for (var grant : access.get("grants"))
      if (grant.get("who").asString().equals(who)) {
        var role = grant.get("role").asString();
        var on = grant.get("on").asString();
        var condition = grant.has("condition") ? grant.get("condition").asString() : "";
        grants.put(
            (role + " on " + on + " " + condition).strip(),
            PortRights.of(role, on, condition, made));
      }
    return grants;
  }

  private static List<String> texts(JsonNode list) {
    return list.valueStream().map(JsonNode::asString).toList();
  }
}

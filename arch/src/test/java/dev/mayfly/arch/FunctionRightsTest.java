package dev.mayfly.arch;

import static org.assertj.core.api.Assertions.assertThat;

import dev.mayfly.core.control.Control;
import dev.mayfly.core.control.Intake;
import dev.mayfly.core.control.Redeliveries;
import dev.mayfly.core.control.SyncDesk;
import dev.mayfly.core.control.Views;
import dev.mayfly.core.control.VmEvents;
import dev.mayfly.core.model.Command;
import dev.mayfly.core.model.Hint;
import dev.mayfly.core.model.Topic;
import dev.mayfly.gcp.pubsub.Topics;
import dev.mayfly.wire.Documents;
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
 * The account of each function may do what the function's code can come to do, and nothing else:
 * {@code access.json} against the ports that are reached from its entry, by the bytecode.
 */
class FunctionRightsTest {
  private static final String CONTROL = "dev/mayfly/core/control/";
  private static final String MODEL = "dev/mayfly/core/model/";
  private static final Set<String> PORTS =
      Set.of(
          "dev/mayfly/core/port/Ledger",
          "dev/mayfly/core/port/Bus",
          "dev/mayfly/core/port/Fleet",
          "dev/mayfly/core/port/Objects",
          "dev/mayfly/core/port/Schedule",
          CONTROL + "Vigil");

  /** What a rehearsal of cleanup has in the place of the real one. */
  private static final Set<String> REHEARSED =
      Set.of(
          "dev/mayfly/core/port/Ledger", "dev/mayfly/core/port/Bus", "dev/mayfly/core/port/Fleet");

  private static final List<Hint> HINTS =
      List.of(
          new Hint.Tick(),
          new Hint.Sweep(),
          new Hint.Look("c"),
          new Hint.Expand("c", "j"),
          new Hint.Audit("c", "j"));

  static List<String> functions() throws IOException {
    return Terraform.json("modules/control-plane/functions.json").propertyNames().stream().toList();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void itsAccountMayDoWhatItsCodeComesToDo(String function) throws IOException {
    var missing = needed(function);
    grants(function).values().forEach(missing.keySet()::removeAll);

    // Each with the way on which the code comes to need it.
    assertThat(missing).as("what %s needs and no grant gives", function).isEmpty();
  }

  @ParameterizedTest
  @MethodSource("functions")
  void itsAccountMayDoNothingElse(String function) throws IOException {
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
  void triggersCallTheFunctionsThatHearTopicsAndNoOthers() throws IOException {
    var hearing = new TreeSet<String>();
    Terraform.json("modules/control-plane/functions.json")
        .properties()
        .forEach(it -> {
          if (it.getValue().has("topic")) hearing.add("call " + it.getKey());
        });
    var called = new TreeSet<String>();
    grants("trigger").values().forEach(called::addAll);

    assertThat(called).isEqualTo(hearing);
  }

  /** Otherwise what is looked at here would not be what can happen. */
  @Test
  void everyCommandAndEveryHintIsLookedAt() throws IOException {
    assertThat(HINTS.stream().map(Object::getClass))
        .containsExactlyInAnyOrder(Hint.class.getPermittedSubclasses());
    assertThat(commands().stream().map(Object::getClass).distinct())
        .containsExactlyInAnyOrder(Command.class.getPermittedSubclasses());
  }

  /** The walk itself: a branch that cannot come is not followed, and one that can is. */
  @Test
  void reachFollowsOnlyKindsThatCome() {
    var sweep = calls(reach(PORTS, Set.of(Hint.Sweep.class)).from(Control.class, "look"));
    var tick = calls(reach(PORTS, Set.of(Hint.Tick.class)).from(Control.class, "look"));
    var nothing = calls(reach(PORTS, Set.of()).from(Control.class, "look"));

    assertThat(sweep).contains("Fleet.leftovers()").doesNotContain("Fleet.order(Order)");
    assertThat(tick).contains("Fleet.order(Order)").doesNotContain("Fleet.leftovers()");
    assertThat(nothing).isEmpty();
  }

  /** The rights, each with a way to a call that takes it. */
  private static Map<String, String> needed(String function) throws IOException {
    return switch (function) {
      case "jobs" -> rights(topic(Topic.JOBS));
      case "clusters" -> rights(topic(Topic.CLUSTERS));
      case "autoscale" ->
          rights(
              reach(PORTS, Set.of(Hint.Tick.class, Hint.Look.class))
                  .from(Control.class, "look")
                  .from(Control.class, "resume")
                  .from(Control.class, "passOn")
                  .from(Control.class, "call"));
      // A sweep leaves nothing for later.
      case "cleanup" ->
          rights(
              reach(PORTS, Set.of(Hint.Sweep.class))
                  .from(Control.class, "look")
                  .from(Control.class, "call"));
      case "vm-events" ->
          rights(reach(PORTS, Set.of()).from(VmEvents.class, "take").from(Control.class, "call"));
      case "workers" ->
          rights(
              reach(PORTS, Set.of())
                  .from(SyncDesk.class, "sync")
                  .from(SyncDesk.class, "watchOver"));
      case "api" -> api();
      default -> throw new AssertionError("what does " + function + " begin with?");
    };
  }

  private static Reach topic(Topic topic) throws IOException {
    var kinds = new HashSet<Class<?>>();
    for (var command : commands()) if (Topic.of(command) == topic) kinds.add(command.getClass());
    for (var hint : HINTS) if (Topics.of(hint).equals(topic.id())) kinds.add(hint.getClass());
    return reach(PORTS, kinds)
        .from(Intake.class, "receive")
        .from(Redeliveries.class, "take")
        .from(Control.class, "look")
        .from(Control.class, "call");
  }

  /** Its cleanup is a rehearsal: what that has of its own is asked, and what it passes on. */
  private static Map<String, String> api() {
    var views = reach(PORTS, Set.of());
    for (var method : Views.class.getDeclaredMethods())
      if (Modifier.isPublic(method.getModifiers())) views.from(Views.class, method.getName());
    var needed = rights(views);
    for (var stand : List.of("Rehearsal$Notes", "Rehearsal$Spared"))
      needed.putAll(rights(reach(PORTS, Set.of()).fromAll(CONTROL + stand)));
    var others = new HashSet<>(PORTS);
    others.removeAll(REHEARSED);
    needed.putAll(rights(reach(others, Set.of()).fromAll(CONTROL + "Cleanup")));
    return needed;
  }

  private static Map<String, String> rights(Reach reach) {
    var needed = new TreeMap<String, String>();
    for (var call : reach.reached())
      for (var right : PortRights.of(call)) needed.putIfAbsent(right, reach.wayTo(call));
    if (calls(reach).contains("Bus.send(Hint)"))
      for (var hint : HINTS)
        if (reach.made().contains(internal(hint.getClass())))
          needed.put("publish to " + Topics.of(hint), reach.wayToMake(internal(hint.getClass())));
    return needed;
  }

  private static Set<String> calls(Reach reach) {
    var calls = new TreeSet<String>();
    reach.reached().forEach(call -> calls.add(call.shortly()));
    return calls;
  }

  /** Of commands and hints only those kinds come. */
  private static Reach reach(Set<String> ports, Set<Class<?>> kinds) {
    var names = new HashSet<String>();
    kinds.forEach(kind -> names.add(internal(kind)));
    return new Reach(
        ports::contains,
        name ->
            names.contains(name)
                || !(name.startsWith(MODEL + "Hint$") || name.startsWith(MODEL + "Command$")));
  }

  private static String internal(Class<?> type) {
    return type.getName().replace('.', '/');
  }

  private static List<Command> commands() throws IOException {
    var all = new ArrayList<Command>();
    try (Stream<Path> files = Files.list(Terraform.ROOT.resolve("schemas/samples/valid"))) {
      for (var file : files.filter(f -> f.getFileName().toString().startsWith("user-")).toList())
        Documents.parse(Files.readAllBytes(file), "", Map.of())
            .forEach(parsed -> all.add(parsed.command()));
    }
    return all;
  }

  /** What each grant of the account allows. */
  private static Map<String, List<String>> grants(String who) throws IOException {
    var access = Terraform.json("modules/iam/access.json");
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

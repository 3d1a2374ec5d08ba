package dev.mayfly.wire;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/**
 * One field that differs between two values of a type, for people.
 *
 * @param field its path in the value's JSON; the objects of a list are named by their {@code name}
 *     if they have one, and by their number otherwise
 * @param was empty if the field is new
 * @param now empty if the field is removed
 */
public record FieldChange(String field, Optional<String> was, Optional<String> now) {
  /** The differences, in the order of the fields; empty for equal values. */
  public static List<FieldChange> between(Object was, Object now) {
    return between(fields(was), fields(now));
  }

  /** All fields of the value, as new ones. */
  public static List<FieldChange> ofNew(Object now) {
    return between(Map.of(), fields(now));
  }

  private static List<FieldChange> between(Map<String, String> was, Map<String, String> now) {
    var names = new LinkedHashSet<>(was.keySet());
    names.addAll(now.keySet());
    var changes = new ArrayList<FieldChange>();
    for (var name : names) {
      var before = Optional.ofNullable(was.get(name));
      var after = Optional.ofNullable(now.get(name));
      if (!before.equals(after) && !(isUnset(before) && isUnset(after)))
        changes.add(new FieldChange(name, before, after));
    }
    return List.copyOf(changes);
  }

  /** A number or a truth value that is not there is read as this. */
  private static boolean isUnset(Optional<String> value) {
    return value.isEmpty() || value.get().equals("0") || value.get().equals("false");
  }

  private static Map<String, String> fields(Object value) {
    var fields = new LinkedHashMap<String, String>();
    var tree = StreamingJson.tree(Wire.shared().json(value), Integer.MAX_VALUE);
    add(tree, "", fields);
    return fields;
  }

  /** Empty lists and objects are as if they were not there. */
  private static void add(JsonNode node, String path, Map<String, String> fields) {
    if (node.isObject())
      node.properties()
          .forEach(field -> add(field.getValue(), joined(path, field.getKey()), fields));
    else if (node.isArray()) addList(node, path, fields);
    else fields.put(path, text(node));
  }

  /** The names of objects are a field too, because their order counts. */
  private static void addList(JsonNode list, String path, Map<String, String> fields) {
    if (list.isEmpty()) return;
    var names = new ArrayList<String>();
    for (var item : list) {
      if (!item.isObject()) {
        names.add(text(item));
        continue;
      }
      var name = item.path("name").isString() ? item.path("name").stringValue() : "" + names.size();
      names.add(name);
      item.properties().stream()
          .filter(field -> !field.getKey().equals("name"))
          .forEach(
              field -> add(field.getValue(), joined(joined(path, name), field.getKey()), fields));
    }
    fields.put(path, names.stream().collect(Collectors.joining(", ")));
  }

  private static String joined(String path, String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  private static String text(JsonNode node) {
    return node.isString() ? node.stringValue() : node.toString();
  }
}

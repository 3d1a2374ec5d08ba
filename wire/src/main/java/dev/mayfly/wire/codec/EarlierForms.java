package dev.mayfly.wire.codec;

import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/**
 * Fields as earlier versions wrote them, in today's form. Agents and stored documents may be of the
 * version before; what no version writes any more is deleted here.
 */
final class EarlierForms {
  /** A problem was one text, {@code problem}, that began with its kind. */
  private record Kind(String prefix, String word) {}

  private static final List<Kind> KINDS =
      List.of(
          new Kind("preparing: ", "preparing"),
          new Kind("unfit: ", "unfit"),
          new Kind("not enforced: ", "unlimited"),
          new Kind("degraded: ", "degraded"),
          new Kind("", "other"));

  private EarlierForms() {}

  /** The value of a field that the object lacks, from the field that it was; null without one. */
  static @Nullable JsonNode of(String field, JsonNode object) {
    return field.equals("machineProblem") ? machineProblem(object.path("problem")) : null;
  }

  private static @Nullable JsonNode machineProblem(JsonNode problem) {
    if (!problem.isString()) return null;
    var text = problem.stringValue();
    for (var kind : KINDS)
      if (text.startsWith(kind.prefix()))
        return JsonNodeFactory.instance
            .objectNode()
            .put("kind", kind.word())
            .put("what", text.substring(kind.prefix().length()));
    return null;
  }
}

package dev.mayfly.wire.codec;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.text.SingleLineText;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Writes and reads one type.
 *
 * <p>{@code first} is the first task index of a value's range, or {@link #NO_RANGE}: sets of tasks
 * that begin there omit it. Paths are for messages: {@code job.state.since}.
 */
interface ValueCodec {
  long NO_RANGE = Long.MIN_VALUE;

  /** Instants as objects and task sets as binary: stores that have such types keep them. */
  void write(JsonGenerator out, Object value, long first);

  Object read(JsonNode node, String path, long first);

  /** The value of a missing field. */
  default Object missing(String path, long first) {
    throw new InvalidInputException(path, "is missing");
  }

  /** Whether the field is omitted for this value. */
  default boolean isOmitted(Object value) {
    return false;
  }

  /**
   * A value for a message. Containers are not written out, because they may be the whole document.
   */
  static String shown(JsonNode node) {
    if (node.isObject()) return "an object";
    if (node.isArray()) return "a list";
    return SingleLineText.of(
        node.isString() ? "\"" + node.stringValue() + "\"" : node.toString(), 80);
  }

  static InvalidInputException mismatch(String what, JsonNode node, String path) {
    return new InvalidInputException(path, shown(node) + " is not " + what);
  }
}

package dev.mayfly.wire.codec;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.text.SingleLineText;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * How one type is written and read.
 *
 * <p>{@code first} is the first task index of the range that a value is about, or {@link
 * #NO_RANGE}: sets of tasks that begin there do not repeat it. A path is for people: {@code
 * job.state.since}.
 */
interface ValueCodec {
  long NO_RANGE = Long.MIN_VALUE;

  void write(JsonGenerator out, Object value, long first);

  Object read(JsonNode node, String path, long first);

  /**
   * The value for a store with types of its own: a map, a list, a text, a Long, a Double, a
   * Boolean, an Instant or bytes; all else is as {@link #write} has it.
   */
  Object plain(Object value, long first);

  /** What a missing field means. */
  default Object missing(String path, long first) {
    throw new InvalidInputException(path, "is missing");
  }

  /** Whether the field is left out for this value. */
  default boolean isOmitted(Object value) {
    return false;
  }

  /** A value for a message. What holds others is not written out: it may be the whole document. */
  static String shown(JsonNode node) {
    if (node.isObject()) return "an object";
    if (node.isArray()) return "a list";
    return SingleLineText.of(
        node.isString() ? "\"" + node.stringValue() + "\"" : node.toString(), 80);
  }

  static InvalidInputException mismatch(String what, JsonNode node, String path) {
    return new InvalidInputException(path, shown(node) + " is no " + what);
  }
}

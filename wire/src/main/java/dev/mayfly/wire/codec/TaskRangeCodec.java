package dev.mayfly.wire.codec;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.TaskCounts;
import dev.mayfly.core.model.TaskSet;
import java.util.Base64;
import java.util.function.Function;
import java.util.function.ToLongFunction;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * Bytes about a range of tasks, in base64: {@code "Aw=="} if they begin with the range, otherwise
 * {@code {"first": 40, "bytes": "Aw=="}}.
 */
record TaskRangeCodec<T>(
    Class<T> type, ToLongFunction<T> first, Function<T, byte[]> bytes, Factory<T> made)
    implements ValueCodec {
  static final TaskRangeCodec<TaskSet> BITS =
      new TaskRangeCodec<>(TaskSet.class, TaskSet::first, TaskSet::toBytes, TaskSet::of);
  static final TaskRangeCodec<TaskCounts> COUNTS =
      new TaskRangeCodec<>(
          TaskCounts.class, TaskCounts::first, TaskCounts::toBytes, TaskCounts::of);

  /** Creates the value from its first index and its bytes. */
  interface Factory<T> {
    T of(long first, byte[] bytes);
  }

  @Override
  public void write(JsonGenerator out, Object value, long from) {
    var own = type.cast(value);
    var begin = first.applyAsLong(own);
    if (begin == from) {
      out.writeBinary(bytes.apply(own));
      return;
    }
    out.writeStartObject();
    out.writeNumberProperty("first", begin);
    out.writeBinaryProperty("bytes", bytes.apply(own));
    out.writeEndObject();
  }

  @Override
  public Object read(JsonNode node, String path, long from) {
    var begin = node.path("first");
    var text = node.isObject() ? node.path("bytes") : node;
    if (!text.isString()) throw ValueCodec.mismatch("base64", node, path);
    if (!node.isObject() && from != NO_RANGE) return made(text, path, from);
    if (!begin.canConvertToLong()) throw new InvalidInputException(path + ".first", "is missing");
    return made(text, path, begin.longValue());
  }

  @SuppressWarnings("UnusedException") // the path explains more than the decoder's message
  private T made(JsonNode text, String path, long from) {
    try {
      return made.of(from, Base64.getDecoder().decode(text.stringValue()));
    } catch (IllegalArgumentException e) {
      throw ValueCodec.mismatch("base64", text, path);
    }
  }

  @Override
  public Object missing(String path, long from) {
    return made.of(from == NO_RANGE ? 0 : from, new byte[0]);
  }
}

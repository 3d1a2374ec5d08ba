package dev.mayfly.wire.codec;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.text.DurationFormat;
import dev.mayfly.wire.text.KebabCase;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Map;
import java.util.Optional;
import java.util.function.BiConsumer;
import java.util.function.Function;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/** The codec of a single JSON value. */
record ScalarCodec(
    String what,
    Predicate<JsonNode> is,
    Function<JsonNode, Object> read,
    BiConsumer<JsonGenerator, Object> write,
    Optional<Object> zero)
    implements ValueCodec {
  private static final ScalarCodec INT =
      number(
          "a whole number",
          n -> n.isIntegralNumber() && n.canConvertToInt(),
          JsonNode::intValue,
          0);
  private static final ScalarCodec LONG =
      number(
          "a whole number",
          n -> n.isIntegralNumber() && n.canConvertToLong(),
          JsonNode::longValue,
          0L);
  private static final ScalarCodec DOUBLE =
      new ScalarCodec(
          "a number",
          JsonNode::isNumber,
          JsonNode::doubleValue,
          (out, v) -> out.writeNumber((Double) v),
          Optional.of(0.0));
  private static final ScalarCodec BOOLEAN =
      new ScalarCodec(
          "true or false",
          JsonNode::isBoolean,
          JsonNode::booleanValue,
          (out, v) -> out.writeBoolean((Boolean) v),
          Optional.of(false));

  /** Truncated to microseconds, the precision of stores. A missing instant is the epoch. */
  private static final ScalarCodec INSTANT =
      new ScalarCodec(
          "an instant like 2026-01-31T10:00:00Z",
          JsonNode::isString,
          n -> Instant.parse(n.stringValue()).truncatedTo(ChronoUnit.MICROS),
          JsonGenerator::writePOJO,
          Optional.of(Instant.EPOCH));

  private static final Map<Class<?>, ScalarCodec> KNOWN =
      Map.ofEntries(
          Map.entry(String.class, text("text", s -> s, v -> (String) v)),
          Map.entry(Instant.class, INSTANT),
          Map.entry(
              LocalDate.class, text("a day like 2026-01-31", LocalDate::parse, Object::toString)),
          Map.entry(
              Duration.class,
              text(
                  "a duration like 10m",
                  DurationFormat::read,
                  v -> DurationFormat.write((Duration) v))),
          Map.entry(int.class, INT),
          Map.entry(Integer.class, INT),
          Map.entry(long.class, LONG),
          Map.entry(Long.class, LONG),
          Map.entry(double.class, DOUBLE),
          Map.entry(Double.class, DOUBLE),
          Map.entry(boolean.class, BOOLEAN));

  static @Nullable ValueCodec of(Class<?> type) {
    if (type.isEnum()) return constant(type);
    return type == Boolean.class ? BOOLEAN : KNOWN.get(type);
  }

  /** A text, also usable as a key of a map. */
  static ScalarCodec text(
      String what, Function<String, Object> read, Function<Object, String> write) {
    return new ScalarCodec(
        what,
        JsonNode::isString,
        n -> read.apply(n.stringValue()),
        (out, v) -> out.writeString(write.apply(v)),
        Optional.empty());
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static ScalarCodec constant(Class<?> type) {
    return text(
        "a word", s -> KebabCase.constant((Class<Enum>) type, s), v -> KebabCase.of((Enum<?>) v));
  }

  private static ScalarCodec number(
      String what, Predicate<JsonNode> is, Function<JsonNode, Object> read, Number zero) {
    return new ScalarCodec(
        what, is, read, (out, v) -> out.writeNumber(((Number) v).longValue()), Optional.of(zero));
  }

  @Override
  public void write(JsonGenerator out, Object value, long first) {
    write.accept(out, value);
  }

  @Override
  @SuppressWarnings("UnusedException") // the path explains more
  public Object read(JsonNode node, String path, long first) {
    if (!is.test(node)) throw ValueCodec.mismatch(what, node, path);
    try {
      return read.apply(node);
    } catch (DateTimeParseException | JacksonException e) {
      throw ValueCodec.mismatch(what, node, path);
    } catch (IllegalArgumentException e) {
      throw new InvalidInputException(path, String.valueOf(e.getMessage()));
    }
  }

  @Override
  public Object missing(String path, long first) {
    return zero.orElseThrow(() -> new InvalidInputException(path, "is missing"));
  }
}

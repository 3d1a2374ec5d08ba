package dev.mayfly.wire.shape;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Problem;
import dev.mayfly.core.model.Bits;
import dev.mayfly.core.model.Counts;
import dev.mayfly.core.model.Document;
import dev.mayfly.core.model.Resources;
import dev.mayfly.wire.text.Line;
import dev.mayfly.wire.text.Words;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * The shapes of types, each found once. One instance is enough for a process; any thread may use
 * it.
 *
 * <p>A type that has no shape (a class that is neither a record nor a sealed interface of records)
 * is an {@link IllegalArgumentException}: a mistake of ours, not of data.
 */
public final class Shapes {
  private final Map<Type, Shape> known = new ConcurrentHashMap<>();

  public Shapes() {
    known.put(Bits.class, Ranged.BITS);
    known.put(Counts.class, Ranged.COUNTS);
    known.put(Resources.class, new Sized());
  }

  /** Writes a record, or a list or map of them. */
  public void write(JsonGenerator out, Object value) {
    switch (value) {
      case List<?> list -> {
        out.writeStartArray();
        for (var each : list) write(out, each);
        out.writeEndArray();
      }
      default -> of(family(value.getClass())).write(out, value, Shape.NO_RANGE);
    }
  }

  /** A record's fields for a store that has types of its own; see {@link Shape#plain}. */
  @SuppressWarnings("unchecked") // a record's fields are a map
  public Map<String, Object> plain(Object value) {
    return (Map<String, Object>) of(family(value.getClass())).plain(value, Shape.NO_RANGE);
  }

  /** Reads what {@link #write} wrote; throws {@link dev.mayfly.core.error.Invalid}. */
  public <T> T read(Class<T> type, JsonNode node) {
    try {
      return type.cast(of(family(type)).read(node, "", Shape.NO_RANGE));
    } catch (Invalid e) {
      throw new Invalid(e.problems().stream().map(Shapes::capped).toList());
    }
  }

  /** What was sent may be in the message, and the message is for a log and an answer. */
  private static Problem capped(Problem problem) {
    return new Problem(Line.of(problem.path(), 200), Line.of(problem.message(), 600));
  }

  /**
   * The sealed interface whose word a record carries wherever it is; a document is told by its
   * place.
   */
  private static Class<?> family(Class<?> type) {
    for (var each : type.getInterfaces())
      if (each.isSealed() && each != Document.class) return each;
    return type;
  }

  Fields fields(Class<?> type) {
    return (Fields) ofRecord(type);
  }

  Shape of(Type type) {
    var shape = known.get(type);
    if (shape != null) return shape;
    // Not computeIfAbsent: finding a record's shape asks for those of its parts.
    var found = find(type);
    var raced = known.putIfAbsent(type, found);
    return raced == null ? found : raced;
  }

  private Shape find(Type type) {
    if (type instanceof ParameterizedType generic) return find(generic);
    if (!(type instanceof Class<?> plain))
      throw new IllegalArgumentException(type + " has no JSON");
    var scalar = Scalar.of(plain);
    if (scalar != null) return scalar;
    return plain.isRecord() ? new Fields(plain, this) : new OneOf(plain, this);
  }

  private Shape ofRecord(Class<?> type) {
    return of((Type) type);
  }

  private Shape find(ParameterizedType type) {
    var of = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) return new Several.Maybe(of(of[0]));
    if (type.getRawType() == List.class) return new Several.Row(of(of[0]));
    if (type.getRawType() == Map.class) return table((Class<?>) of[0], of(of[1]));
    throw new IllegalArgumentException(type + " has no JSON");
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static Shape table(Class<?> key, Shape of) {
    if (key == String.class) return new Several.Table(k -> (String) k, k -> k, of);
    return new Several.Table(
        k -> Words.of((Enum<?>) k), k -> Words.constant((Class<Enum>) key, k), of);
  }
}

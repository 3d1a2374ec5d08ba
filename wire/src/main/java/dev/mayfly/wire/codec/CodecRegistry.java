package dev.mayfly.wire.codec;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.Resources;
import dev.mayfly.core.model.TaskCounts;
import dev.mayfly.core.model.TaskSet;
import dev.mayfly.core.model.document.LedgerDocument;
import dev.mayfly.wire.text.KebabCase;
import dev.mayfly.wire.text.SingleLineText;
import java.lang.reflect.ParameterizedType;
import java.lang.reflect.Type;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * The codecs of types, each created once. Thread-safe.
 *
 * <p>A type without a codec (a class that is neither a record nor a sealed interface of records) is
 * an {@link IllegalArgumentException}: a bug, not bad data.
 */
public final class CodecRegistry {
  private final Map<Type, ValueCodec> known = new ConcurrentHashMap<>();

  public CodecRegistry() {
    known.put(TaskSet.class, TaskRangeCodec.BITS);
    known.put(TaskCounts.class, TaskRangeCodec.COUNTS);
    known.put(Resources.class, new ResourcesCodec());
  }

  /** Writes a record, or a list or map of records. */
  public void write(JsonGenerator out, Object value) {
    // A pattern switch is linked when it first runs, which a cold start would wait for.
    if (value instanceof List<?> list) {
      out.writeStartArray();
      for (var each : list) write(out, each);
      out.writeEndArray();
    } else of(family(value.getClass())).write(out, value, ValueCodec.NO_RANGE);
  }

  /**
   * Reads what {@link #write} wrote; throws {@link dev.mayfly.core.error.InvalidInputException}.
   */
  public <T> T read(Class<T> type, JsonNode node) {
    try {
      return type.cast(of(family(type)).read(node, "", ValueCodec.NO_RANGE));
    } catch (InvalidInputException e) {
      throw new InvalidInputException(e.problems().stream().map(CodecRegistry::capped).toList());
    }
  }

  /** Truncates the message, which may contain input and goes to logs and answers. */
  private static InputError capped(InputError inputError) {
    return new InputError(
        SingleLineText.of(inputError.path(), 200), SingleLineText.of(inputError.message(), 600));
  }

  /**
   * The sealed interface whose type word a record always carries. A document has none, because its
   * key determines its type.
   */
  private static Class<?> family(Class<?> type) {
    for (var each : type.getInterfaces())
      if (each.isSealed() && each != LedgerDocument.class) return each;
    return type;
  }

  RecordCodec fields(Class<?> type) {
    return (RecordCodec) ofRecord(type);
  }

  ValueCodec of(Type type) {
    var valueCodec = known.get(type);
    if (valueCodec != null) return valueCodec;
    // Not computeIfAbsent: creating a record's codec recursively requests those of its components.
    var found = find(type);
    var raced = known.putIfAbsent(type, found);
    return raced == null ? found : raced;
  }

  private ValueCodec find(Type type) {
    if (type instanceof ParameterizedType generic) return find(generic);
    if (!(type instanceof Class<?> plain))
      throw new IllegalArgumentException(type + " has no JSON");
    var scalar = ScalarCodec.of(plain);
    if (scalar != null) return scalar;
    return plain.isRecord() ? new RecordCodec(plain, this) : new SealedTypeCodec(plain, this);
  }

  private ValueCodec ofRecord(Class<?> type) {
    return of((Type) type);
  }

  private ValueCodec find(ParameterizedType type) {
    var of = type.getActualTypeArguments();
    if (type.getRawType() == Optional.class) return new ContainerCodecs.OptionalCodec(of(of[0]));
    if (type.getRawType() == List.class) return new ContainerCodecs.ListCodec(of(of[0]));
    if (type.getRawType() == Map.class) return table((Class<?>) of[0], of(of[1]));
    throw new IllegalArgumentException(type + " has no JSON");
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static ValueCodec table(Class<?> key, ValueCodec of) {
    if (key == String.class) return new ContainerCodecs.MapCodec(k -> (String) k, k -> k, of);
    return new ContainerCodecs.MapCodec(
        k -> KebabCase.of((Enum<?>) k), k -> KebabCase.constant((Class<Enum>) key, k), of);
  }
}

package dev.mayfly.wire.codec;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.LeaseRef;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import tools.jackson.core.JsonGenerator;
import tools.jackson.databind.JsonNode;

/**
 * The codec of a record, field by field.
 *
 * <p>It uses reflection, which prepares a constructor or an accessor at its first call: own method
 * handles would be prepared for every record of a type, also for those that a process never reads
 * or never writes, and that is most of what the start of a command costs.
 */
final class RecordCodec implements ValueCodec {
  private record Field(String name, ValueCodec shape, Method get) {}

  private final Class<?> type;
  private final Constructor<?> make;
  private final List<Field> fields;

  RecordCodec(Class<?> type, CodecRegistry codecRegistry) {
    this.type = type;
    var parts = type.getRecordComponents();
    this.make = constructor(type, parts);
    this.fields = Arrays.stream(parts).map(p -> field(p, codecRegistry)).toList();
  }

  private static Field field(RecordComponent part, CodecRegistry codecRegistry) {
    var accessor = part.getAccessor();
    accessor.setAccessible(true);
    return new Field(part.getName(), codecRegistry.of(part.getGenericType()), accessor);
  }

  private static Constructor<?> constructor(Class<?> type, RecordComponent[] parts) {
    try {
      var types = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
      var constructor = type.getDeclaredConstructor(types);
      constructor.setAccessible(true);
      return constructor;
    } catch (NoSuchMethodException e) {
      throw new IllegalStateException("cannot make a " + type, e);
    }
  }

  @Override
  public void write(JsonGenerator out, Object value, long first) {
    out.writeStartObject();
    writeFields(out, value, first);
    out.writeEndObject();
  }

  void writeFields(JsonGenerator out, Object value, long outer) {
    var values = values(value);
    var first = first(values, outer);
    for (var i = 0; i < values.length; i++) {
      var field = fields.get(i);
      if (field.shape().isOmitted(values[i])) continue;
      out.writeName(field.name());
      field.shape().write(out, values[i], first);
    }
  }

  private Object[] values(Object value) {
    var values = new Object[fields.size()];
    for (var i = 0; i < values.length; i++) values[i] = get(fields.get(i), value);
    return values;
  }

  /** The beginning of the value's task range. */
  private long first(Object[] values, long outer) {
    var first = outer;
    for (var i = 0; i < values.length; i++) {
      if (values[i] instanceof LeaseRef ref) first = ref.start();
      if (values[i] instanceof Long start && fields.get(i).name().equals("start")) first = start;
    }
    return first;
  }

  private static Object get(Field field, Object value) {
    try {
      return field.get().invoke(value);
    } catch (InvocationTargetException e) {
      throw unchecked(e.getCause(), "cannot read " + field.name());
    } catch (IllegalAccessException e) {
      throw new IllegalStateException("cannot read " + field.name(), e);
    }
  }

  /** What a constructor or an accessor threw, to be thrown. */
  private static RuntimeException unchecked(@Nullable Throwable thrown, String what) {
    if (thrown instanceof Error error) throw error;
    return thrown instanceof RuntimeException failure
        ? failure
        : new IllegalStateException(what, thrown);
  }

  @Override
  public Object read(JsonNode node, String path, long outer) {
    if (!node.isObject()) throw ValueCodec.mismatch("an object", node, path);
    var first = first(node, outer);
    var values = new Object[fields.size()];
    for (var i = 0; i < values.length; i++) {
      var field = fields.get(i);
      var at = path.isEmpty() ? field.name() : path + "." + field.name();
      var value = node.get(field.name());
      if (value == null) value = EarlierForms.of(field.name(), node);
      values[i] =
          value == null ? field.shape().missing(at, first) : field.shape().read(value, at, first);
    }
    return make(values, path);
  }

  /** The beginning of the object's task range. */
  private long first(JsonNode node, long outer) {
    for (var field : fields) {
      var start = node.path(field.name());
      if (field.name().equals("ref")) start = start.path("start");
      else if (!field.name().equals("start")) continue;
      if (start.isIntegralNumber() && start.canConvertToLong()) return start.longValue();
    }
    return outer;
  }

  private Object make(Object[] values, String path) {
    try {
      return make.newInstance(values);
    } catch (InvocationTargetException e) {
      if (e.getCause() instanceof IllegalArgumentException wrong)
        throw new InvalidInputException(path, String.valueOf(wrong.getMessage()));
      throw unchecked(e.getCause(), "cannot make a " + type);
    } catch (ReflectiveOperationException e) {
      throw new IllegalStateException("cannot make a " + type, e);
    }
  }
}

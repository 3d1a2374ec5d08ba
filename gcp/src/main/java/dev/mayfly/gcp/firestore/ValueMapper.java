package dev.mayfly.gcp.firestore;

import com.google.firestore.v1.ArrayValue;
import com.google.firestore.v1.MapValue;
import com.google.firestore.v1.Value;
import com.google.protobuf.ByteString;
import com.google.protobuf.Timestamp;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Maps plain values to Firestore's and back: times become timestamps, bytes stay bytes.
 *
 * <p>Firestore stores microseconds and truncates finer times. It does not accept an empty field
 * name, and reserves names with two underscores at both ends. Such a name, which may occur in a
 * user's environment, gets a leading backslash.
 */
final class ValueMapper {
  private static final Pattern ESCAPED = Pattern.compile("(?s)|\\\\.*|__.*__");
  private static final Instant FIRST = Instant.parse("0001-01-01T00:00:00Z");
  private static final Instant END = Instant.parse("9999-12-31T23:59:59Z");

  private ValueMapper() {}

  static Map<String, Value> fields(Map<?, ?> plain) {
    var fields = new LinkedHashMap<String, Value>();
    plain.forEach((name, value) -> fields.put(escape((String) name), value(value)));
    return fields;
  }

  static Value value(Object plain) {
    var to = Value.newBuilder();
    return switch (plain) {
      case Map<?, ?> map -> to.setMapValue(MapValue.newBuilder().putAllFields(fields(map))).build();
      case List<?> list -> to.setArrayValue(array(list)).build();
      case byte[] bytes -> to.setBytesValue(ByteString.copyFrom(bytes)).build();
      case Instant at -> time(at);
      case Boolean flag -> to.setBooleanValue(flag).build();
      case Double number -> to.setDoubleValue(number).build();
      case Number number -> to.setIntegerValue(number.longValue()).build();
      case String text -> to.setStringValue(text).build();
      default -> throw new IllegalArgumentException("Firestore has no " + plain.getClass());
    };
  }

  private static ArrayValue array(List<?> list) {
    var array = ArrayValue.newBuilder();
    list.forEach(each -> array.addValues(value(each)));
    return array.build();
  }

  static Value time(Instant at) {
    if (at.isBefore(FIRST) || at.isAfter(END))
      return Value.newBuilder().setStringValue(at.toString()).build();
    var stamp =
        Timestamp.newBuilder().setSeconds(at.getEpochSecond()).setNanos(at.getNano() / 1000 * 1000);
    return Value.newBuilder().setTimestampValue(stamp).build();
  }

  static Map<String, Object> plain(Map<String, Value> fields) {
    var plain = new LinkedHashMap<String, Object>();
    fields.forEach((name, value) -> {
      if (!isNull(value)) plain.put(name.startsWith("\\") ? name.substring(1) : name, plain(value));
    });
    return plain;
  }

  private static boolean isNull(Value value) {
    return value.getValueTypeCase() == Value.ValueTypeCase.NULL_VALUE;
  }

  private static Object plain(Value value) {
    return switch (value.getValueTypeCase()) {
      case MAP_VALUE -> plain(value.getMapValue().getFieldsMap());
      case ARRAY_VALUE ->
          value.getArrayValue().getValuesList().stream().map(ValueMapper::plain).toList();
      case BYTES_VALUE -> value.getBytesValue().toByteArray();
      case TIMESTAMP_VALUE -> instant(value.getTimestampValue());
      case BOOLEAN_VALUE -> value.getBooleanValue();
      case DOUBLE_VALUE -> value.getDoubleValue();
      case INTEGER_VALUE -> value.getIntegerValue();
      default -> value.getStringValue();
    };
  }

  static Instant instant(Timestamp stamp) {
    return Instant.ofEpochSecond(stamp.getSeconds(), stamp.getNanos());
  }

  static String escape(String name) {
    return ESCAPED.matcher(name).matches() ? "\\" + name : name;
  }
}

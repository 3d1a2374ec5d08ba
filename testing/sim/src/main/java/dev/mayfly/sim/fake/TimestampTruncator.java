package dev.mayfly.sim.fake;

import dev.mayfly.core.model.document.LedgerDocument;
import java.lang.reflect.RecordComponent;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Truncates every time in a document to the microsecond, as Firestore does. A document written with
 * a finer clock differs from what another instance reads.
 */
final class TimestampTruncator {
  private static final Map<Class<?>, RecordComponent[]> PARTS = new ConcurrentHashMap<>();

  private TimestampTruncator() {}

  static LedgerDocument kept(LedgerDocument ledgerDocument) {
    return finer(ledgerDocument) ? (LedgerDocument) cut(ledgerDocument) : ledgerDocument;
  }

  /** Most documents have whole microseconds and are not rebuilt. */
  private static boolean finer(Object value) {
    return switch (value) {
      case Instant at -> !at.equals(at.truncatedTo(ChronoUnit.MICROS));
      case Optional<?> some -> some.filter(TimestampTruncator::finer).isPresent();
      case List<?> list -> list.stream().anyMatch(TimestampTruncator::finer);
      case Map<?, ?> map -> map.values().stream().anyMatch(TimestampTruncator::finer);
      case Record record -> Arrays.stream(parts(record)).anyMatch(p -> finer(part(p, record)));
      default -> false;
    };
  }

  private static Object cut(Object value) {
    return switch (value) {
      case Instant at -> at.truncatedTo(ChronoUnit.MICROS);
      case Optional<?> some -> some.map(TimestampTruncator::cut);
      case List<?> list -> list.stream().map(TimestampTruncator::cut).toList();
      case Map<?, ?> map -> map(map);
      case Record record -> cut(record);
      default -> value;
    };
  }

  private static Object map(Map<?, ?> was) {
    var next = new LinkedHashMap<Object, Object>();
    was.forEach((key, value) -> next.put(key, cut(value)));
    return next;
  }

  private static Record cut(Record was) {
    var parts = parts(was);
    var types = Arrays.stream(parts).map(RecordComponent::getType).toArray(Class<?>[]::new);
    var values = Arrays.stream(parts).map(p -> cut(part(p, was))).toArray();
    try {
      return was.getClass().getConstructor(types).newInstance(values);
    } catch (ReflectiveOperationException closed) {
      throw new IllegalStateException(was.getClass() + " can't be built again", closed);
    }
  }

  private static RecordComponent[] parts(Record record) {
    return PARTS.computeIfAbsent(record.getClass(), Class::getRecordComponents);
  }

  private static Object part(RecordComponent part, Record of) {
    try {
      return part.getAccessor().invoke(of);
    } catch (ReflectiveOperationException closed) {
      throw new IllegalStateException(part + " can't be read", closed);
    }
  }
}

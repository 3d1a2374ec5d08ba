package dev.mayfly.wire;

import dev.mayfly.core.model.TaskMetrics;
import java.util.Map;
import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.json.JsonFactory;
import tools.jackson.core.json.JsonReadFeature;

/**
 * Reads the lines that a task appends to {@code $MAYFLY_METRICS}, each an object with numbers:
 * {@code {"step": 3, "acc": 0.93}}.
 */
public final class MetricsLines {
  /** NaN and Infinity are no JSON; Python's writer writes them nevertheless. */
  private static final JsonFactory JSON =
      JsonFactory.builder().enable(JsonReadFeature.ALLOW_NON_NUMERIC_NUMBERS).build();

  private MetricsLines() {}

  /**
   * Adds a line's numbers to those known, newer over older. A name whose new value is no finite
   * number has none any more: a loss that diverged would else keep its last good value. Of NaN and
   * infinities it stays known that it had one, as {@link TaskMetrics#diverged(String)}. Left out
   * are the rest of a line that is no JSON, and names beyond {@link TaskMetrics#NAMES}.
   */
  public static void addTo(Map<String, Double> known, String line) {
    try (var parser = JSON.createParser(ObjectReadContext.empty(), line)) {
      if (parser.nextToken() != JsonToken.START_OBJECT) return;
      while (parser.nextToken() == JsonToken.PROPERTY_NAME) {
        var name = parser.currentName();
        var value = parser.nextToken();
        if (value == null) return;
        if (value.isNumeric()) add(known, name, parser.getDoubleValue());
        else known.remove(name);
        parser.skipChildren();
      }
    } catch (JacksonException noJson) {
      // What stood before is a task's word too.
      return;
    }
  }

  private static void add(Map<String, Double> known, String name, double value) {
    if (!TaskMetrics.isMetric(name, value)) {
      if (known.remove(name) != null) known.put(TaskMetrics.diverged(name), 1.0);
      return;
    }
    known.remove(TaskMetrics.diverged(name));
    if (known.size() < TaskMetrics.NAMES || known.containsKey(name)) known.put(name, value);
  }
}

package dev.mayfly.wire.document;

import dev.mayfly.wire.syntax.SyntaxNode;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import java.util.regex.Pattern;

/**
 * Reads {@code tasks.samples}: values of each {name} drawn at random. The same document gives the
 * same values, and a larger count adds samples to those of a smaller one, so that a sweep can be
 * submitted again with more.
 */
final class SampleReader {
  private static final long MAX_TASKS = 10_000;

  /** Digits of a drawn number: short enough for names of outputs. */
  private static final MathContext DIGITS = new MathContext(6);

  private static final Pattern NUMBER =
      Pattern.compile("-?[0-9]{1,12}([.][0-9]{1,12})?([eE][-+]?[0-9]{1,2})?");

  private final FieldReader samples;
  private final Map<String, SyntaxNode.Mapping> distributions = new LinkedHashMap<>();

  SampleReader(FieldReader samples) {
    this.samples = samples;
    samples
        .child("values")
        .mapping()
        .fields()
        .forEach((name, node) -> {
          if (node instanceof SyntaxNode.Mapping mapping) distributions.put(name, mapping);
        });
  }

  Set<String> names() {
    return distributions.keySet();
  }

  long count() {
    return Math.min(MAX_TASKS, samples.integer("count", 1));
  }

  /** One task's values each; empty if a distribution is invalid, which is a problem then. */
  List<Map<String, String>> rows() {
    if (!valid()) return List.of();
    var rows = new ArrayList<Map<String, String>>();
    for (var number = 0; number < count(); number++) {
      // A generator of its own, so that one more {name} changes no other name's values.
      var row = new LinkedHashMap<String, String>();
      for (var distribution : distributions.entrySet()) {
        var seed = samples.integer("seed", 0) * 31 + distribution.getKey().hashCode();
        var random = new SplittableRandom(seed * 1_000_003L + number);
        row.put(distribution.getKey(), drawn(of(distribution.getKey()), random));
      }
      rows.add(row);
    }
    return rows;
  }

  private FieldReader of(String name) {
    return samples.child("values").child(name);
  }

  private boolean valid() {
    var valid = true;
    for (var name : distributions.keySet()) {
      var reader = of(name);
      for (var field : List.of("uniform", "log", "int")) {
        if (reader.mapping().get(field).isEmpty()) continue;
        var range = range(reader, field);
        if (range.size() != 2) valid = false;
        else if (range.get(0).compareTo(range.get(1)) > 0) {
          reader.addProblem(
              field,
              "goes from %s to %s; write the smaller first"
                  .formatted(range.get(0).toPlainString(), range.get(1).toPlainString()));
          valid = false;
        } else if (field.equals("log") && range.get(0).signum() <= 0) {
          reader.addProblem(
              field,
              "begins at %s, which has no logarithm; write a number above 0, or uniform"
                  .formatted(range.get(0).toPlainString()));
          valid = false;
        }
      }
    }
    return valid;
  }

  private static String drawn(FieldReader reader, SplittableRandom random) {
    var choices =
        reader.list("choice").stream().flatMap(n -> FieldReader.scalar(n).stream()).toList();
    if (!choices.isEmpty()) return choices.get(random.nextInt(choices.size()));
    var whole = range(reader, "int");
    if (whole.size() == 2)
      return Long.toString(random.nextLong(whole.get(0).longValue(), whole.get(1).longValue() + 1));
    var uniform = range(reader, "uniform");
    if (isOne(uniform)) return first(reader, "uniform");
    if (uniform.size() == 2)
      return text(random.nextDouble(uniform.get(0).doubleValue(), uniform.get(1).doubleValue()));
    var log = range(reader, "log");
    if (isOne(log)) return first(reader, "log");
    if (log.size() != 2) return "";
    return text(
        Math.exp(
            random.nextDouble(
                Math.log(log.get(0).doubleValue()), Math.log(log.get(1).doubleValue()))));
  }

  /** A range of one value, as files of tuners have it for what is not searched. */
  private static boolean isOne(List<BigDecimal> range) {
    return range.size() == 2 && range.getFirst().compareTo(range.getLast()) == 0;
  }

  private static String first(FieldReader reader, String field) {
    return FieldReader.scalar(reader.list(field).getFirst()).orElse("");
  }

  private static String text(double number) {
    return BigDecimal.valueOf(number).round(DIGITS).stripTrailingZeros().toString();
  }

  /** A document's {@code 1e-5} is a text, because texts reach a command as written. */
  private static List<BigDecimal> range(FieldReader reader, String field) {
    return reader.list(field).stream()
        .flatMap(node -> FieldReader.scalar(node).stream())
        .filter(text -> NUMBER.matcher(text).matches())
        .map(BigDecimal::new)
        .toList();
  }
}

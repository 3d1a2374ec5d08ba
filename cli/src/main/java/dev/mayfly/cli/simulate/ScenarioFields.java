package dev.mayfly.cli.simulate;

import dev.mayfly.core.error.InputError;
import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.sim.expectation.Bound;
import dev.mayfly.sim.scenario.DurationModel;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.DurationFormat;
import dev.mayfly.wire.text.SingleLineText;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/** One object of a scenario: reads its fields, and notes what is wrong with its place. */
final class ScenarioFields {
  /** The longest time that a file may name, and that a simulated task may run. */
  static final Duration LONGEST = Duration.ofDays(24);

  private static final Pattern PART = Pattern.compile("(\\d{1,3}(?:[.]\\d{1,6})?)\\s*%");
  private static final Pattern NUMBER = Pattern.compile("\\d{1,3}(?:[.]\\d{1,9})?");
  private static final Pattern AMOUNT = Pattern.compile("\\d{1,9}(?:[.]\\d{1,9})?");
  static final Set<String> MODELS = new TreeSet<>(List.of("from", "to", "median", "p90", "seen"));

  /** As {@link #MODELS}, with what is for tasks alone, or for machines. */
  static final Set<String> TASK_MODELS = with("tasks");

  static final Set<String> BOOT_MODELS = with("workers");
  private static final int SHOWN = 100;
  private static final double HUNDRED = 100;

  private static Set<String> with(String more) {
    var models = new TreeSet<>(MODELS);
    models.add(more);
    return models;
  }

  private final String label;
  private final String path;
  private final SyntaxNode.Mapping fields;
  private final List<InputError> errors;

  private ScenarioFields(
      String label, String path, SyntaxNode.Mapping fields, List<InputError> errors) {
    this.label = label;
    this.path = path;
    this.fields = fields;
    this.errors = errors;
  }

  /**
   * @param path of the object in the file; empty for the whole
   * @param known the names that its fields may have
   */
  static ScenarioFields of(
      String label,
      String path,
      SyntaxNode.Mapping fields,
      Set<String> known,
      List<InputError> errors) {
    var read = new ScenarioFields(label, path, fields, errors);
    for (var name : fields.fields().keySet())
      if (!known.contains(name))
        read.add(
            name,
            "is not a field here; the fields are %s%s"
                .formatted(String.join(", ", known), SpellingSuggestion.hint(name, known)));
    return read;
  }

  boolean has(String name) {
    return fields.get(name).filter(it -> !(it instanceof SyntaxNode.Null)).isPresent();
  }

  private String at(String name) {
    return path.isEmpty() ? name : path + "." + name;
  }

  void add(String name, String message) {
    var line = fields.get(name).orElse(fields).line();
    var where = at(name);
    errors.add(new InputError("%s:%d: %s".formatted(label, line, where), message));
  }

  Optional<String> text(String name) {
    if (!has(name)) return Optional.empty();
    var value = fields.get(name).flatMap(ScenarioFields::scalar);
    if (value.isEmpty()) add(name, "is not a text; write one value");
    return value;
  }

  /** A text that must be there. */
  String required(String name, String like) {
    if (!has(name)) add(name, "is missing; write " + like);
    return text(name).orElse("");
  }

  private static Optional<String> scalar(SyntaxNode node) {
    return switch (node) {
      case SyntaxNode.Text text -> Optional.of(text.value());
      case SyntaxNode.Literal literal -> Optional.of(literal.written());
      default -> Optional.empty();
    };
  }

  Optional<Long> integer(String name, long least, long most) {
    var written = text(name);
    if (written.isEmpty()) return Optional.empty();
    var value = whole(written.get()).filter(n -> n >= least && n <= most);
    if (value.isEmpty())
      add(
          name,
          "is '%s'; write a whole number from %d to %d"
              .formatted(SingleLineText.of(written.get(), SHOWN), least, most));
    return value;
  }

  private static Optional<Long> whole(String text) {
    return text.matches("\\d{1,12}") ? Optional.of(Long.parseLong(text)) : Optional.empty();
  }

  /** A part of something, from 0 to 1: {@code 10%} or {@code 0.1}. */
  Optional<Double> part(String name) {
    var written = text(name);
    if (written.isEmpty()) return Optional.empty();
    var percent = PART.matcher(written.get());
    Optional<Double> value = Optional.empty();
    if (percent.matches()) value = Optional.of(Double.parseDouble(percent.group(1)) / HUNDRED);
    else if (NUMBER.matcher(written.get()).matches())
      value = Optional.of(Double.parseDouble(written.get()));
    if (value.filter(it -> it <= 1).isPresent()) return value;
    add(
        name,
        "is '%s'; write a part such as 10%%, from 0%% to 100%%"
            .formatted(SingleLineText.of(written.get(), SHOWN)));
    return Optional.empty();
  }

  Optional<Duration> duration(String name) {
    return text(name).flatMap(written -> duration(name, written));
  }

  private Optional<Duration> duration(String name, String written) {
    try {
      var value = DurationFormat.read(written);
      if (!value.isNegative() && value.compareTo(LONGEST) <= 0) return Optional.of(value);
      add(name, "is '%s'; write a time from 0s to %s".formatted(written, days()));
    } catch (IllegalArgumentException no) {
      add(name, String.valueOf(no.getMessage()));
    }
    return Optional.empty();
  }

  private static String days() {
    return DurationFormat.write(LONGEST);
  }

  /** How long tasks run: a duration, or how durations differ. */
  Optional<DurationModel> taskDurations(String name, RecordedDurations recorded) {
    return durations(name, TASK_MODELS, recorded);
  }

  /** How long machines boot: the same. */
  Optional<DurationModel> bootDurations(String name, RecordedDurations recorded) {
    return durations(name, BOOT_MODELS, recorded);
  }

  private Optional<DurationModel> durations(
      String name, Set<String> models, RecordedDurations recorded) {
    if (!has(name)) return Optional.empty();
    if (!(fields.at(name) instanceof SyntaxNode.Mapping mapping))
      return duration(name).map(it -> new DurationModel.Uniform(it, it));
    return of(label, at(name), mapping, models, errors).model(this, name, recorded);
  }

  private Optional<DurationModel> model(
      ScenarioFields above, String name, RecordedDurations recorded) {
    if (has("tasks")) return recorded.ofTasks(this);
    if (has("workers")) return recorded.ofWorkers(this);
    if (has("seen")) {
      var seen = new ArrayList<Duration>();
      for (var item : sequence("seen"))
        scalar(item).flatMap(text -> duration("seen", text)).ifPresent(seen::add);
      if (seen.isEmpty()) add("seen", "has no durations; write [10m, 12m]");
      return seen.isEmpty() ? Optional.empty() : Optional.of(new DurationModel.Seen(seen));
    }
    if (has("from") && has("to")) return pair("from", "to", DurationModel.Uniform::new);
    if (has("median") && has("p90")) return pair("median", "p90", DurationModel.LogNormal::new);
    above.add(
        name,
        "says no durations; write 20m, {from: 15m, to: 30m}, {median: 20m, p90: 35m}, {seen: [18m, 25m]} or %s"
            .formatted(
                name.equals("boot") ? "{workers: lab-workers.json}" : "{tasks: tasks.json}"));
    return Optional.empty();
  }

  private interface Pair {
    DurationModel of(Duration first, Duration second);
  }

  private Optional<DurationModel> pair(String first, String second, Pair model) {
    var low = duration(first);
    var high = duration(second);
    if (low.isEmpty() || high.isEmpty()) return Optional.empty();
    if (low.get().compareTo(high.get()) > 0)
      add(second, "is shorter than %s; write the longer one here".formatted(first));
    else if (first.equals("median") && low.get().isZero())
      add(first, "is 0s; write a longer time, or from and to");
    else return Optional.of(model.of(low.get(), high.get()));
    return Optional.empty();
  }

  List<SyntaxNode> sequence(String name) {
    if (!has(name)) return List.of();
    if (fields.at(name) instanceof SyntaxNode.Sequence list) return list.items();
    add(name, "is not a list; write one entry or more, each after a dash");
    return List.of();
  }

  /** One text, or several. */
  List<String> list(String name) {
    if (!has(name)) return List.of();
    if (!(fields.at(name) instanceof SyntaxNode.Sequence all)) return text(name).stream().toList();
    return all.items().stream().flatMap(item -> scalar(item).stream()).toList();
  }

  /** A number, or at least and at most how much. */
  Optional<Bound> bound(String name, Set<String> known) {
    if (!has(name)) return Optional.empty();
    if (!(fields.at(name) instanceof SyntaxNode.Mapping mapping))
      return number(name).map(Bound::exactly);
    var read = of(label, at(name), mapping, known, errors);
    var bound = new Bound(read.number("least"), read.number("most"));
    if (bound.least().isEmpty() && bound.most().isEmpty())
      add(name, "has neither least nor most; write {most: 4}");
    return Optional.of(bound);
  }

  private Optional<Double> number(String name) {
    var written = text(name);
    if (written.isEmpty()) return Optional.empty();
    if (PART.matcher(written.get()).matches()) return part(name);
    if (AMOUNT.matcher(written.get()).matches())
      return Optional.of(Double.parseDouble(written.get()));
    add(
        name,
        "is '%s'; write a number such as 4".formatted(SingleLineText.of(written.get(), SHOWN)));
    return Optional.empty();
  }

  /** Whether it is {@code true}; a default where it is left out. */
  boolean flag(String name, boolean otherwise) {
    var written = text(name);
    if (written.isEmpty()) return otherwise;
    if (!written.get().matches("true|false")) add(name, "is not true or false");
    return written.get().equals("true");
  }

  /** The field as an object, if it is one. */
  Optional<SyntaxNode.Mapping> mapping(String name) {
    return fields.get(name).orElse(null) instanceof SyntaxNode.Mapping mapping
        ? Optional.of(mapping)
        : Optional.empty();
  }

  /** An object whose fields are texts of any name. */
  Map<String, String> texts(String name) {
    var all = new LinkedHashMap<String, String>();
    if (!has(name)) return all;
    if (!(node(name) instanceof SyntaxNode.Mapping mapping)) {
      add(name, "is no object; write fields such as lr: 0.1");
      return all;
    }
    var read = of(label, at(name), mapping, mapping.fields().keySet(), errors);
    for (var field : mapping.fields().keySet())
      read.text(field).ifPresent(value -> all.put(field, value));
    return all;
  }

  /** The node of a field that is there. */
  SyntaxNode node(String name) {
    return fields.at(name);
  }

  /** The objects of a list. */
  List<ScenarioFields> objects(String name, Set<String> known) {
    var all = new ArrayList<ScenarioFields>();
    for (var item : sequence(name)) {
      var where = "%s%s[%d]".formatted(path.isEmpty() ? "" : path + ".", name, all.size());
      if (item instanceof SyntaxNode.Mapping mapping)
        all.add(of(label, where, mapping, known, errors));
      else
        add(
            name,
            "has an entry that is no object; write fields such as %s: …"
                .formatted(known.iterator().next()));
    }
    return all;
  }
}

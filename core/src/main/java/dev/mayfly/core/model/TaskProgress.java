package dev.mayfly.core.model;

import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;

/**
 * How far an attempt is by what it reports itself: a count, and all that it will count. The names
 * are those of Hugging Face's Trainer, PyTorch Lightning and Ray Tune.
 *
 * @param name of what is counted, as people say it: {@code step}, also of a {@code global_step}
 * @param at between 0 and {@code of}
 * @param secondsEach what one takes, by those that this attempt has counted; empty before two
 *     counts were read, and of an agent of before
 */
public record TaskProgress(String name, double at, double of, Optional<Double> secondsEach) {
  private static final String SECONDS_EACH = TaskUse.OWN + "seconds-each";
  private static final List<String> STEPS = List.of("total_steps", "max_steps", "steps");

  /** A count, and what tasks call all of it: the first that is there counts. */
  private record Count(String name, List<String> totals) {
    String unit() {
      return name.replaceFirst("^(global|training)_", "");
    }
  }

  /** A step tells more than an epoch. */
  private static final List<Count> COUNTS =
      List.of(
          new Count("step", STEPS),
          new Count("global_step", STEPS),
          new Count("training_iteration", List.of("iterations")),
          new Count("iteration", List.of("iterations", "total_iterations", "max_iterations")),
          new Count("epoch", List.of("total_epochs", "max_epochs", "epochs", "num_train_epochs")));

  /** Empty if the metrics have no count with its total. */
  public static Optional<TaskProgress> of(Map<String, Double> metrics) {
    for (var count : COUNTS) {
      var at = metrics.get(count.name);
      var total =
          count.totals.stream()
              .filter(metrics::containsKey)
              .map(metrics::get)
              .filter(all -> all > 0)
              .findFirst();
      if (at != null && total.isPresent())
        return Optional.of(
            new TaskProgress(
                count.unit(),
                Math.clamp(at, 0, total.get()),
                total.get(),
                Optional.ofNullable(metrics.get(SECONDS_EACH)).filter(each -> each >= 0)));
    }
    return Optional.empty();
  }

  /** The metrics with what one takes. */
  public static Map<String, Double> among(Map<String, Double> metrics, double secondsEach) {
    var values = new HashMap<>(metrics);
    values.put(SECONDS_EACH, secondsEach);
    return values;
  }

  /** The same of an attempt that goes on from there, as fast. */
  public TaskProgress from(double count) {
    return new TaskProgress(name, count, of, secondsEach);
  }

  /** From 0 to 1. */
  public double part() {
    return at / of;
  }

  /** What the rest takes, if the others take as long each. */
  public Optional<Double> secondsLeft() {
    return secondsEach.map(each -> each * (of - at));
  }

  /** What all of it takes, if each takes as long. */
  public Optional<Double> secondsOfAll() {
    return secondsEach.map(each -> each * of);
  }

  /** {@code step 120 of 1,000}. */
  public String text() {
    return "%s %s of %s".formatted(name, text(at), text(of));
  }

  private static String text(double value) {
    return String.format(Locale.ROOT, value == Math.rint(value) ? "%,.0f" : "%,.1f", value);
  }
}

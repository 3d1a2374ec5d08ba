package dev.mayfly.core.text;

import dev.mayfly.core.model.sync.SyncReport.BootStep;
import java.util.List;
import java.util.stream.Collectors;

/** Summarizes a machine's way from power-on to its first task, for people. */
public final class BootStepSummary {
  private static final int MAX_CHARACTERS = 1_000;

  private BootStepSummary() {}

  /** For example {@code runtime 3.1 s, mount /data 0.2 s FAILED: no such export}. */
  public static String text(List<BootStep> steps) {
    var text = steps.stream().map(BootStepSummary::one).collect(Collectors.joining("; "));
    return text.length() <= MAX_CHARACTERS ? text : text.substring(0, MAX_CHARACTERS) + "…";
  }

  /** Those that failed; empty if none did. */
  public static String failed(List<BootStep> steps) {
    return text(steps.stream().filter(step -> step.error().isPresent()).toList());
  }

  private static String one(BootStep step) {
    var seconds = Math.floorDiv(step.took().toMillis(), 100) / 10.0;
    return step.name() + " " + seconds + " s" + step.error().map(e -> " FAILED: " + e).orElse("");
  }
}

package dev.mayfly.cli.output;

import java.util.Arrays;

/** The meaning of a piece of text, shown as a colour. */
public enum Style {
  PLAIN(""),
  TITLE("1"),
  FAINT("2"),
  GOOD("32"),
  WARN("33"),
  BAD("31");

  private final String code;

  Style(String code) {
    this.code = code;
  }

  private static final String END = "\u001b[0m";

  String paint(String text) {
    return code.isEmpty() || text.isEmpty() ? text : begin() + text + END;
  }

  private String begin() {
    return "\u001b[" + code + "m";
  }

  /** Whether a terminal's command begins or ends one of these styles. */
  static boolean isCode(String command) {
    if (command.equals(END)) return true;
    return Arrays.stream(values()).anyMatch(s -> !s.code.isEmpty() && s.begin().equals(command));
  }

  /** The style of a job's or a worker's state. */
  public static Style of(String state) {
    return switch (state) {
      case "up", "ready", "succeeded", "running", "done" -> GOOD;
      case "failed", "lost", "unfit", "inconsistent", "refused" -> BAD;
      case "draining",
          "drained",
          "stopping",
          "stopped",
          "going",
          "preparing",
          "cordoned",
          "skipped",
          "paused" ->
          WARN;
      case "gone" -> FAINT;
      default -> PLAIN;
    };
  }
}

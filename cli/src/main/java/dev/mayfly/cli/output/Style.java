package dev.mayfly.cli.output;

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

  String paint(String text) {
    return code.isEmpty() || text.isEmpty() ? text : "\u001b[" + code + "m" + text + "\u001b[0m";
  }

  /** The style of a job's or a worker's state. */
  public static Style of(String state) {
    return switch (state) {
      case "up", "ready", "succeeded", "running", "done" -> GOOD;
      case "failed", "lost", "unfit", "inconsistent" -> BAD;
      case "draining", "drained", "stopping", "stopped", "going", "preparing" -> WARN;
      case "gone" -> FAINT;
      default -> PLAIN;
    };
  }
}

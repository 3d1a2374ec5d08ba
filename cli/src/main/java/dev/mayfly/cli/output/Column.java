package dev.mayfly.cli.output;

/**
 * A column of a table, and what becomes of it where the table has not enough room. {@link
 * TableLayout} applies it.
 *
 * @param least how many columns of the terminal it keeps as long as it is shown
 * @param leaves its turn to be left out, 1 first; 0 if it stays
 */
public record Column(String title, Kind kind, boolean right, int least, int leaves) {
  private static final int LEAST = 6;
  private static final int LEAST_NAME = 12;
  private static final int LEAST_REMARK = 24;

  /** How a column gets narrower. */
  public enum Kind {
    /** A word or a number: cut only if nothing else helps. */
    WORD,
    /** Cut at its end. */
    TEXT,
    /** Cut where names of the column are equal, or in the middle: they differ at their ends. */
    NAME,
    /** The first that is cut, between words. */
    REMARK,
    /** As a remark, but continued below instead of cut. */
    PROSE
  }

  public static Column word(String title) {
    return new Column(title, Kind.WORD, false, Integer.MAX_VALUE, 0);
  }

  public static Column number(String title) {
    return new Column(title, Kind.WORD, true, Integer.MAX_VALUE, 0);
  }

  public static Column text(String title) {
    return new Column(title, Kind.TEXT, false, Math.max(LEAST, title.length()), 0);
  }

  public static Column name(String title) {
    return new Column(title, Kind.NAME, false, LEAST_NAME, 0);
  }

  public static Column remark(String title) {
    return new Column(title, Kind.REMARK, false, LEAST_REMARK, 0);
  }

  public static Column prose(String title) {
    return new Column(title, Kind.PROSE, false, LEAST_REMARK, 0);
  }

  /** With another least width. */
  public Column least(int columns) {
    return new Column(title, kind, right, columns, leaves);
  }

  /** It may be left out when it is its turn. */
  public Column leaves(int turn) {
    return new Column(title, kind, right, least, turn);
  }

  Column aligned(boolean toTheRight) {
    return new Column(title, kind, toTheRight, least, leaves);
  }

  boolean isFree() {
    return kind == Kind.REMARK || kind == Kind.PROSE;
  }
}

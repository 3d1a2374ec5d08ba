package dev.mayfly.cli.show;

/** One field of a table. */
public record Cell(String text, Tone tone) {
  public Cell {
    text = Printable.line(text);
  }

  public static Cell of(String text) {
    return new Cell(text, Tone.PLAIN);
  }

  public static Cell of(long number) {
    return of(Words.count(number));
  }

  /** A state's word in its tone. */
  public static Cell state(String word) {
    return new Cell(word, Tone.of(word));
  }
}

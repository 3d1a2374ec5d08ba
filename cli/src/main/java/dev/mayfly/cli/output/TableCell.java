package dev.mayfly.cli.output;

/** One field of a table. */
public record TableCell(String text, Style tone) {
  public TableCell {
    text = PrintableText.line(text);
  }

  public static TableCell of(String text) {
    return new TableCell(text, Style.PLAIN);
  }

  public static TableCell of(long number) {
    return of(HumanFormat.count(number));
  }

  /** A state in its style. */
  public static TableCell state(String word) {
    return new TableCell(word, Style.of(word));
  }
}

package dev.mayfly.core.text;

import java.util.ArrayList;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * How a job ended, in one text: why its tasks failed, how many ended how, and who stopped it. A
 * list has the numbers in columns, and shows the rest.
 */
public final class EndText {
  private static final String NUMBER = "[0-9][0-9.,]*";
  private static final Pattern WHOLE =
      Pattern.compile(
          "(?:(?<cause>.*); )?%1$s done(?: \\((?<parts>[^)]*)\\))?(?:, %1$s (?:failed for good|stopped|not finished))*(?:[,;] (?<rest>.*))?"
              .formatted(NUMBER),
          Pattern.DOTALL);

  private EndText() {}

  /**
   * @param cause why most attempts failed
   * @param counts begins with {@code 3 done}
   */
  public static String of(Optional<String> cause, String counts) {
    return cause.map(text -> text.strip() + "; ").orElse("") + counts;
  }

  /** The text without what columns of numbers say; as it is if it has no numbers. */
  public static String withoutCounts(String text) {
    return parts(text, "cause", "parts", "rest");
  }

  /** Why it ended so, without any number of tasks; blank if the text has numbers alone. */
  public static String reason(String text) {
    return parts(text, "cause", "rest");
  }

  private static String parts(String text, String... names) {
    var whole = WHOLE.matcher(text);
    if (!whole.matches()) return text;
    var left = new ArrayList<String>();
    for (var part : names) Optional.ofNullable(whole.group(part)).ifPresent(left::add);
    return String.join("; ", left);
  }
}

package dev.mayfly.cli.session;

import dev.mayfly.cli.error.CommandException;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.regex.Pattern;

/**
 * A target as the user writes it: {@code WORKER[.HOST]} or {@code JOB[/INDEX[.RANK]]}. Without an
 * index, only the control plane knows which of the two a name is.
 *
 * @param name of a job, alone or after its owner as {@code OWNER/NAME}, or of a worker, or a job's
 *     uid
 * @param number the number after the dot: a host or a rank
 */
record TargetName(String name, OptionalLong index, OptionalInt number) {
  private static final Pattern FORM =
      Pattern.compile(
          "([A-Za-z0-9][-A-Za-z0-9_.@+]{0,99}/[a-z][-a-z0-9]{0,41}|[A-Za-z0-9][-A-Za-z0-9_]{0,127})"
              + "(?:/([0-9]{1,9}))?(?:[.]([0-9]{1,4}))?");

  /** Throws {@link CommandException} for any other text. */
  static TargetName of(String text) {
    var form = FORM.matcher(text);
    if (!form.matches())
      throw CommandException.input(
          "'"
              + text
              + "' names neither a worker nor a task; write WORKER, or JOB/INDEX such as train/0 or ann/train/0;"
              + " .N names host N of a slice or rank N of a gang");
    return new TargetName(
        form.group(1),
        form.group(2) == null
            ? OptionalLong.empty()
            : OptionalLong.of(Long.parseLong(form.group(2))),
        form.group(3) == null
            ? OptionalInt.empty()
            : OptionalInt.of(Integer.parseInt(form.group(3))));
  }

  boolean isTask() {
    return index.isPresent();
  }
}

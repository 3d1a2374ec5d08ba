package dev.mayfly.cli.copy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.port.ObjectUrl;
import java.nio.file.Path;
import java.util.regex.Pattern;

/** One end of a copy, as the user writes it. */
sealed interface CopyPlace {
  Pattern ON_MACHINE =
      Pattern.compile(
          "([A-Za-z0-9][-A-Za-z0-9_]{0,127}(?:/[0-9]{1,9})?(?:[.][0-9]{1,4})?):(.*)",
          Pattern.DOTALL);

  /** A file or folder of this computer. */
  record Local(Path path, boolean inside) implements CopyPlace {}

  /** {@code -}: the standard input as a source, the standard output as a destination. */
  record Standard() implements CopyPlace {}

  /**
   * A file or folder of a worker, or beside a task.
   *
   * @param target as in {@code mayfly attach}
   * @param path relative to the task's folder, or to the home folder on a worker
   */
  record OnMachine(String target, String path) implements CopyPlace {}

  /** An object, or all objects of a folder. */
  record InBucket(ObjectUrl url) implements CopyPlace {
    /** Whether the user means a folder: its name ends with a slash, or it is the whole bucket. */
    boolean isFolder() {
      return url.name().isEmpty() || url.name().endsWith("/");
    }
  }

  /**
   * Parses {@code gs://bucket/name}, {@code TARGET:PATH}, {@code -} or a local path. A local name
   * with a colon, and a file that is called {@code -}, is written with {@code ./} before it.
   *
   * @param folder to which local paths are relative
   */
  static CopyPlace of(String text, Path folder) {
    if (text.isEmpty()) throw CommandException.input("a place is empty; write . for this folder");
    if (text.equals("-")) return new Standard();
    if (text.startsWith("gs://")) {
      try {
        return new InBucket(ObjectUrl.of(text));
      } catch (IllegalArgumentException wrong) {
        throw CommandException.input(String.valueOf(wrong.getMessage()), wrong);
      }
    }
    var machine = ON_MACHINE.matcher(text);
    if (machine.matches()) {
      var path = machine.group(2);
      return new OnMachine(machine.group(1), path.isEmpty() ? "." : path);
    }
    return new Local(folder.resolve(text).normalize(), text.endsWith("/"));
  }

  /**
   * What a copy into a folder is called: by what the user wrote, never by what a machine answers,
   * which could be {@code .bashrc}.
   */
  default String copyName() {
    return switch (this) {
      case OnMachine there -> {
        var name = lastName(there.path);
        yield name.isEmpty() ? there.target.replace('/', '-') : name;
      }
      case InBucket there -> {
        var name = lastName(there.url.name());
        yield name.isEmpty() ? there.url.root().substring("gs://".length()) : name;
      }
      case Standard _ -> "-";
      case Local local -> String.valueOf(local.path.getFileName());
    };
  }

  /** The last name in a path; empty if it has none, as {@code .} and {@code /}. */
  static String lastName(String path) {
    var plain = path.replaceAll("/+$", "");
    var name = plain.substring(plain.lastIndexOf('/') + 1);
    return name.equals(".") || name.equals("..") ? "" : name;
  }
}

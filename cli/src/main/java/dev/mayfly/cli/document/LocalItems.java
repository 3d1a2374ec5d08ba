package dev.mayfly.cli.document;

import dev.mayfly.cli.context.DocumentFile;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.wire.ParsedDocument;
import dev.mayfly.wire.items.FileItems;
import dev.mayfly.wire.items.ItemsFileReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** Files of items beside a job's file. */
public final class LocalItems {
  private LocalItems() {}

  /**
   * Reads the file. Throws {@link InvalidInputException} with the place of what is wrong in it, or
   * of its name in the document.
   *
   * @param folder to which the file is relative
   */
  public static FileItems read(ParsedDocument job, String file, Path folder) {
    var path = folder.resolve(file).normalize();
    try {
      if (Files.isRegularFile(path) && Files.size(path) > ItemsFileReader.MOST_BYTES)
        throw new InvalidInputException(
            job.at().of("tasks.items.file"),
            "'%s' is larger than %d MB; make it several jobs"
                .formatted(file, ItemsFileReader.MOST_BYTES >> 20));
      return ItemsFileReader.read(file, DocumentFile.bytes(path.toString()));
    } catch (CommandException | IOException unreadable) {
      throw new InvalidInputException(
          job.at().of("tasks.items.file"), String.valueOf(unreadable.getMessage()));
    }
  }

  private static String remedied(String message, List<String> names) {
    return message.startsWith("{") && message.contains("has no value")
        ? message + "; the columns of the tasks' file are " + String.join(", ", names)
        : message;
  }

  /**
   * The job with the names of its file's values. Throws {@link InvalidInputException} for a
   * placeholder that is none of them, at its place in the document as it was written.
   */
  public static ParsedDocument in(ParsedDocument job, String place, List<String> names) {
    try {
      return job.withItems(place, names);
    } catch (InvalidInputException no) {
      throw new InvalidInputException(
          no.problems().stream()
              .map(problem ->
                  new InputError(job.at().of(problem.path()), remedied(problem.message(), names)))
              .toList());
    }
  }
}

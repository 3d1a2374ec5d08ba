package dev.mayfly.cli.document;

import dev.mayfly.core.error.InputError;
import java.util.List;

/**
 * What {@code mayfly validate} found.
 *
 * @param documents those that could be read, in the order of the files
 * @param errors what makes a document unusable
 * @param warnings what is allowed, and seldom meant
 */
record Validation(List<Document> documents, List<InputError> errors, List<InputError> warnings) {
  /**
   * One document.
   *
   * @param place its file and line
   * @param result what it would do, or that it has errors
   */
  record Document(String place, String kind, String name, boolean valid, String result) {}
}

package dev.mayfly.gcp.firestore;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.document.DocumentKey;

/**
 * Maps keys to Firestore's document names.
 *
 * @param database {@code projects/p/databases/d}
 */
record DocumentNames(String database) {
  private static final int LONGEST = 1500;

  static DocumentNames of(FirestoreSettings settings) {
    return new DocumentNames(
        "projects/" + settings.project() + "/databases/" + settings.database());
  }

  /** The parent of all documents. */
  String root() {
    return database + "/documents";
  }

  /** Throws {@link InvalidInputException} for a key that Firestore cannot hold. */
  String name(DocumentKey<?> documentKey) {
    var path = documentKey.path();
    var parts = path.split("/", -1);
    if (parts.length % 2 != 0)
      throw new InvalidInputException(
          path, "is not a document's path: an id in it contains a slash or is missing");
    for (var part : parts) check(path, part);
    return root() + "/" + path;
  }

  /** The path of the document with this name, as users know it. */
  String path(String name) {
    return name.startsWith(root()) ? name.substring(root().length() + 1) : name;
  }

  private static void check(String path, String part) {
    if (part.isEmpty() || part.equals(".") || part.equals("..") || part.matches("__.*__"))
      throw new InvalidInputException(
          path, "'" + part + "' cannot be a document's id; choose another name");
    if (part.getBytes(UTF_8).length > LONGEST)
      throw new InvalidInputException(
          path, "an id is longer than " + LONGEST + " bytes; choose a shorter name");
  }
}

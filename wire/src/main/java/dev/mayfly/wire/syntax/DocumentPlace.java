package dev.mayfly.wire.syntax;

/**
 * Where a document and its fields stand, for messages.
 *
 * @param file its name; empty for a message
 * @param start the position of the document's beginning, for example {@code job.yaml:12}; may be
 *     empty
 * @param document as written, with the line of each field
 */
public record DocumentPlace(String file, String start, SyntaxNode document) {
  /** The field at {@code path}, for example {@code job.yaml:17: resources.cpu}. */
  public String of(String path) {
    var place = file.isEmpty() ? start : file + ":" + document.at(path).line();
    return place.isEmpty() || path.isEmpty() ? place + path : place + ": " + path;
  }
}

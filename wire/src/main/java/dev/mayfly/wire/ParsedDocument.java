package dev.mayfly.wire;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.wire.syntax.DocumentParser;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.syntax.SyntaxTrees;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * One checked document of a user's.
 *
 * @param name of what it is about: a Cluster's or Job's own, the {@code job} of a StopJob
 * @param json the document with its defaults and variables, as it can be published
 * @param command what it asks; a Job's code may be a folder until {@link #with} gives it a URL
 * @param place where it was read, for example {@code job.yaml:12}
 */
public record ParsedDocument(
    String kind, String name, String json, UserCommand command, String place) {
  /**
   * The same document with a field at its top set: its {@code code}, {@code owner} or {@code
   * submission}. Throws {@link InvalidInputException} if it does not fit.
   */
  public ParsedDocument with(String field, String value) {
    return changed(table().with(field, new SyntaxNode.Text(value, 1)));
  }

  /** The same document with more texts at the end of a list at its top: its {@code command}. */
  public ParsedDocument withAppended(String field, List<String> values) {
    var items = new ArrayList<SyntaxNode>();
    if (table().get(field).orElse(null) instanceof SyntaxNode.Sequence sequence)
      items.addAll(sequence.items());
    values.forEach(value -> items.add(new SyntaxNode.Text(value, 1)));
    return changed(table().with(field, new SyntaxNode.Sequence(items, 1)));
  }

  private SyntaxNode.Mapping table() {
    return (SyntaxNode.Mapping) DocumentParser.documents(bytes(), "").getFirst();
  }

  private ParsedDocument changed(SyntaxNode.Mapping document) {
    var bytes = SyntaxTrees.toJson(document).toString().getBytes(StandardCharsets.UTF_8);
    var parsedDocument = UserDocuments.parse(bytes, "", Map.of()).getFirst();
    return new ParsedDocument(kind, name, parsedDocument.json(), parsedDocument.command(), place);
  }

  public byte[] bytes() {
    return json.getBytes(StandardCharsets.UTF_8);
  }
}

package dev.mayfly.wire.syntax;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.ObjectReadContext;
import tools.jackson.core.StreamReadConstraints;
import tools.jackson.core.json.JsonFactory;

/** Parses one or more concatenated JSON documents from tokens, without object binding. */
final class JsonTreeParser {
  private static final JsonFactory JSON =
      JsonFactory.builder()
          .streamReadConstraints(
              StreamReadConstraints.builder()
                  .maxNestingDepth(DocumentLimits.NESTING + 1)
                  .maxNumberLength(100)
                  .build())
          .build();

  private JsonTreeParser() {}

  static void read(String text, NodeBuilder into) {
    try (var parser = JSON.createParser(ObjectReadContext.empty(), text)) {
      for (var token = parser.nextToken(); token != null; token = parser.nextToken())
        take(parser, parser.currentTokenLocation().getLineNr(), into);
    } catch (JacksonException e) {
      var line = e.getLocation() == null ? 1 : Math.max(1, e.getLocation().getLineNr());
      throw into.invalidAt(line, "is no JSON: " + e.getOriginalMessage());
    }
  }

  private static void take(JsonParser parser, int line, NodeBuilder into) {
    switch (parser.currentToken()) {
      case START_OBJECT -> into.start(true, line, null);
      case START_ARRAY -> into.start(false, line, null);
      case END_OBJECT, END_ARRAY -> into.end();
      case PROPERTY_NAME, VALUE_STRING -> {
        var text = parser.getString();
        into.scalar(new SyntaxNode.Text(text, line), text, null);
      }
      default -> plain(parser.getString(), line, into);
    }
  }

  private static void plain(String text, int line, NodeBuilder into) {
    var syntaxNode = ScalarResolver.resolve(text, line);
    if (syntaxNode instanceof SyntaxNode.Text)
      throw into.invalidAt(
          line,
          text + " is no number that can be used; write up to 18 digits, or put quotes around it");
    into.scalar(syntaxNode, text, null);
  }
}

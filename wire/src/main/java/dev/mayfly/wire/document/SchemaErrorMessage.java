package dev.mayfly.wire.document;

import com.networknt.schema.Error;
import com.networknt.schema.path.NodePath;
import dev.mayfly.core.error.InputError;
import dev.mayfly.core.text.SpellingSuggestion;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.text.SingleLineText;
import dev.mayfly.wire.text.UnitHint;
import java.math.BigDecimal;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/** A schema error as a sentence for the document's author: the value and the remedy. */
final class SchemaErrorMessage {
  private static final Pattern NUMBER =
      Pattern.compile("-?[0-9]{19,}|-?[0-9]+([.][0-9]+)?[eE][-+]?[0-9]+|-0+([.]0+)?");

  private final DocumentKind documentKind;
  private final Error error;
  private final JsonNode schema;
  private final String path;
  private final SyntaxNode value;

  /** The last name of the schema's place: that of a definition which others refer to. */
  private final String definition;

  SchemaErrorMessage(
      DocumentKind documentKind, Error error, JsonNode schema, SyntaxNode.Mapping document) {
    this.documentKind = documentKind;
    this.error = error;
    this.schema = schema;
    this.path = path(error.getInstanceLocation());
    this.value = document.at(path);
    this.definition = error.getSchemaLocation().getFragment().getParent().getName(-1);
  }

  private static String path(NodePath location) {
    var path = new StringBuilder();
    for (var i = 0; i < location.getNameCount(); i++) {
      if (location.getElement(i) instanceof Integer n) path.append('[').append(n).append(']');
      else path.append(path.isEmpty() ? "" : ".").append(location.getName(i));
    }
    return path.toString();
  }

  InputError problem() {
    return switch (error.getKeyword()) {
      case "required" ->
          at(error.getProperty(), "is missing" + example(property(error.getProperty())));
      case "additionalProperties" -> at(error.getProperty(), unknown(error.getProperty()));
      case "type" -> new InputError(path, type());
      case "enum" -> new InputError(path, word());
      case "const" ->
          new InputError(path, value.shown() + "; write " + schema.path("const").asString());
      case "pattern" -> new InputError(path, pattern());
      case "uniqueItems" -> new InputError(path, "has one value twice; remove one");
      default -> new InputError(path, size());
    };
  }

  /** The field that was meant instead of one that is not known. */
  Optional<Misspelling> misspelling() {
    if (!error.getKeyword().equals("additionalProperties") || schema.has("patternProperties"))
      return Optional.empty();
    var meant = meant(error.getProperty());
    if (meant.isEmpty()) return Optional.empty();
    var object = new ArrayList<Object>();
    var location = error.getInstanceLocation();
    for (var i = 0; i < location.getNameCount(); i++)
      object.add(location.getElement(i) instanceof Integer n ? n : location.getName(i));
    return Optional.of(new Misspelling(object, error.getProperty(), meant, problem()));
  }

  /** Hides values of secret references, because some users write the secret itself there. */
  private String shown() {
    return schema.path("writeOnly").asBoolean(false) ? "what is written here" : value.shown();
  }

  private InputError at(String field, String message) {
    return new InputError(path.isEmpty() ? field : path + "." + field, message);
  }

  /** A field's definition, unless the field has examples of its own. */
  private JsonNode property(String field) {
    var own = schema.path("properties").path(field);
    return own.has("examples") ? own : DocumentKind.follow(own, error);
  }

  private String unknown(String field) {
    if (schema.has("patternProperties"))
      return "'" + field + "' does not fit: " + schema.path("description").asString();
    var meant = meant(field);
    if (!meant.isEmpty()) return "is not known; did you mean '" + String.join(".", meant) + "'?";
    var here = path.isEmpty() ? "a " + documentKind.word() : path;
    var known = schema.path("properties").propertyNames();
    return "is not known; " + here + " has " + String.join(", ", known);
  }

  /** The field that was probably meant: of a like name, or one level deeper; empty for none. */
  private List<String> meant(String field) {
    var near = SpellingSuggestion.closest(field, schema.path("properties").propertyNames());
    if (near.isPresent()) return List.of(near.get());
    for (var inner : schema.path("properties").properties())
      if (DocumentKind.follow(inner.getValue(), error).path("properties").has(field))
        return List.of(inner.getKey(), field);
    return List.of();
  }

  private String type() {
    if (path.equals("command") && value instanceof SyntaxNode.Text text)
      return text.shown()
          + " is one text; write a list like "
          + Stream.of(text.value().strip().split("\\s+", 20))
              .map(SchemaErrorMessage::quoted)
              .toList()
          + ", because nothing goes through a shell";
    if (value instanceof SyntaxNode.Null) return "is empty" + remedyOfEmpty();
    if (value instanceof SyntaxNode.Text(String text, _) && isNumber(text))
      return "%s is not %s as one is read here, of 18 digits at most and without an exponent%s"
          .formatted(SingleLineText.of(text, 60), wanted(), example(schema));
    if (value instanceof SyntaxNode.Literal(BigDecimal _, var written, _)
        && unit(written).isPresent()) return written + " has no unit: " + unit(written).get();
    if (isPlaceholder())
      return "{%1$s} without quotes is an object; write \"{%1$s}\""
          .formatted(((SyntaxNode.Mapping) value).fields().keySet().iterator().next());
    return shown()
        + (shown().equals(value.what()) ? "" : ", " + value.what() + ",")
        + " stands where "
        + wanted()
        + " is needed"
        + example(schema);
  }

  /** YAML reads {input} without quotes as an object whose field is empty. */
  private boolean isPlaceholder() {
    return value instanceof SyntaxNode.Mapping(var fields, _)
        && fields.size() == 1
        && fields.values().stream().allMatch(SyntaxNode.Null.class::isInstance)
        && !wanted().contains("object");
  }

  /** Elsewhere an empty variable may mean the submitter's own value. */
  private String remedyOfEmpty() {
    if (!path.startsWith("env.")) return example(schema);
    return "; write its value, \"\" for none, or its secret under secrets: nothing is taken from the environment that submits";
  }

  /** Such as 1e3: a command gets it as it stands, but it is no amount. */
  private boolean isNumber(String text) {
    return wanted().contains("number") && NUMBER.matcher(text).matches();
  }

  /** Quoted for pasting, because {x} without quotes is an object. */
  private static String quoted(String word) {
    return word.matches("[-A-Za-z0-9_./=@%+]+") ? word : '"' + word.replace("\"", "\\\"") + '"';
  }

  private String wanted() {
    var types = new ArrayList<String>();
    var type = schema.path("type");
    if (type.isArray()) type.forEach(t -> types.add(noun(t.asString())));
    else types.add(noun(type.asString()));
    return String.join(" or ", types);
  }

  private static String noun(String type) {
    return switch (type) {
      case "string" -> "a text";
      case "integer" -> "a whole number";
      case "number" -> "a number";
      case "boolean" -> "true or false";
      case "array" -> "a list";
      default -> "an object";
    };
  }

  private String word() {
    var words = schema.path("enum").valueStream().map(JsonNode::asString).toList();
    var given = value instanceof SyntaxNode.Text text ? text.value() : "";
    return value.shown()
        + " is none of "
        + String.join(", ", words)
        + SpellingSuggestion.hint(given, words);
  }

  private String described() {
    return schema.path("description").asString() + example(schema);
  }

  private String size() {
    var limit = schema.path(error.getKeyword()).asString();
    return switch (error.getKeyword()) {
      case "minimum" -> value.shown() + " is too little; write " + limit + " or more";
      case "maximum" -> value.shown() + " is too much; write " + limit + " or less";
      case "minItems", "minProperties" -> "is empty" + example(schema);
      case "maxItems" -> "has " + count() + " entries; at most " + limit + " are allowed here";
      case "maxProperties" -> "has " + count() + " fields; at most " + limit + " are allowed";
      case "minLength" -> "is empty" + example(schema);
      case "maxLength" -> "is longer than " + limit + " characters";
      default -> value.shown() + " does not fit: " + described();
    };
  }

  private String pattern() {
    var unit =
        value instanceof SyntaxNode.Text(String text, _) ? unit(text) : Optional.<String>empty();
    return unit.map(hint -> shown() + " is not read: " + hint)
        .orElseGet(() -> shown() + " does not fit: " + described());
  }

  /** What to write, if an amount of memory or a time is meant. */
  private Optional<String> unit(String written) {
    return switch (definition) {
      case "memory" -> Optional.of(UnitHint.ofMemory(written));
      case "duration" -> Optional.of(UnitHint.ofDuration(written));
      default -> Optional.empty();
    };
  }

  private int count() {
    return switch (value) {
      case SyntaxNode.Sequence sequence -> sequence.items().size();
      case SyntaxNode.Mapping mapping -> mapping.fields().size();
      default -> 0;
    };
  }

  private static String example(JsonNode schema) {
    if (schema.has("const")) return "; write " + schema.path("const").asString();
    var examples = schema.path("examples");
    if (examples.isEmpty()) return "";
    return "; write it like "
        + examples
            .valueStream()
            .map(e -> e.isString() ? e.stringValue() : e.toString())
            .collect(Collectors.joining(" or "));
  }
}

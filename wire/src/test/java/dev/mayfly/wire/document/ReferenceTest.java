package dev.mayfly.wire.document;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Writes the page of all fields that users may write from the schemas themselves. {@code
 * -Dmayfly.docs=write} renews the file.
 */
class ReferenceTest {
  private static final Path FILE = Path.of("..", "docs", "reference.md");
  private static final Path SCHEMAS = Path.of("..", "schemas");

  /** Every kind of document, and those that are not published. */
  private static final List<String> DOCUMENTS =
      Stream.concat(
              Arrays.stream(DocumentKind.values()).map(DocumentKind::schema),
              Stream.of("recipe", "scenario"))
          .toList();

  private static final Pattern ROW =
      Pattern.compile("^[|] [*]*`([^`]+)`[*]* [|]", Pattern.MULTILINE);

  /** A path of fields in code, for example {@code workers.max}. */
  private static final Pattern PATH =
      Pattern.compile("`([a-z][A-Za-z]*(?:\\[\\])?(?:\\.[a-z][A-Za-z]*(?:\\[\\])?)+)(?::[^`]*)?`");

  /** A permission of Google Cloud looks alike. */
  private static final Pattern RIGHT =
      Pattern.compile("^(tpu[.](nodes|operations|locations)|storage[.]objects)");

  private final StringBuilder page = new StringBuilder();

  @Test
  void pageOfFieldsIsMadeFromSchemas() throws IOException {
    page.append(
        """
        # All fields

        Every document that you may write, with every field that it may have. Made from [schemas/](../schemas) by
        `./build -pl wire -am test -Dtest=ReferenceTest -Dmayfly.docs=write`.
        [schemas/README.md](../schemas/README.md) has what holds for all documents (variables, defaults, limits), and
        [tasks.md](tasks.md) what a running task finds.

        Fields in **bold** must be there. `a.b` is field `b` of the object `a`; `a[].b` of each object in the list `a`.
        """);
    contents();
    for (var name : DOCUMENTS) document(name);

    if ("write".equals(System.getProperty("mayfly.docs"))) Files.writeString(FILE, page);
    assertThat(Files.readString(FILE))
        .as("docs/reference.md is stale: see its first lines for the command that renews it")
        .isEqualTo(page.toString());
  }

  @Test
  void eachFieldHasDescription() throws IOException {
    for (var name : DOCUMENTS) document(name);

    assertThat(page.toString().lines().filter(line -> line.matches("[|] [^|]+ [|]  [|].*")))
        .isEmpty();
  }

  @Test
  void documentsNameExistingFields() throws IOException {
    for (var name : DOCUMENTS) document(name);
    var known = ROW.matcher(page).results().map(row -> row.group(1).replace("[]", "")).toList();
    var objects =
        known.stream()
            .flatMap(path -> parents(path).stream())
            .collect(Collectors.toCollection(TreeSet::new));
    var wrong = new ArrayList<String>();
    for (var document : pages()) {
      var found = PATH.matcher(Files.readString(document));
      while (found.find()) {
        var path = found.group(1).replace("[]", "");
        if (!RIGHT.matcher(path).find()
            && objects.contains(path.substring(0, path.indexOf('.')))
            && known.stream().noneMatch(k -> k.equals(path) || k.endsWith("." + path)))
          wrong.add(document + ": " + path);
      }
    }

    assertThat(wrong).isEmpty();
  }

  /** The names of all objects that a path leads through. */
  private static List<String> parents(String path) {
    var parts = path.split("\\.");
    return List.of(parts).subList(0, parts.length - 1);
  }

  private static List<Path> pages() throws IOException {
    var pages = new ArrayList<>(List.of(Path.of("../README.md"), SCHEMAS.resolve("README.md")));
    try (var docs = Files.list(FILE.getParent())) {
      docs.filter(d -> d.toString().endsWith(".md")).sorted().forEach(pages::add);
    }
    return pages;
  }

  private void contents() throws IOException {
    var links = new ArrayList<String>();
    for (var name : DOCUMENTS) {
      var title = read(name + ".schema.json").path("title").asString();
      var anchor = title.toLowerCase(Locale.ROOT).replaceAll("[^a-z0-9 -]", "").replace(' ', '-');
      links.add("[%s](#%s)".formatted(title, anchor));
    }
    page.append("\n**On this page:** ").append(String.join(" · ", links)).append("\n");
  }

  private void document(String name) throws IOException {
    var schema = read(name + ".schema.json");
    page.append("\n## ").append(schema.path("title").asString()).append("\n\n");
    page.append(schema.path("description").asString()).append("\n\n");
    page.append("| field | what it is | written as | for example |\n|---|---|---|---|\n");
    fields("", new Shape(schema, schema));
  }

  /** A part of a schema, and the file that its references are relative to. */
  private record Shape(JsonNode node, JsonNode root) {
    Shape at(String field) throws IOException {
      return resolved(node.path(field), root);
    }
  }

  private void fields(String before, Shape object) throws IOException {
    Set<String> required = new HashSet<>();
    object.node().path("required").forEach(r -> required.add(r.asString()));
    for (var field : object.node().path("properties").properties()) {
      if (field.getKey().equals("apiVersion") || field.getKey().equals("kind")) continue;
      var path = before + field.getKey();
      var shape = resolved(field.getValue(), object.root());
      var what = field.getValue().path("description").asString("");
      var name = "`" + path + "`";
      page.append(
          "| %s | %s | %s | %s |\n"
              .formatted(
                  required.contains(field.getKey()) ? "**" + name + "**" : name,
                  escaped(what),
                  escaped(written(shape, what)),
                  example(field.getValue(), shape.node())));
      if (shape.node().has("properties")) fields(path + ".", shape);
      var items = shape.at("items");
      if (items.node().has("properties")) fields(path + "[].", items);
    }
  }

  /** How a value looks: its type and its bounds. */
  private static String written(Shape of, String what) throws IOException {
    var shape = of.node();
    if (shape.has("enum"))
      return "one of "
          + shape
              .path("enum")
              .valueStream()
              .map(JsonNode::asString)
              .collect(Collectors.joining(", "));
    var types = shape.path("type").valueStream().map(JsonNode::asString).toList();
    if (types.containsAll(List.of("integer", "array")))
      return "a whole number%s; or a list of %s"
          .formatted(bounds(shape), of(of.at("items").node()));
    if (types.equals(List.of("boolean", "object"))) return "true or false, or an object";
    if (types.contains("array"))
      return "a list of " + of(of.at("items").node()) + most(shape, "maxItems") + "; or an object";
    if (shape.has("pattern") || shape.path("type").isArray()) {
      var text = shape.path("description").asString("");
      return text.isEmpty() || text.equals(what) ? "a text" : text;
    }
    return switch (shape.path("type").asString("")) {
      case "integer" -> "a whole number" + bounds(shape);
      case "number" -> "a number" + bounds(shape);
      case "boolean" -> "true or false";
      case "array" -> "a list of " + of(of.at("items").node()) + most(shape, "maxItems");
      case "object" ->
          shape.has("properties")
              ? "an object"
              : "an object of values by name" + most(shape, "maxProperties");
      default -> "a text";
    };
  }

  private static String of(JsonNode items) {
    if (items.has("properties")) return "objects";
    return items.path("type").isString() ? "texts" : "values";
  }

  private static String bounds(JsonNode shape) {
    return ", %s to %s"
        .formatted(shape.path("minimum").asString("0"), shape.path("maximum").asString("any"));
  }

  private static String most(JsonNode shape, String limit) {
    return shape.has(limit) ? ", " + shape.path(limit).asString() + " at most" : "";
  }

  private static String example(JsonNode field, JsonNode shape) {
    var examples = field.has("examples") ? field.path("examples") : shape.path("examples");
    if (examples.isEmpty() || (shape.has("properties") && !shape.has("items"))) return "";
    var first = examples.get(0);
    var text = first.isString() ? first.asString() : first.toString();
    return "`" + text.replace("|", "\\|") + "`";
  }

  private static Shape resolved(JsonNode node, JsonNode root) throws IOException {
    var ref = node.path("$ref").asString("");
    if (ref.isEmpty()) return new Shape(node, root);
    var parts = ref.split("#", 2);
    var file = parts[0].isEmpty() ? root : read(parts[0]);
    return resolved(file.at(parts[1]), file);
  }

  private static JsonNode read(String file) throws IOException {
    return JsonMapper.shared().readTree(Files.readString(SCHEMAS.resolve(file)));
  }

  private static String escaped(String text) {
    return text.replace("|", "\\|");
  }
}

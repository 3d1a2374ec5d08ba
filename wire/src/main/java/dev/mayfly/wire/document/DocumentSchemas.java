package dev.mayfly.wire.document;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.mayfly.wire.syntax.ProblemList;
import dev.mayfly.wire.syntax.SyntaxNode;
import dev.mayfly.wire.syntax.SyntaxTrees;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The schemas of users' documents, read from the jar when the first document is checked. */
final class DocumentSchemas {
  private static final String ID = "https://mayfly.dev/schemas/v1/";

  private final Map<String, JsonNode> files = new HashMap<>();
  private final Map<DocumentKind, Schema> schemas = new EnumMap<>(DocumentKind.class);

  private DocumentSchemas() {
    var texts = new HashMap<String, String>();
    add("common", texts);
    for (var documentKind : DocumentKind.values()) add(documentKind.schema(), texts);
    var registry =
        SchemaRegistry.withDefaultDialect(
            SpecificationVersion.DRAFT_2020_12, b -> b.schemas(texts));
    for (var documentKind : DocumentKind.values())
      schemas.put(
          documentKind,
          registry.getSchema(SchemaLocation.of(ID + documentKind.schema() + ".schema.json")));
  }

  private static final class Once {
    static final DocumentSchemas SCHEMAS = new DocumentSchemas();
  }

  static DocumentSchemas shared() {
    return Once.SCHEMAS;
  }

  private void add(String name, Map<String, String> texts) {
    var file = name + ".schema.json";
    try (var in = DocumentSchemas.class.getResourceAsStream("/dev/mayfly/schemas/" + file)) {
      if (in == null) throw new IllegalStateException("the jar has no " + file);
      var text = new String(in.readAllBytes(), StandardCharsets.UTF_8);
      texts.put(ID + file, text);
      files.put(ID + file, JsonMapper.shared().readTree(text));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /** The schema errors of a document; paths begin at the document. */
  ProblemList problems(DocumentKind documentKind, SyntaxNode.Mapping document) {
    var problems = new ProblemList();
    var schema = Optional.ofNullable(schemas.get(documentKind)).orElseThrow();
    var errors = schema.validate(SyntaxTrees.toJson(document));
    var told = Math.min(errors.size(), ProblemList.MOST);
    for (var error : errors.subList(0, told))
      problems.add(
          new SchemaErrorMessage(this, documentKind, error, above(error), document).problem());
    problems.addCount(errors.size() - told);
    return problems;
  }

  /** The target of a reference into the common file; other references are not followed. */
  JsonNode follow(JsonNode schema) {
    var ref = schema.path("$ref").asString("");
    var hash = ref.indexOf('#');
    var file = files.get(ID + ref.substring(0, Math.max(0, hash)));
    return file == null ? schema : file.at(ref.substring(hash + 1));
  }

  /** The schema with the keyword that reported the error. */
  private JsonNode above(Error error) {
    var place = error.getSchemaLocation();
    var node = Optional.ofNullable(files.get(place.getAbsoluteIri().toString())).orElseThrow();
    var path = place.getFragment();
    for (var i = 0; i < path.getNameCount() - 1; i++)
      node = path.getElement(i) instanceof Integer n ? node.path(n) : node.path(path.getName(i));
    return node;
  }
}

package dev.mayfly.wire.document;

import com.networknt.schema.Error;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.mayfly.core.model.message.UserCommand;
import dev.mayfly.core.model.worker.Cordon;
import dev.mayfly.wire.syntax.ProblemList;
import dev.mayfly.wire.syntax.SyntaxNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The kinds of documents that users write, each with its schema. */
enum DocumentKind {
  CLUSTER("Cluster", "cluster", "name"),
  JOB("Job", "job", "name"),
  CHANGE_SCHEDULE("ChangeSchedule", "change-schedule", "schedule"),
  STOP_JOB("StopJob", "stop-job", "job"),
  RETRY_JOB("RetryJob", "retry-job", "job"),
  STOP_TASKS("StopTasks", "stop-tasks", "job"),
  RETRY_TASKS("RetryTasks", "retry-tasks", "job"),
  ADD_TASKS("AddTasks", "add-tasks", "job"),
  CLOSE_JOB("CloseJob", "close-job", "job"),
  FOLLOW_LOGS("FollowLogs", "follow-logs", "job"),
  DOWN_CLUSTER("DownCluster", "down-cluster", "cluster"),
  DRAIN_WORKER("DrainWorker", "drain-worker", "worker"),
  CORDON("Cordon", "cordon", "name"),
  UNCORDON("Uncordon", "uncordon", "name"),
  JOIN_WORKER("JoinWorker", "join-worker", "worker"),
  SLICE("Slice", "slice", "name"),
  DELETE_SLICE("DeleteSlice", "delete-slice", "slice"),
  RESHAPE_SLICE("ReshapeSlice", "reshape-slice", "slice");

  private static final String SCHEMAS = "https://mayfly.dev/schemas/v1/";

  /** Reads each schema from the jar when it is first needed. Thread-safe. */
  private static final SchemaRegistry REGISTRY =
      SchemaRegistry.withDefaultDialect(
          SpecificationVersion.DRAFT_2020_12, registry -> registry.schemas(DocumentKind::read));

  private final String word;
  private final String schema;
  private final String named;

  DocumentKind(String word, String schema, String named) {
    this.word = word;
    this.schema = schema;
    this.named = named;
  }

  String word() {
    return word;
  }

  /** The name of its schema in {@code schemas/}. */
  String schema() {
    return schema;
  }

  /** The field that names the document's subject. */
  String nameField() {
    return named;
  }

  static Optional<DocumentKind> of(String word) {
    return Arrays.stream(values()).filter(k -> k.word.equals(word)).findFirst();
  }

  /**
   * The kind that a document without one has by its fields, to tell all its mistakes at once; empty
   * if only the name of the field is misspelled.
   */
  static Optional<DocumentKind> byFields(SyntaxNode.Mapping document) {
    var texts = document.fields().keySet().stream().flatMap(name -> document.text(name).stream());
    if (document.get("kind").isPresent() || texts.anyMatch(words()::contains))
      return Optional.empty();
    if (document.get("pools").isPresent()) return Optional.of(CLUSTER);
    return document.get("tasks").filter(SyntaxNode.Mapping.class::isInstance).map(_ -> JOB);
  }

  static Set<String> words() {
    return Arrays.stream(values())
        .map(DocumentKind::word)
        .collect(Collectors.toCollection(LinkedHashSet::new));
  }

  /**
   * The schema's errors of a document; paths begin at the document.
   *
   * @param misspellings those of {@code problems} that another name would mend
   */
  record SchemaErrors(ProblemList problems, List<Misspelling> misspellings) {}

  SchemaErrors schemaErrors(SyntaxNode.Mapping document) {
    var problems = new ProblemList();
    var misspellings = new ArrayList<Misspelling>();
    var location = SchemaLocation.of(SCHEMAS + schema + ".schema.json");
    var errors = REGISTRY.getSchema(location).validate(document.toJson());
    var shown = Math.min(errors.size(), ProblemList.MAX_PROBLEMS);
    for (var error : errors.subList(0, shown)) {
      var message = new SchemaErrorMessage(this, error, above(error), document);
      problems.add(message.problem());
      message.misspelling().ifPresent(misspellings::add);
    }
    problems.addCount(errors.size() - shown);
    return new SchemaErrors(problems, misspellings);
  }

  /**
   * @param folders whether {@code code} may be a local folder
   */
  UserCommand command(FieldReader fieldReader, boolean folders) {
    return switch (this) {
      case CLUSTER -> new ClusterDocumentReader(fieldReader).command();
      case JOB -> new JobDocumentReader(fieldReader, folders).command();
      case CHANGE_SCHEDULE ->
          new UserCommand.ChangeSchedule(
              fieldReader.name("cluster"), fieldReader.name("schedule"), action(fieldReader));
      case STOP_JOB ->
          new UserCommand.StopJob(fieldReader.name("cluster"), fieldReader.name("job"));
      case RETRY_JOB ->
          new UserCommand.RetryJob(fieldReader.name("cluster"), fieldReader.name("job"))
              .upTo(AdmissionReader.maxUsd(fieldReader))
              .lasting(AdmissionReader.maxRunTime(fieldReader));
      case STOP_TASKS ->
          new UserCommand.StopTasks(
              fieldReader.name("cluster"),
              fieldReader.name("job"),
              fieldReader.taskRanges("tasks"));
      case RETRY_TASKS ->
          new UserCommand.RetryTasks(
              fieldReader.name("cluster"),
              fieldReader.name("job"),
              fieldReader.taskRanges("tasks"));
      case ADD_TASKS ->
          new UserCommand.AddTasks(
              fieldReader.name("cluster"),
              fieldReader.name("job"),
              fieldReader.text("addition"),
              TasksReader.added(fieldReader));
      case CLOSE_JOB ->
          new UserCommand.CloseJob(
              fieldReader.name("cluster"),
              fieldReader.name("job"),
              fieldReader.mapping().get("additions").map(_ -> fieldReader.integer("additions", 0)));
      case FOLLOW_LOGS ->
          new UserCommand.FollowLogs(fieldReader.name("cluster"), fieldReader.name("job"));
      case DOWN_CLUSTER -> new UserCommand.DownCluster(fieldReader.name("cluster"));
      case DRAIN_WORKER ->
          new UserCommand.DrainWorker(fieldReader.name("cluster"), fieldReader.name("worker"));
      case CORDON ->
          new UserCommand.Cordon(
              fieldReader.name("cluster"),
              fieldReader.name("name"),
              fieldReader.duration("for", Cordon.USUAL, Cordon.LEAST, Cordon.MOST));
      case UNCORDON ->
          new UserCommand.Uncordon(fieldReader.name("cluster"), fieldReader.name("name"));
      case JOIN_WORKER ->
          new UserCommand.JoinWorker(
              fieldReader.name("cluster"),
              fieldReader.name("pool"),
              fieldReader.name("worker"),
              fieldReader.text("machine").orElse(""),
              fieldReader.text("nonceHash").orElse(""),
              fieldReader.child("labels").scalars());
      case SLICE -> new SliceDocumentReader(fieldReader).create();
      case DELETE_SLICE ->
          new UserCommand.DeleteSlice(fieldReader.name("cluster"), fieldReader.name("slice"));
      case RESHAPE_SLICE -> new SliceDocumentReader(fieldReader).reshape();
    };
  }

  /** The schema has reported any other word. */
  private static UserCommand.ChangeSchedule.Action action(FieldReader fieldReader) {
    return Arrays.stream(UserCommand.ChangeSchedule.Action.values())
        .filter(action -> action.word().equals(fieldReader.name("action")))
        .findFirst()
        .orElse(UserCommand.ChangeSchedule.Action.PAUSE);
  }

  /** The schema with the keyword that reported the error. */
  private static JsonNode above(Error error) {
    var place = error.getSchemaLocation();
    return schemaAt(new SchemaLocation(place.getAbsoluteIri(), place.getFragment().getParent()));
  }

  /**
   * The target of a reference into the common file or within the schema that reported the error;
   * other references are not followed.
   */
  static JsonNode follow(JsonNode schema, Error error) {
    var ref = schema.path("$ref").asString("");
    if (ref.startsWith("common.")) return schemaAt(SchemaLocation.of(SCHEMAS + ref));
    return ref.startsWith("#/")
        ? schemaAt(SchemaLocation.of(error.getSchemaLocation().getAbsoluteIri() + ref))
        : schema;
  }

  /** Looked up in the schema's text: the registry would keep another compiled schema of each. */
  private static JsonNode schemaAt(SchemaLocation location) {
    var node = REGISTRY.getSchema(new SchemaLocation(location.getAbsoluteIri())).getSchemaNode();
    var steps = location.getFragment();
    for (var i = 0; i < steps.getNameCount(); i++)
      node =
          steps.getElement(i) instanceof Integer at ? node.path(at) : node.path(steps.getName(i));
    return node;
  }

  private static String read(String id) {
    var file = "/dev/mayfly/schemas/" + id.substring(SCHEMAS.length());
    try (var in = DocumentKind.class.getResourceAsStream(file)) {
      if (in == null) throw new IllegalStateException("the jar has no " + file);
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }
}

package dev.mayfly.wire.document;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.Problem;
import dev.mayfly.core.job.Template;
import dev.mayfly.core.model.Command;
import dev.mayfly.wire.source.Caps;
import dev.mayfly.wire.source.ExpansionLimit;
import dev.mayfly.wire.source.Headers;
import dev.mayfly.wire.source.Node;
import dev.mayfly.wire.source.ProblemList;
import dev.mayfly.wire.source.Source;
import dev.mayfly.wire.source.Trees;
import dev.mayfly.wire.source.Variables;
import dev.mayfly.wire.text.Line;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Documents that are whole: read, merged, substituted and checked.
 *
 * <p>Throws {@link Invalid} with everything that is wrong in all of them at once.
 */
public final class Checked {
  /**
   * One document.
   *
   * @param json as it can be published
   * @param place of its beginning, for messages
   */
  public record Whole(String kind, String name, String json, Command command, String place) {}

  private final String label;
  private final boolean folders;
  private final ExpansionLimit limit = new ExpansionLimit();
  private final ProblemList problems = new ProblemList();
  private final List<Whole> whole = new ArrayList<>();
  private final Map<String, String> places = new HashMap<>();
  private int count;

  private Checked(String label, boolean folders) {
    this.label = label;
    this.folders = folders;
  }

  /**
   * Whatever a text makes a parser or a check throw is one {@link Invalid}: it would throw the same
   * the next time.
   *
   * @param label the file's name, empty for a message
   * @param variables the caller's; they win over those of the file
   * @param folders whether {@code code} may be a folder of this machine
   */
  @SuppressWarnings("UnusedException") // what was thrown, and where, is in the message
  public static List<Whole> documents(
      byte[] text, String label, Map<String, String> variables, boolean folders) {
    try {
      return new Checked(label, folders).read(text, variables);
    } catch (Invalid invalid) {
      throw invalid;
    } catch (StackOverflowError tooDeep) {
      throw new Invalid(label, "cannot be read: a text in it is too long; write shorter ones");
    } catch (RuntimeException mistake) {
      throw new Invalid(label, "cannot be read: " + Line.of(mistake.toString(), 200) + at(mistake));
    }
  }

  /** Where it was thrown, for whoever mends Mayfly. */
  private static String at(Throwable mistake) {
    var frames = mistake.getStackTrace();
    return frames.length == 0 ? "" : " (" + frames[0] + "); this is a mistake of Mayfly's";
  }

  private List<Whole> read(byte[] text, Map<String, String> variables) {
    var nodes = Source.documents(text, label);
    count = nodes.size();
    var headers = new Headers(variables, Kind.words());
    for (var i = 0; i < nodes.size(); i++) take(headers, nodes.get(i), i + 1);
    if (whole.isEmpty() && problems.isEmpty())
      problems.add(
          new Problem(label, "has no document; write one with a kind, for example kind: Job"));
    if (!problems.isEmpty()) throw new Invalid(told());
    return List.copyOf(whole);
  }

  private void take(Headers headers, Node node, int number) {
    var draft = headers.take(node);
    add(node, number, headers.problems());
    draft.ifPresent(d -> document(d, number));
  }

  private void document(Headers.Draft draft, int number) {
    var word = draft.document().text("kind");
    var kind = word.flatMap(Kind::of);
    if (kind.isEmpty()) {
      add(draft.document(), number, new Problem("kind", unknownKind(word.orElse(""))));
      return;
    }
    var found = new ProblemList();
    var document = substituted(draft, kind.get(), found);
    found.addNew(Schemas.shared().problems(kind.get(), document));
    if (found.isEmpty()) {
      var command = command(kind.get(), new Form(document, "", found));
      if (found.isEmpty()) keep(kind.get(), document, command, number);
    } else found.addNew(more(kind.get(), document, found));
    add(document, number, found);
  }

  /**
   * What else is wrong in a document that the schema has refused already. It may have no meaning at
   * all, and so what reading it throws says nothing more.
   */
  private ProblemList more(Kind kind, Node.Table document, ProblemList found) {
    var more = new ProblemList();
    if (found.isFull()) return more;
    try {
      var unused = command(kind, new Form(document, "", more));
    } catch (RuntimeException | StackOverflowError meaningless) {
      return more;
    }
    return more;
  }

  private static String unknownKind(String word) {
    var kinds = String.join(", ", Kind.words());
    if (word.isEmpty()) return "is missing; write one of " + kinds;
    return "'" + word + "' is none of " + kinds + Nearest.hint(word, Kind.words());
  }

  private Node.Table substituted(Headers.Draft draft, Kind kind, ProblemList found) {
    var variables = variables(draft, kind);
    var document = variables.in(draft.document());
    found.addNew(variables.problems());
    return document;
  }

  /** In a job, what its tasks know stays for them: in the command, and in the output more. */
  private Variables variables(Headers.Draft draft, Kind kind) {
    if (kind != Kind.JOB)
      return new Variables(draft.variables(), path -> Set.of(), Set.of(), limit);
    var command = taskNames(draft.document());
    var output = new HashSet<>(command);
    output.addAll(Template.OUTPUT_NAMES);
    return new Variables(
        draft.variables(),
        path ->
            path.startsWith("command") ? command : path.equals("tasks.output") ? output : Set.of(),
        output,
        limit);
  }

  /** What the tasks of a job know: their placeholders, and the names in its items. */
  private static Set<String> taskNames(Node.Table job) {
    var names = new HashSet<>(Template.NAMES);
    if (Trees.at(job, "tasks.items") instanceof Node.Row items)
      for (var item : items.items()) {
        if (item instanceof Node.Table table) names.addAll(table.fields().keySet());
        else names.add("item");
      }
    if (job.get("tasks").orElse(null) instanceof Node.Table tasks) {
      if (tasks.get("matrix").orElse(null) instanceof Node.Table matrix)
        names.addAll(matrix.fields().keySet());
      if (tasks.get("seeds").isPresent()) names.add(TasksForm.SEED);
    }
    return names;
  }

  private Command command(Kind kind, Form form) {
    return switch (kind) {
      case CLUSTER -> new ClusterForm(form).command();
      case JOB -> new JobForm(form, folders).command();
      case STOP_JOB -> new Command.StopJob(form.name("cluster"), form.name("job"));
      case RETRY_JOB -> new Command.RetryJob(form.name("cluster"), form.name("job"));
      case FOLLOW_LOGS -> new Command.FollowLogs(form.name("cluster"), form.name("job"));
      case DOWN_CLUSTER -> new Command.DownCluster(form.name("cluster"));
      case DRAIN_WORKER -> new Command.DrainWorker(form.name("cluster"), form.name("worker"));
      case JOIN_WORKER ->
          new Command.JoinWorker(
              form.name("cluster"),
              form.name("pool"),
              form.name("worker"),
              form.text("machine").orElse(""),
              form.text("nonceHash").orElse(""));
      case SLICE -> new SliceForm(form).create();
      case DELETE_SLICE -> new Command.DeleteSlice(form.name("cluster"), form.name("slice"));
      case RESHAPE_SLICE -> new SliceForm(form).reshape();
    };
  }

  private void keep(Kind kind, Node.Table document, Command command, int number) {
    var name = document.text(kind.named()).orElse("");
    var json = Trees.json(document).toString();
    var place = place(document, number);
    var size = json.getBytes(StandardCharsets.UTF_8).length;
    var other =
        places.putIfAbsent(
            kind.word() + " " + document.text("cluster").orElse("") + " " + name, place);
    if (size > Caps.BYTES)
      add(
          document,
          number,
          new Problem(
              "",
              "is "
                  + size / 1024
                  + " KB with its defaults; at most "
                  + Caps.BYTES / 1024
                  + " KB can be published"));
    if (other != null)
      add(
          document,
          number,
          new Problem(
              kind.named(),
              "'" + name + "' is there twice, first at " + other + "; rename or remove one"));
    whole.add(new Whole(kind.word(), name, json, command, place));
  }

  private String place(Node node, int number) {
    if (!label.isEmpty()) return label + ":" + node.line();
    return count > 1 ? "document " + number : "";
  }

  /** In the order of their lines. */
  private void add(Node document, int number, ProblemList found) {
    found.first().stream()
        .sorted(Comparator.comparingInt(p -> Trees.at(document, p.path()).line()))
        .forEach(problem -> add(document, number, problem));
    problems.addUntold(found.more());
  }

  private void add(Node document, int number, Problem problem) {
    if (problems.isFull()) {
      problems.addUntold(1);
      return;
    }
    var place = place(Trees.at(document, problem.path()), number);
    var path = Line.of(problem.path(), 200);
    var joined = place.isEmpty() || path.isEmpty() ? place + path : place + ": " + path;
    problems.add(new Problem(joined, Line.of(problem.message(), 600)));
  }

  private List<Problem> told() {
    var told = new ArrayList<>(problems.first());
    if (problems.more() > 0)
      told.add(new Problem(label, "and " + problems.more() + " more problems like these"));
    return told;
  }
}

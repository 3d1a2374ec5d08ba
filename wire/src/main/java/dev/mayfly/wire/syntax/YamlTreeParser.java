package dev.mayfly.wire.syntax;

import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionEndEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/** Parses YAML 1.2 from events, with the core schema's tags only and without object binding. */
final class YamlTreeParser {
  private static final String CORE = "tag:yaml.org,2002:";
  private static final Set<String> TAGS =
      Set.of(
          "!",
          CORE + "str",
          CORE + "int",
          CORE + "float",
          CORE + "bool",
          CORE + "null",
          CORE + "map",
          CORE + "seq");

  private static final Pattern UNQUOTED = Pattern.compile("[^\\s\"'{$]\\{?(\\{[A-Za-z_]\\w*\\})");

  private YamlTreeParser() {}

  static void read(String text, NodeBuilder into) {
    var settings =
        LoadSettings.builder().setCodePointLimit(DocumentLimits.BYTES).setUseMarks(true).build();
    var line = 1;
    try {
      for (var event : new Parse(settings).parseReader(new SurrogateSafeReader(text))) {
        line = line(event);
        take(event, line, into);
      }
    } catch (MarkedYamlEngineException e) {
      var at = e.getProblemMark().map(Mark::getLine).orElse(line - 1) + 1;
      var problem = Optional.ofNullable(e.getProblem()).orElse("cannot be read");
      throw into.invalidAt(at, "is not YAML: " + problem + hint(text, line, at));
    } catch (YamlEngineException e) {
      throw into.invalidAt(line, "is not YAML: " + e.getMessage());
    }
  }

  /**
   * A {word} in a text without quotes ends the text where braces hold an object or a list.
   *
   * @param from the line of the last thing that was read
   * @param at the line of the problem
   */
  private static String hint(String text, int from, int at) {
    return text.lines()
        .skip(from - 1L)
        .limit(at - from + 1L)
        .flatMap(line -> UNQUOTED.matcher(line).results())
        .map(match -> match.group(1))
        .findFirst()
        .map(word -> "; put the text with %s in it into quotes, as \"…%1$s…\"".formatted(word))
        .orElse("");
  }

  private static int line(Event event) {
    return event.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  private static void take(Event event, int line, NodeBuilder into) {
    switch (event) {
      case ScalarEvent scalar -> scalar(scalar, line, into);
      case AliasEvent alias -> {
        if (into.wantsKey()) throw into.invalidAt(line, "a field's name must be a text");
        into.alias(alias.getAlias().getValue(), line);
      }
      case CollectionStartEvent start -> {
        if (into.wantsKey()) throw into.invalidAt(line, "a field's name must be a text");
        checkTag(start.getTag(), line, into);
        into.start(start instanceof MappingStartEvent, line, anchor(start));
      }
      case CollectionEndEvent end -> into.end();
      default -> {}
    }
  }

  private static void scalar(ScalarEvent scalar, int line, NodeBuilder into) {
    checkTag(scalar.getTag(), line, into);
    var text = scalar.getValue();
    var string =
        !scalar.isPlain()
            || scalar.getTag().filter(t -> t.equals(CORE + "str") || t.equals("!")).isPresent();
    var syntaxNode = string ? new SyntaxNode.Text(text, line) : SyntaxNode.plain(text, line);
    into.scalar(syntaxNode, text, anchor(scalar));
  }

  private static void checkTag(Optional<String> tag, int line, NodeBuilder into) {
    tag.filter(t -> !TAGS.contains(t))
        .ifPresent(t -> {
          throw into.invalidAt(line, "the tag '" + t + "' is not read; write plain values");
        });
  }

  private static @Nullable String anchor(NodeEvent event) {
    return event.getAnchor().map(a -> a.getValue()).orElse(null);
  }
}

package dev.mayfly.wire.source;

import java.util.Optional;
import java.util.Set;
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

/** YAML 1.2 with the core schema's tags only: a parser's events, never objects. */
final class YamlText {
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

  private YamlText() {}

  static void read(String text, Builder into) {
    var settings = LoadSettings.builder().setCodePointLimit(Caps.BYTES).setUseMarks(true).build();
    var line = 1;
    try {
      for (var event : new Parse(settings).parseReader(new WholeCharacters(text))) {
        line = line(event);
        take(event, line, into);
      }
    } catch (MarkedYamlEngineException e) {
      var at = e.getProblemMark().map(Mark::getLine).orElse(line - 1) + 1;
      throw into.at(
          at, "is no YAML: " + Optional.ofNullable(e.getProblem()).orElse("cannot be read"));
    } catch (YamlEngineException e) {
      throw into.at(line, "is no YAML: " + e.getMessage());
    }
  }

  private static int line(Event event) {
    return event.getStartMark().map(Mark::getLine).orElse(0) + 1;
  }

  private static void take(Event event, int line, Builder into) {
    switch (event) {
      case ScalarEvent scalar -> scalar(scalar, line, into);
      case AliasEvent alias -> {
        if (into.wantsKey()) throw into.at(line, "a field's name must be a text");
        into.alias(alias.getAlias().getValue(), line);
      }
      case CollectionStartEvent start -> {
        if (into.wantsKey()) throw into.at(line, "a field's name must be a text");
        checkTag(start.getTag(), line, into);
        into.start(start instanceof MappingStartEvent, line, anchor(start));
      }
      case CollectionEndEvent end -> into.end();
      default -> {}
    }
  }

  private static void scalar(ScalarEvent scalar, int line, Builder into) {
    checkTag(scalar.getTag(), line, into);
    var text = scalar.getValue();
    var string =
        !scalar.isPlain()
            || scalar.getTag().filter(t -> t.equals(CORE + "str") || t.equals("!")).isPresent();
    var node = string ? new Node.Text(text, line) : Scalars.plain(text, line);
    into.scalar(node, text, anchor(scalar));
  }

  private static void checkTag(Optional<String> tag, int line, Builder into) {
    tag.filter(t -> !TAGS.contains(t))
        .ifPresent(t -> {
          throw into.at(line, "the tag '" + t + "' is not read; write plain values");
        });
  }

  private static @Nullable String anchor(NodeEvent event) {
    return event.getAnchor().map(a -> a.getValue()).orElse(null);
  }
}

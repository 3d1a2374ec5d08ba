package dev.mayfly.cli.page;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Joins the modules of the page into one script, for a file that may load nothing. It knows the
 * forms of {@code import} and {@code export} that those have; another one is an {@link
 * IllegalStateException}.
 */
final class PageScript {
  private static final Pattern IMPORT =
      Pattern.compile("^import (?:(\\w+)|\\{([^}]*)\\}) from '([\\w./-]+)';$", Pattern.MULTILINE);

  /** {@code export const a = …}. Of several in one statement it would know the first alone. */
  private static final Pattern DECLARED =
      Pattern.compile(
          "^export ((?:async function|function|class|const) (\\w+))", Pattern.MULTILINE);

  /** {@code export { a, b as c };} */
  private static final Pattern LISTED =
      Pattern.compile("(?:^|(?<=;))export ?\\{([^}]*)\\};?\\s*$", Pattern.MULTILINE);

  private static final Pattern LEFT = Pattern.compile("^(?:import|export)\\b", Pattern.MULTILINE);

  /** What would end the element in which the script stands, or begin a comment in it. */
  private static final Pattern ENDS =
      Pattern.compile("</script|<script|<!--", Pattern.CASE_INSENSITIVE);

  private final UnaryOperator<String> source;
  private final Map<String, Module> modules = new LinkedHashMap<>();

  private PageScript(UnaryOperator<String> source) {
    this.source = source;
  }

  /**
   * @param exports local names by exported ones
   */
  private record Module(String variable, String text, Map<String, String> exports) {
    String asFunction() {
      var values =
          exports.entrySet().stream()
              .map(it -> it.getKey() + ": " + it.getValue())
              .collect(Collectors.joining(", "));
      return "const %s = (() => {\n%s\nreturn { %s };\n})();\n".formatted(variable, text, values);
    }
  }

  /**
   * @param main the path of the module that imports the others, such as {@code app.js}
   * @param source the text of a module by its path
   */
  static String joined(String main, UnaryOperator<String> source) {
    var script = new PageScript(source);
    script.add(main, List.of());
    var text =
        script.modules.values().stream()
            .map(Module::asFunction)
            .collect(Collectors.joining("", "(() => {\n'use strict';\n", "})();\n"));
    if (ENDS.matcher(text).find())
      throw new IllegalStateException("a module has a text that ends a script");
    return text;
  }

  private Module add(String path, List<String> importers) {
    var known = modules.get(path);
    if (known != null) return known;
    if (importers.contains(path))
      throw new IllegalStateException(path + " imports itself, by " + importers);
    var within = Stream.concat(importers.stream(), Stream.of(path)).toList();
    var text = source.apply(path);
    var body =
        IMPORT
            .matcher(text)
            .replaceAll(it -> {
              var from = it.group(3).startsWith("./") ? it.group(3).substring(2) : it.group(3);
              return Matcher.quoteReplacement(
                  imported(path, it.group(1), it.group(2), add(from, within)));
            });
    var module = exported(path, body);
    modules.put(path, module);
    return module;
  }

  private static String imported(String path, String whole, String names, Module from) {
    var wanted = whole == null ? names : "default as " + whole;
    var taken = new ArrayList<String>();
    for (var name : names(wanted).entrySet()) {
      if (!from.exports().containsKey(name.getValue()))
        throw new IllegalStateException(
            path + " imports " + name.getValue() + ", which nobody exports");
      taken.add(name.getValue() + ": " + name.getKey());
    }
    return "const { %s } = %s;".formatted(String.join(", ", taken), from.variable());
  }

  private Module exported(String path, String text) {
    var exports = new LinkedHashMap<String, String>();
    var declared =
        DECLARED
            .matcher(text)
            .replaceAll(it -> {
              if (!isComment(text, it.start())) exports.put(it.group(2), it.group(2));
              return it.group(1);
            });
    var body =
        LISTED
            .matcher(declared)
            .replaceAll(it -> {
              exports.putAll(names(it.group(1)));
              return "";
            });
    if (LEFT.matcher(body).find())
      throw new IllegalStateException(path + " has an import or export of another form");
    return new Module("module" + modules.size(), body, exports);
  }

  private static boolean isComment(String text, int at) {
    return text.lastIndexOf("/*", at) > text.lastIndexOf("*/", at);
  }

  /** {@code a, b as c}: what each is called then, by that name. */
  private static Map<String, String> names(String list) {
    var names = new LinkedHashMap<String, String>();
    for (var each : list.split(",")) {
      if (each.isBlank()) continue;
      var parts = each.strip().split(" as ");
      names.put(parts[parts.length - 1], parts[0]);
    }
    return names;
  }
}

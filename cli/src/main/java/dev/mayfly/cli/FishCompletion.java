package dev.mayfly.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;

/** The completion script for fish, which picocli does not write: commands and their options. */
final class FishCompletion {
  private final String program;
  private final List<String> lines = new ArrayList<>();

  private FishCompletion(String program) {
    this.program = program;
  }

  static String script(String program, CommandSpec root) {
    var completion = new FishCompletion(program);
    completion.lines.add("# Completion of " + program + " for fish.");
    completion.lines.add("complete -c " + program + " -e");
    completion.options("__fish_use_subcommand", root);
    completion.commands("__fish_use_subcommand", root);
    root.subcommands()
        .forEach((name, command) -> completion.command(name, command.getCommandSpec()));
    return String.join("\n", completion.lines);
  }

  private void command(String name, CommandSpec command) {
    var here = "__fish_seen_subcommand_from " + name;
    var inner = command.subcommands();
    if (inner.isEmpty()) {
      options(here, command);
      return;
    }
    var none = here + "; and not __fish_seen_subcommand_from " + names(command);
    options(none, command);
    commands(none, command);
    inner.forEach((word, sub) ->
        options(here + "; and __fish_seen_subcommand_from " + word, sub.getCommandSpec()));
  }

  private static String names(CommandSpec command) {
    return String.join(" ", new TreeSet<>(command.subcommands().keySet()));
  }

  /** Files are no commands, so none is offered in their place. */
  private void commands(String condition, CommandSpec parent) {
    parent
        .subcommands()
        .forEach((name, command) ->
            lines.add(
                "complete -c %s -n %s -f -a %s -d %s"
                    .formatted(program, quoted(condition), name, quoted(what(command)))));
  }

  private void options(String condition, CommandSpec command) {
    for (var option : command.options())
      if (!option.hidden()) lines.add(option(quoted(condition), option));
  }

  private String option(String condition, OptionSpec option) {
    var words = new StringBuilder("complete -c " + program + " -n " + condition);
    for (var name : option.names())
      words.append(name.startsWith("--") ? " -l " + name.substring(2) : " -s " + name.substring(1));
    if (option.arity().max() > 0) words.append(" -r");
    if (option.type().isEnum())
      words.append(" -f -a ").append(quoted(String.join(" ", option.completionCandidates())));
    var description = Stream.of(option.description()).findFirst().orElse("");
    return words + " -d " + quoted(description);
  }

  private static String what(CommandLine command) {
    return Stream.of(command.getCommandSpec().usageMessage().description()).findFirst().orElse("");
  }

  private static String quoted(String text) {
    return "'" + text.replace("\\", "\\\\").replace("'", "\\'") + "'";
  }
}

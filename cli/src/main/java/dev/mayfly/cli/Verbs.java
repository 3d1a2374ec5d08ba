package dev.mayfly.cli;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** The commands there are. One alone is loaded when it is named: reading all of them takes time. */
final class Verbs {
  private static final Map<String, Function<Session, Object>> ALL = new LinkedHashMap<>();

  static {
    ALL.put("up", UpCommand::new);
    ALL.put("down", DownCommand::new);
    ALL.put("status", StatusCommand::new);
    ALL.put("submit", SubmitCommand::new);
    ALL.put("jobs", JobsCommand::new);
  }

  private Verbs() {}

  /** A command line that knows the first argument's command, or all if it is none. */
  static CommandLine line(Session session, String[] args) {
    var line = new CommandLine(new Mayfly());
    var named = args.length > 0 ? ALL.get(args[0]) : null;
    if (named == null) ALL.forEach((name, verb) -> line.addSubcommand(name, verb.apply(session)));
    else line.addSubcommand(args[0], named.apply(session));
    return line;
  }
}

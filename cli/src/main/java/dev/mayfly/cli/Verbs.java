package dev.mayfly.cli;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import picocli.CommandLine;

/** The commands there are. One alone is loaded when it is named: reading all of them takes time. */
final class Verbs {
  private static final List<String> MACHINE_DIALS =
      List.of("preempt", "freeze", "thaw", "kill", "stop", "delete");
  private static final List<String> CLOUD_DIALS =
      List.of(
          "quota",
          "tpu-quota",
          "tpu-reservation",
          "refusals",
          "boot-delay",
          "lost-replies",
          "rate-limit",
          "staying-disks");

  private Verbs() {}

  /** A command line that knows the first argument's command, or all if it is none. */
  static CommandLine line(Session session, String[] args) {
    var verb = args.length > 0 ? verbs().get(args[0]) : null;
    if (verb == null) return all(session);
    var line = new CommandLine(new Mayfly());
    add(line, args[0], verb, session);
    return line;
  }

  /** A command line that knows every command. */
  static CommandLine all(Session session) {
    var line = new CommandLine(new Mayfly());
    verbs().forEach((name, verb) -> add(line, name, verb, session));
    return line;
  }

  private static Map<String, Function<Session, Object>> verbs() {
    var verbs = new LinkedHashMap<String, Function<Session, Object>>();
    verbs.put("demo", DemoCommand::new);
    verbs.put("local", LocalCommand::new);
    verbs.put("up", UpCommand::new);
    verbs.put("submit", SubmitCommand::new);
    verbs.put("run", RunCommand::new);
    verbs.put("status", StatusCommand::new);
    verbs.put("jobs", JobsCommand::new);
    verbs.put("explain", ExplainCommand::new);
    verbs.put("logs", LogsCommand::new);
    verbs.put("stop", StopCommand::new);
    verbs.put("retry", RetryCommand::new);
    verbs.put("workers", WorkersCommand::new);
    verbs.put("drain", DrainCommand::new);
    verbs.put("worker", session -> new WorkerCommand());
    verbs.put("slice", session -> new SliceCommand());
    verbs.put("down", DownCommand::new);
    verbs.put("cleanup", CleanupCommand::new);
    verbs.put("doctor", DoctorCommand::new);
    verbs.put("version", VersionCommand::new);
    verbs.put("completion", CompletionCommand::new);
    return verbs;
  }

  private static void add(
      CommandLine line, String name, Function<Session, Object> verb, Session session) {
    var command = new CommandLine(verb.apply(session));
    if (name.equals("local")) dials(command, session);
    if (name.equals("slice")) slices(command, session);
    if (name.equals("worker")) {
      command.addSubcommand(new WorkerJoinCommand(session));
      command.addSubcommand(new WorkerRemoveCommand(session));
    }
    line.addSubcommand(name, command);
  }

  private static void slices(CommandLine slice, Session session) {
    slice.addSubcommand(new SliceCreateCommand(session));
    slice.addSubcommand(new SliceReshapeCommand(session));
    slice.addSubcommand(new SliceDeleteCommand(session));
    slice.addSubcommand(new SliceListCommand(session));
  }

  private static void dials(CommandLine local, Session session) {
    for (var dial : MACHINE_DIALS) local.addSubcommand(dial, new MachineDialCommand(session, dial));
    local.addSubcommand("stock", new StockCommand(session));
    for (var dial : CLOUD_DIALS) local.addSubcommand(dial, new CloudDialCommand(session, dial));
    local.addSubcommand("state", new CloudStateCommand(session));
  }
}

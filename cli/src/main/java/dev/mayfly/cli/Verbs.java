package dev.mayfly.cli;

import dev.mayfly.cli.show.Program;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands there are. One alone is loaded when it is named: reading all of them takes time. */
final class Verbs {
  private static final Map<String, String> MACHINE_DIALS =
      ordered(
          "preempt", "Takes a machine away, with notice.",
          "freeze", "Stops a machine's processes where they are; the cloud says RUNNING.",
          "thaw", "Lets a frozen machine go on.",
          "kill", "Cuts a machine's power.",
          "stop", "Stops a machine; it stays there, switched off.",
          "delete", "Deletes a machine.");
  private static final Map<String, String> CLOUD_DIALS =
      ordered(
          "quota", "Limits CPUs or GPUs, of one region or of all.",
          "tpu-quota", "Limits TPU chips.",
          "tpu-reservation", "Reserves TPU chips by a name.",
          "refusals", "Chooses how a stockout is told.",
          "boot-delay", "Lets machines take longer to boot.",
          "lost-replies", "Loses the replies to the next calls, which have their effect.",
          "rate-limit", "Refuses the next calls as too many.",
          "staying-disks", "Leaves the disks of the next machines that go.");

  private Verbs() {}

  private static Map<String, String> ordered(String... pairs) {
    var map = new LinkedHashMap<String, String>();
    for (var i = 0; i < pairs.length; i += 2) map.put(pairs[i], pairs[i + 1]);
    return map;
  }

  /** A command line that knows the first argument's command, or all if it is none. */
  static CommandLine line(Session session, String[] args) {
    var verb = args.length > 0 ? verbs().get(args[0]) : null;
    if (verb == null) return all(session);
    var line = new CommandLine(new Mayfly());
    add(line, args[0], verb, session);
    return called(line, session);
  }

  /** A command line that knows every command. */
  static CommandLine all(Session session) {
    var line = new CommandLine(new Mayfly());
    verbs().forEach((name, verb) -> add(line, name, verb, session));
    return called(line, session);
  }

  private static CommandLine called(CommandLine line, Session session) {
    var program = session.screen().program();
    line.setCommandName(program.name());
    typed(line, program);
    return line;
  }

  static Set<String> names() {
    return verbs().keySet();
  }

  /** Its texts, and those of its commands, with the program as it is typed here. */
  private static void typed(CommandLine line, Program program) {
    var usage = line.getCommandSpec().usageMessage();
    usage.description(Stream.of(usage.description()).map(program::in).toArray(String[]::new));
    usage.footer(Stream.of(usage.footer()).map(program::in).toArray(String[]::new));
    line.getSubcommands().values().forEach(command -> typed(command, program));
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
    verbs.put("events", EventsCommand::new);
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
    MACHINE_DIALS.forEach((dial, what) ->
        describe(local.addSubcommand(dial, new MachineDialCommand(session, dial)), dial, what));
    local.addSubcommand("stock", new StockCommand(session));
    CLOUD_DIALS.forEach((dial, what) ->
        describe(local.addSubcommand(dial, new CloudDialCommand(session, dial)), dial, what));
    local.addSubcommand("state", new CloudStateCommand(session));
  }

  private static void describe(CommandLine local, String dial, String what) {
    Optional.ofNullable(local.getSubcommands().get(dial))
        .ifPresent(command -> command.getCommandSpec().usageMessage().description(what));
  }
}

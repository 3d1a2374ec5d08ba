package dev.mayfly.cli;

import dev.mayfly.cli.cluster.CleanupCommand;
import dev.mayfly.cli.cluster.DownCommand;
import dev.mayfly.cli.cluster.EventsCommand;
import dev.mayfly.cli.cluster.StatusCommand;
import dev.mayfly.cli.cluster.UpCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.doctor.DoctorCommand;
import dev.mayfly.cli.job.ExplainCommand;
import dev.mayfly.cli.job.JobsCommand;
import dev.mayfly.cli.job.LogsCommand;
import dev.mayfly.cli.job.RetryCommand;
import dev.mayfly.cli.job.RunCommand;
import dev.mayfly.cli.job.StopCommand;
import dev.mayfly.cli.job.SubmitCommand;
import dev.mayfly.cli.local.CloudFaultCommand;
import dev.mayfly.cli.local.CloudStateCommand;
import dev.mayfly.cli.local.LocalCommand;
import dev.mayfly.cli.local.MachineFaultCommand;
import dev.mayfly.cli.local.ZoneStockCommand;
import dev.mayfly.cli.output.ProgramName;
import dev.mayfly.cli.slice.SliceCommand;
import dev.mayfly.cli.slice.SliceCreateCommand;
import dev.mayfly.cli.slice.SliceDeleteCommand;
import dev.mayfly.cli.slice.SliceListCommand;
import dev.mayfly.cli.slice.SliceReshapeCommand;
import dev.mayfly.cli.worker.DrainCommand;
import dev.mayfly.cli.worker.WorkerCommand;
import dev.mayfly.cli.worker.WorkerJoinCommand;
import dev.mayfly.cli.worker.WorkerRemoveCommand;
import dev.mayfly.cli.worker.WorkersCommand;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;

/** The commands there are. One alone is loaded when it is named: reading all of them takes time. */
final class Commands {
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

  private Commands() {}

  private static Map<String, String> ordered(String... pairs) {
    var map = new LinkedHashMap<String, String>();
    for (var i = 0; i < pairs.length; i += 2) map.put(pairs[i], pairs[i + 1]);
    return map;
  }

  /** A command line that knows the first argument's command, or all if it is none. */
  static CommandLine commandLine(CliContext cliContext, String[] args) {
    var verb = args.length > 0 ? factories().get(args[0]) : null;
    if (verb == null) return all(cliContext);
    var line = new CommandLine(new RootCommand());
    add(line, args[0], verb, cliContext);
    return named(line, cliContext);
  }

  /** A command line that knows every command. */
  static CommandLine all(CliContext cliContext) {
    var line = new CommandLine(new RootCommand());
    factories().forEach((name, verb) -> add(line, name, verb, cliContext));
    return named(line, cliContext);
  }

  private static CommandLine named(CommandLine line, CliContext cliContext) {
    var programName = cliContext.screen().program();
    line.setCommandName(programName.name());
    rewriteUsage(line, programName);
    return line;
  }

  static Set<String> names() {
    return factories().keySet();
  }

  /** Its texts, and those of its commands, with the program as it is typed here. */
  private static void rewriteUsage(CommandLine line, ProgramName programName) {
    var usage = line.getCommandSpec().usageMessage();
    usage.description(
        Stream.of(usage.description()).map(programName::rewrite).toArray(String[]::new));
    usage.footer(Stream.of(usage.footer()).map(programName::rewrite).toArray(String[]::new));
    line.getSubcommands().values().forEach(command -> rewriteUsage(command, programName));
  }

  private static Map<String, Function<CliContext, Object>> factories() {
    var verbs = new LinkedHashMap<String, Function<CliContext, Object>>();
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
    verbs.put("worker", cliContext -> new WorkerCommand());
    verbs.put("slice", cliContext -> new SliceCommand());
    verbs.put("down", DownCommand::new);
    verbs.put("cleanup", CleanupCommand::new);
    verbs.put("doctor", DoctorCommand::new);
    verbs.put("version", VersionCommand::new);
    verbs.put("completion", CompletionCommand::new);
    return verbs;
  }

  private static void add(
      CommandLine line, String name, Function<CliContext, Object> verb, CliContext cliContext) {
    var command = new CommandLine(verb.apply(cliContext));
    if (name.equals("local")) dials(command, cliContext);
    if (name.equals("slice")) slices(command, cliContext);
    if (name.equals("worker")) {
      command.addSubcommand(new WorkerJoinCommand(cliContext));
      command.addSubcommand(new WorkerRemoveCommand(cliContext));
    }
    line.addSubcommand(name, command);
  }

  private static void slices(CommandLine slice, CliContext cliContext) {
    slice.addSubcommand(new SliceCreateCommand(cliContext));
    slice.addSubcommand(new SliceReshapeCommand(cliContext));
    slice.addSubcommand(new SliceDeleteCommand(cliContext));
    slice.addSubcommand(new SliceListCommand(cliContext));
  }

  private static void dials(CommandLine local, CliContext cliContext) {
    MACHINE_DIALS.forEach((dial, what) ->
        describe(local.addSubcommand(dial, new MachineFaultCommand(cliContext, dial)), dial, what));
    local.addSubcommand("stock", new ZoneStockCommand(cliContext));
    CLOUD_DIALS.forEach((dial, what) ->
        describe(local.addSubcommand(dial, new CloudFaultCommand(cliContext, dial)), dial, what));
    local.addSubcommand("state", new CloudStateCommand(cliContext));
  }

  private static void describe(CommandLine local, String dial, String what) {
    Optional.ofNullable(local.getSubcommands().get(dial))
        .ifPresent(command -> command.getCommandSpec().usageMessage().description(what));
  }
}

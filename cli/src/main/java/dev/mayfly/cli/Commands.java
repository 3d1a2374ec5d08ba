package dev.mayfly.cli;

import dev.mayfly.cli.catalog.CatalogCommand;
import dev.mayfly.cli.cluster.CleanupCommand;
import dev.mayfly.cli.cluster.CostCommand;
import dev.mayfly.cli.cluster.DownCommand;
import dev.mayfly.cli.cluster.EventsCommand;
import dev.mayfly.cli.cluster.StatusCommand;
import dev.mayfly.cli.cluster.UpCommand;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.TimeConverter;
import dev.mayfly.cli.copy.CopyCommand;
import dev.mayfly.cli.copy.StorageCopyCommand;
import dev.mayfly.cli.doctor.DoctorCommand;
import dev.mayfly.cli.document.InitCommand;
import dev.mayfly.cli.document.ValidateCommand;
import dev.mayfly.cli.image.ImageBakeCommand;
import dev.mayfly.cli.image.ImageBuildCommand;
import dev.mayfly.cli.image.ImageCommand;
import dev.mayfly.cli.image.ImagePushCommand;
import dev.mayfly.cli.job.ExplainCommand;
import dev.mayfly.cli.job.JobsCommand;
import dev.mayfly.cli.job.LogsCommand;
import dev.mayfly.cli.job.RetryCommand;
import dev.mayfly.cli.job.RunCommand;
import dev.mayfly.cli.job.StopCommand;
import dev.mayfly.cli.job.SubmitCommand;
import dev.mayfly.cli.job.TasksCommand;
import dev.mayfly.cli.job.WaitCommand;
import dev.mayfly.cli.local.CloudControl;
import dev.mayfly.cli.local.CloudFaultCommand;
import dev.mayfly.cli.local.CloudStateCommand;
import dev.mayfly.cli.local.InviteCommand;
import dev.mayfly.cli.local.LocalCommand;
import dev.mayfly.cli.local.MachineFaultCommand;
import dev.mayfly.cli.local.ZoneStockCommand;
import dev.mayfly.cli.open.AddCommand;
import dev.mayfly.cli.open.CloseCommand;
import dev.mayfly.cli.output.ProgramName;
import dev.mayfly.cli.page.UiCommand;
import dev.mayfly.cli.report.ReportCommand;
import dev.mayfly.cli.schedule.ScheduleCommand;
import dev.mayfly.cli.schedule.ScheduleDeleteCommand;
import dev.mayfly.cli.schedule.SchedulePauseCommand;
import dev.mayfly.cli.schedule.ScheduleResumeCommand;
import dev.mayfly.cli.schedule.ScheduleRunCommand;
import dev.mayfly.cli.session.AttachCommand;
import dev.mayfly.cli.session.DevCommand;
import dev.mayfly.cli.session.ExecCommand;
import dev.mayfly.cli.session.PortForwardCommand;
import dev.mayfly.cli.session.ProfileCommand;
import dev.mayfly.cli.session.SshCommand;
import dev.mayfly.cli.simulate.SimulateCommand;
import dev.mayfly.cli.slice.SliceCommand;
import dev.mayfly.cli.slice.SliceCreateCommand;
import dev.mayfly.cli.slice.SliceDeleteCommand;
import dev.mayfly.cli.slice.SliceListCommand;
import dev.mayfly.cli.slice.SliceReshapeCommand;
import dev.mayfly.cli.storage.StorageCommand;
import dev.mayfly.cli.storage.StorageListCommand;
import dev.mayfly.cli.worker.CordonCommand;
import dev.mayfly.cli.worker.DrainCommand;
import dev.mayfly.cli.worker.UncordonCommand;
import dev.mayfly.cli.worker.WorkerCommand;
import dev.mayfly.cli.worker.WorkerJoinCommand;
import dev.mayfly.cli.worker.WorkerRemoveCommand;
import dev.mayfly.cli.worker.WorkersCommand;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Stream;
import picocli.CommandLine;

/** All commands. Only the named command is loaded, because loading all of them takes time. */
final class Commands {
  private static final Map<String, String> MACHINE_CONTROLS =
      ordered(
          "preempt", "Takes a machine away, with notice.",
          "freeze", "Suspends a machine's processes; the cloud still reports RUNNING.",
          "thaw", "Resumes a frozen machine.",
          "kill", "Cuts a machine's power.",
          "stop", "Stops a machine; it remains, powered off.",
          "delete", "Deletes a machine.");

  private Commands() {}

  private static Map<String, String> ordered(String... pairs) {
    var map = new LinkedHashMap<String, String>();
    for (var i = 0; i < pairs.length; i += 2) map.put(pairs[i], pairs[i + 1]);
    return map;
  }

  /** A command line with only the command that the first argument names, or with all commands. */
  static CommandLine commandLine(CliContext cliContext, String[] args) {
    var factory = args.length > 0 ? factories().get(args[0]) : null;
    if (factory == null) return all(cliContext);
    var line = new CommandLine(new RootCommand(cliContext));
    add(line, args[0], factory, cliContext);
    return named(line, cliContext);
  }

  /** A command line with all commands. */
  static CommandLine all(CliContext cliContext) {
    var line = new CommandLine(new RootCommand(cliContext));
    factories().forEach((name, factory) -> add(line, name, factory, cliContext));
    return named(line, cliContext);
  }

  private static CommandLine named(CommandLine line, CliContext cliContext) {
    var programName = cliContext.screen().program();
    line.setCommandName(programName.name());
    // Of all commands, so that none reads a time in another notation than documents have.
    line.registerConverter(Duration.class, new TimeConverter());
    rewriteUsage(line, programName);
    return line;
  }

  static Set<String> names() {
    return factories().keySet();
  }

  /** Rewrites the help texts to name the program as the user typed it. */
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
    verbs.put("tasks", TasksCommand::new);
    verbs.put("explain", ExplainCommand::new);
    verbs.put("report", ReportCommand::new);
    verbs.put("logs", LogsCommand::new);
    verbs.put("events", EventsCommand::new);
    verbs.put("cost", CostCommand::new);
    verbs.put("ui", UiCommand::new);
    verbs.put("dev", DevCommand::new);
    verbs.put("attach", AttachCommand::new);
    verbs.put("exec", ExecCommand::new);
    verbs.put("profile", ProfileCommand::new);
    verbs.put("cp", CopyCommand::new);
    verbs.put("storage", StorageCommand::new);
    verbs.put("port-forward", PortForwardCommand::new);
    verbs.put("ssh", SshCommand::new);
    verbs.put("add", AddCommand::new);
    verbs.put("close", CloseCommand::new);
    verbs.put("stop", StopCommand::new);
    verbs.put("retry", RetryCommand::new);
    verbs.put("wait", WaitCommand::new);
    verbs.put("schedule", ScheduleCommand::new);
    verbs.put("workers", WorkersCommand::new);
    verbs.put("drain", DrainCommand::new);
    verbs.put("cordon", CordonCommand::new);
    verbs.put("uncordon", UncordonCommand::new);
    verbs.put("worker", WorkerCommand::new);
    verbs.put("slice", SliceCommand::new);
    verbs.put("down", DownCommand::new);
    verbs.put("cleanup", CleanupCommand::new);
    verbs.put("image", ImageCommand::new);
    verbs.put("catalog", CatalogCommand::new);
    verbs.put("init", InitCommand::new);
    verbs.put("validate", ValidateCommand::new);
    verbs.put("simulate", SimulateCommand::new);
    verbs.put("doctor", DoctorCommand::new);
    verbs.put("version", VersionCommand::new);
    verbs.put("completion", CompletionCommand::new);
    return verbs;
  }

  private static void add(
      CommandLine line, String name, Function<CliContext, Object> factory, CliContext cliContext) {
    var command = new CommandLine(factory.apply(cliContext));
    if (name.equals("local")) addFaultControls(command, cliContext);
    if (name.equals("slice")) addSliceCommands(command, cliContext);
    if (name.equals("schedule")) addScheduleCommands(command, cliContext);
    if (name.equals("storage")) {
      command.addSubcommand(new StorageListCommand(cliContext));
      command.addSubcommand(new StorageCopyCommand(cliContext));
    }
    if (name.equals("image")) {
      command.addSubcommand(new ImageBuildCommand(cliContext));
      command.addSubcommand(new ImagePushCommand(cliContext));
      command.addSubcommand(new ImageBakeCommand(cliContext));
    }
    if (name.equals("worker")) {
      command.addSubcommand(new WorkerJoinCommand(cliContext));
      command.addSubcommand(new WorkerRemoveCommand(cliContext));
    }
    line.addSubcommand(name, command);
  }

  private static void addSliceCommands(CommandLine slice, CliContext cliContext) {
    slice.addSubcommand(new SliceCreateCommand(cliContext));
    slice.addSubcommand(new SliceReshapeCommand(cliContext));
    slice.addSubcommand(new SliceDeleteCommand(cliContext));
    slice.addSubcommand(new SliceListCommand(cliContext));
  }

  private static void addScheduleCommands(CommandLine schedule, CliContext cliContext) {
    schedule.addSubcommand(new SchedulePauseCommand(cliContext));
    schedule.addSubcommand(new ScheduleResumeCommand(cliContext));
    schedule.addSubcommand(new ScheduleRunCommand(cliContext));
    schedule.addSubcommand(new ScheduleDeleteCommand(cliContext));
  }

  private static void addFaultControls(CommandLine local, CliContext cliContext) {
    MACHINE_CONTROLS.forEach((faultControl, what) ->
        describe(
            local.addSubcommand(faultControl, new MachineFaultCommand(cliContext, faultControl)),
            faultControl,
            what));
    local.addSubcommand("stock", new ZoneStockCommand(cliContext));
    local.addSubcommand("invite", new InviteCommand(cliContext));
    for (var control : CloudControl.values()) {
      var command = new CommandLine(new CloudFaultCommand(cliContext, control));
      command.getCommandSpec().usageMessage().description(control.help()).footer(control.footer());
      local.addSubcommand(control.word(), command);
    }
    local.addSubcommand("state", new CloudStateCommand(cliContext));
  }

  private static void describe(CommandLine local, String faultControl, String what) {
    Optional.ofNullable(local.getSubcommands().get(faultControl))
        .ifPresent(command -> command.getCommandSpec().usageMessage().description(what));
  }
}

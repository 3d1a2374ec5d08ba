package dev.mayfly.cli.session;

import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.context.ShellQuoting;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/**
 * Google's machines, by gcloud's own ssh through Identity-Aware Proxy: they have no external
 * address. IAM decides who gets in: {@code docs/security.md} lists the roles.
 */
final class GcloudShell implements MachineShell {
  /** Where the startup script keeps the agent's bundle. */
  private static final String ENTER = "/opt/mayfly/current/bin/enter-task";

  /** Says what is missing, in the place of the words of sudo or of the shell. */
  private static final String BESIDE_TASK =
      """
      [ -x %1$s ] || { echo 'mayfly: the agent of this machine is older than this command and has no enter-task; a new machine has it' >&2; exit 75; }
      sudo -n true 2>/dev/null || { echo 'mayfly: you may log in here but not enter tasks; that needs roles/compute.osAdminLogin' >&2; exit 77; }
      exec sudo -n -- %1$s "$@"
      """
          .formatted(ENTER);

  private final CliContext cliContext;

  GcloudShell(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public LocalProgram program(
      SessionTarget target, List<String> argv, boolean terminal, Duration wait) {
    var line = ssh(target.machine());
    var command = target.task().isPresent() ? besideTask(target, argv, wait) : argv;
    if (!command.isEmpty()) line.add("--command=" + ShellQuoting.line(command));
    if (terminal && !command.isEmpty()) line.add("--ssh-flag=-t");
    return new LocalProgram(line);
  }

  private static List<String> besideTask(SessionTarget target, List<String> argv, Duration wait) {
    var task = target.task().orElseThrow();
    var words = new ArrayList<>(List.of("sh", "-c", BESIDE_TASK, "mayfly"));
    if (task.rank().isPresent())
      words.addAll(List.of("--rank", Integer.toString(task.rank().getAsInt())));
    words.addAll(List.of("--wait", Long.toString(wait.toSeconds())));
    words.addAll(List.of(task.job(), Long.toString(task.index())));
    words.addAll(argv);
    return words;
  }

  /** Only the alpha command for TPUs goes through Identity-Aware Proxy. */
  private List<String> ssh(Machine machine) {
    if (machine.own())
      throw CommandException.input(
          "worker "
              + machine
              + " is a machine of your own, which no one but you can log in to; on it, as root,"
              + " bin/enter-task of the agent's bundle enters a task");
    var line = new ArrayList<>(List.of(gcloud()));
    if (machine.tpu()) line.addAll(List.of("alpha", "compute", "tpus", "tpu-vm", "ssh"));
    else line.addAll(List.of("compute", "ssh"));
    line.add(machine.worker());
    line.add("--project=" + cliContext.endpoints().project());
    line.add("--zone=" + machine.zone());
    line.add("--tunnel-through-iap");
    if (machine.tpu()) line.add("--worker=" + machine.host());
    return line;
  }

  private String gcloud() {
    return LocalProgram.find(cliContext.env(), "gcloud")
        .orElseThrow(() ->
            CommandException.input(
                "gcloud is not on the PATH, and this command uses its ssh; install it from"
                    + " https://cloud.google.com/sdk and run: gcloud auth login"));
  }

  @Override
  public int forward(SessionTarget target, List<PortPair> ports) {
    var to = target.task().isPresent() ? address(target) : "localhost";
    var line = ssh(target.machine());
    line.addAll(List.of("--ssh-flag=-N", "--ssh-flag=-o ExitOnForwardFailure=yes"));
    for (var pair : ports) {
      var local = pair.local() == 0 ? freePort() : pair.local();
      line.add("--ssh-flag=-L 127.0.0.1:" + local + ":" + to + ":" + pair.remote());
      cliContext
          .screen()
          .note("forwarding 127.0.0.1:%d to port %d of %s".formatted(local, pair.remote(), target));
    }
    return ForegroundProcess.run(new LocalProgram(line));
  }

  /** A container may have a network of its own, which only its machine knows. */
  private String address(SessionTarget target) {
    var task = target.task().orElseThrow();
    var words = List.of("sh", "-c", BESIDE_TASK, "mayfly", "--address", task.job());
    var whole = new ArrayList<>(words);
    whole.add(Long.toString(task.index()));
    var line = ssh(target.machine());
    line.add("--command=" + ShellQuoting.line(whole));
    var result = ForegroundProcess.capture(new LocalProgram(line), cliContext.screen()::note);
    var address = result.output().strip();
    if (result.code() == 0 && address.matches("localhost|[0-9a-fA-F.:]{2,45}"))
      return address.contains(":") ? "[" + address + "]" : address;
    throw new CommandException(
        CommandExitCode.UNAVAILABLE,
        "the address of %s cannot be asked for (exit code %d); see the lines above"
            .formatted(target, result.code()));
  }

  /** Another program may take it before ssh does, which then says so. */
  private static int freePort() {
    try (var socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      return socket.getLocalPort();
    } catch (IOException e) {
      throw new CommandException(CommandExitCode.UNAVAILABLE, "no port is free here: " + e, e);
    }
  }

  @Override
  public boolean isOff(Machine machine) {
    return false;
  }
}

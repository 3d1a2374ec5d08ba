package dev.mayfly.cli.session;

import dev.mayfly.cli.client.DeploymentEndpoints;
import dev.mayfly.cli.context.CliContext;
import dev.mayfly.cli.error.CommandException;
import dev.mayfly.cli.error.CommandExitCode;
import dev.mayfly.cli.local.LocalCloudLauncher;
import dev.mayfly.wire.Wire;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The laptop cloud's machines: process trees of this computer. A session is a process of this
 * command with the machine's environment, whose marker makes it end with the machine.
 */
final class LaptopShell implements MachineShell {
  /** What {@code enter-task} says of a task or machine that is not there. */
  private static final int NOT_HERE = 93;

  private final CliContext cliContext;

  LaptopShell(CliContext cliContext) {
    this.cliContext = cliContext;
  }

  @Override
  public LocalProgram program(
      SessionTarget target, List<String> argv, boolean terminal, Duration wait) {
    refuseInvited();
    var line = enter();
    if (target.task().isEmpty()) {
      line.addAll(List.of("--machine", vm(target.machine())));
    } else {
      var task = target.task().get();
      if (!target.machine().own()) line.addAll(List.of("--vm", vm(target.machine())));
      if (task.rank().isPresent())
        line.addAll(List.of("--rank", Integer.toString(task.rank().getAsInt())));
      line.addAll(List.of("--wait", Long.toString(wait.toSeconds())));
      line.addAll(List.of(task.job(), Long.toString(task.index())));
    }
    line.addAll(argv);
    return new LocalProgram(line);
  }

  /** As on Google Cloud, where only developers have shells. */
  private void refuseInvited() {
    if (DeploymentEndpoints.isInvited(cliContext.home()))
      throw CommandException.input(
          "sessions on machines are the owner's of this laptop cloud, and not of people who are invited; mayfly logs shows what a task writes");
  }

  private List<String> enter() {
    var script =
        LocalCloudLauncher.projectFolder(cliContext.env())
            .resolve("node-agent/src/bundle/enter-task");
    if (!Files.exists(script))
      throw CommandException.input(script + " is missing; start with ./mayfly of a whole checkout");
    return new ArrayList<>(List.of("bash", script.toString()));
  }

  /** The value of the marker of the machine's processes. */
  private static String vm(Machine machine) {
    if (machine.own())
      throw CommandException.input(
          "worker "
              + machine
              + " is a machine of your own and no simulated one: open a terminal on it");
    var id =
        machine
            .instance()
            .orElseThrow(() ->
                new CommandException(
                    CommandExitCode.UNAVAILABLE, "machine " + machine + " does not run yet"));
    return machine.host() == 0 ? id : id + "-" + machine.host();
  }

  @Override
  public int forward(SessionTarget target, List<PortPair> ports) {
    refuseInvited();
    return new LoopbackForwarder(cliContext.screen(), address(target.machine()))
        .forward(ports, () -> isOff(target.machine()));
  }

  /** Only the fields that name machines; others are ignored. */
  private record CloudState(List<Vm> machines, List<Tpu> tpus) {}

  private record Vm(String id, Optional<String> address) {}

  private record Tpu(String id, List<String> addresses) {}

  private String address(Machine machine) {
    // A machine of the user's own is this computer.
    if (machine.own()) return "127.0.0.1";
    var id = machine.instance().orElse("");
    var json = cliContext.faultControls().state().getBytes(StandardCharsets.UTF_8);
    var state = Wire.shared().read(CloudState.class, json);
    var ofTpu =
        state.tpus().stream()
            .filter(tpu -> tpu.id().equals(id) && machine.host() < tpu.addresses().size())
            .map(tpu -> tpu.addresses().get(machine.host()));
    var ofVm =
        state.machines().stream()
            .filter(vm -> vm.id().equals(id))
            .flatMap(vm -> vm.address().stream());
    return Stream.concat(ofTpu, ofVm)
        .findFirst()
        .orElseThrow(() ->
            new CommandException(
                CommandExitCode.NOT_FOUND, "machine " + machine + " is not in the laptop cloud"));
  }

  @Override
  public boolean isOff(Machine machine) {
    if (machine.own() || machine.instance().isEmpty()) return false;
    var line = enter();
    line.addAll(List.of("--machine", vm(machine), "true"));
    return ForegroundProcess.code(new LocalProgram(line)) == NOT_HERE;
  }
}

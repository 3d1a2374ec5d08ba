package dev.mayfly.agent.task;

import dev.mayfly.agent.container.ContainerEngine;
import dev.mayfly.agent.credentials.SecretRedactor;
import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.LastingFolders;
import dev.mayfly.agent.gang.RayGang;
import dev.mayfly.agent.gang.SshGang;
import dev.mayfly.agent.process.ProcessCommand;
import dev.mayfly.agent.process.TaskUser;
import dev.mayfly.agent.process.kill.TaskMarkers;
import dev.mayfly.agent.setup.SetupActivation;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.task.GpuMemoryLimit;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.port.Secrets;
import dev.mayfly.core.text.GitReference;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Makes the commands of attempts' processes, with their environment. */
final class AttemptCommands {
  private final TaskContext taskContext;
  private final Map<String, String> environment;
  private final Secrets secrets;
  private final LastingFolders lastingFolders;

  /**
   * @param environment the base of every task's environment
   */
  AttemptCommands(
      TaskContext taskContext,
      Map<String, String> environment,
      Secrets secrets,
      LastingFolders lastingFolders) {
    this.taskContext = taskContext;
    this.environment = environment;
    this.secrets = secrets;
    this.lastingFolders = lastingFolders;
  }

  /** The user that an attempt's processes run as; empty for the agent's. */
  Optional<TaskUser> user(AgentEffect.Start start) {
    return taskContext.users().of(start.jobInfo().spec().run().rights());
  }

  private SubmitterAccess submitter() throws IOException {
    return taskContext
        .access()
        .submitter()
        .orElseThrow(() ->
            new IOException(
                "this machine cannot let a task submit jobs: it was made before its deployment could, or is not Mayfly's; drain it, or name other pools or workers in the job"));
  }

  /** Writes the tokens of a task that may submit jobs; a repeat writes new ones. */
  void writeTokens(AttemptState attemptState, AgentEffect.Start start, AttemptDir dir)
      throws IOException {
    if (!start.jobInfo().spec().run().rights().submitter()) return;
    var file = new SubmitterTokenFile(dir, user(start), submitter());
    file.write();
    attemptState.setSubmitter(file);
  }

  /** The task's command, and the variables that are Mayfly's, the job's or secret. */
  TaskCommand task(
      AttemptState attemptState, AgentEffect.Start start, AttemptDir dir, InputStaging.Paths paths)
      throws IOException {
    var taskCommand = TaskCommand.of(start, paths.input().toString(), paths.output().toString());
    var own = new HashMap<String, String>();
    var contained = start.jobInfo().spec().run().image().isPresent();
    var temporary = contained ? dir.containedTemporary() : dir.temporary();
    own.put("TMPDIR", temporary.toString());
    own.putAll(taskCommand.env());
    own.putAll(secrets(attemptState, start));
    own.putAll(gpuVariables(start, own.keySet()));
    own.putAll(TaskMarkers.of(taskContext.workDir().root(), attemptState.id()));
    own.put("MAYFLY_CACHE", lastingFolders.cache(attemptState.id(), user(start)).toString());
    own.put("MAYFLY_NOTICE", dir.notice().toString());
    own.put("MAYFLY_STOP", dir.stop().toString());
    own.putAll(taskContext.mounts());
    own.put("MAYFLY_METRICS", dir.metrics().toString());
    if (start.jobInfo().spec().run().taskEnvironment().checkpoint().isPresent())
      own.put("MAYFLY_CHECKPOINT", dir.checkpoint().toString());
    commit(start).ifPresent(it -> own.put("MAYFLY_CODE_COMMIT", it));
    own.put("PWD", dir.work().toString());
    if (start.jobInfo().spec().run().rights().submitter())
      own.putAll(submitter().variables(start.jobInfo().spec(), dir));
    own.putAll(SshGang.variables(start, dir));
    var argv = SshGang.command(RayGang.command(taskCommand.argv(), start), start);
    return new TaskCommand(argv, own);
  }

  /** The commit that the job's code was packed from, if the control plane says one. */
  private static Optional<String> commit(AgentEffect.Start start) {
    var from = start.jobInfo().spec().run().taskEnvironment().codeFrom();
    return from.map(GitReference::of).flatMap(GitReference::commit);
  }

  /**
   * The limit of the memory of the task's GPUs, and where MPS is; a user's own value of a variable
   * wins.
   */
  private Map<String, String> gpuVariables(AgentEffect.Start start, Set<String> own) {
    var need = start.jobInfo().spec().resources();
    if (!need.needsGpu()) return Map.of();
    var gpus = taskContext.gpus();
    var variables = new HashMap<String, String>();
    gpus.mps().ifPresent(folders -> variables.putAll(folders.variables()));
    variables.keySet().removeAll(own);
    variables.putAll(GpuMemoryLimit.variables(need, start.gpus().size(), gpus.memory().get(), own));
    return variables;
  }

  /**
   * A task's process.
   *
   * @param output the file that it writes to
   */
  ProcessCommand process(
      TaskCommand taskCommand,
      AgentEffect.Start start,
      AttemptDir dir,
      Path output,
      Optional<Path> setup,
      Optional<TaskContainer> container) {
    var own = new HashMap<>(taskCommand.env());
    setup.ifPresent(folder -> own.putAll(SetupActivation.variables(folder)));
    var argv = taskCommand.argv();
    if (setup.isPresent() && container.isPresent()) argv = SetupActivation.inContainer(argv);
    return command(argv, own, start, dir, output, setup, container);
  }

  /**
   * A process in the attempt's folder and with its user.
   *
   * @param output the file that it writes to
   * @param path a setup's folder, whose programs come first
   */
  ProcessCommand command(
      List<String> argv,
      Map<String, String> own,
      AgentEffect.Start start,
      AttemptDir dir,
      Path output,
      Optional<Path> path,
      Optional<TaskContainer> container) {
    var variables = new HashMap<>(environment);
    if (start.jobInfo().spec().run().rights().metadata())
      variables.putAll(taskContext.access().metadata());
    user(start).ifPresent(user -> variables.putAll(user.environment()));
    variables.putAll(own);
    if (container.isEmpty()) path.ifPresent(folder -> SetupActivation.addPath(folder, variables));
    var processCommand = new ProcessCommand(argv, variables, dir.work(), output);
    return container.map(c -> c.wrap(processCommand, own, dir)).orElse(processCommand);
  }

  /** Reads secrets anew for each attempt, so that the next attempt gets a rotated value. */
  private Map<String, String> secrets(AttemptState attemptState, AgentEffect.Start start) {
    var values = new HashMap<String, String>();
    var run = start.jobInfo().spec().run();
    if (run.image().isPresent())
      run.secrets().keySet().forEach(AttemptCommands::requireUnreadByEngine);
    run.secrets().forEach((k, ref) -> values.put(k, secrets.value(ref)));
    attemptState.setSecrets(SecretRedactor.of(values.values()));
    return values;
  }

  private static void requireUnreadByEngine(String name) {
    if (ContainerEngine.readsVariable(name))
      throw new InvalidInputException(
          "secrets." + name, "would be read by the container engine too; give it another name");
  }
}

package dev.mayfly.agent.task;

import dev.mayfly.agent.files.AttemptDir;
import dev.mayfly.agent.files.LastingFolders.SetupFolder;
import dev.mayfly.agent.logs.LogFile;
import dev.mayfly.agent.logs.LogUploader;
import dev.mayfly.agent.setup.PythonSetup;
import dev.mayfly.agent.setup.SetupActivation;
import dev.mayfly.agent.setup.SetupFailedException;
import dev.mayfly.agent.setup.SetupKey;
import dev.mayfly.agent.setup.SetupStore;
import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.model.cluster.SetupSpec;
import dev.mayfly.core.port.BucketLayout;
import java.io.IOException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Optional;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Makes a job's setup as part of the first attempt that needs it, or fetches a stored one. */
final class SetupRunner {
  private static final Logger LOG = LoggerFactory.getLogger(SetupRunner.class);

  private final TaskContext taskContext;
  private final AttemptCommands attemptCommands;
  private final PreparationProcess preparationProcess;
  private final SetupStore setupStore;
  private final SetupArchive setupArchive;
  private final LogUploader logUploader;

  SetupRunner(
      TaskContext taskContext,
      AttemptCommands attemptCommands,
      PreparationProcess preparationProcess,
      SetupStore setupStore,
      SetupArchive setupArchive,
      LogUploader logUploader) {
    this.taskContext = taskContext;
    this.attemptCommands = attemptCommands;
    this.preparationProcess = preparationProcess;
    this.setupStore = setupStore;
    this.setupArchive = setupArchive;
    this.logUploader = logUploader;
  }

  /** Everything that the setup's process shares with its attempt's. */
  record Use(
      AttemptState attemptState,
      AgentEffect.Start start,
      AttemptDir dir,
      TaskCommand taskCommand,
      Optional<TaskContainer> container) {}

  /** The folder of the job's setup, made now if this machine lacks it; empty without a setup. */
  Optional<Path> ready(Use use) throws IOException, SetupFailedException {
    var setup = use.start().jobInfo().spec().run().taskEnvironment().setup();
    if (setup.isEmpty()) return Optional.empty();
    var image = use.container().map(TaskContainer::image);
    var bundle = use.start().jobInfo().spec().run().code();
    var key = SetupKey.of(setup.get(), use.dir().work(), bundle, image);
    var user = attemptCommands.user(use.start());
    try {
      return Optional.of(
          setupStore.ready(
              use.attemptState().id(), key, user, folder -> fill(setup.get(), folder, use)));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new IOException("the attempt was ended during its setup", e);
    }
  }

  private void fill(SetupSpec setup, SetupFolder folder, Use use)
      throws IOException, SetupFailedException, InterruptedException {
    var log = use.dir().log().beside(".setup");
    var user = attemptCommands.user(use.start());
    if (user.isPresent()) user.get().chown(log.path());
    var id = use.attemptState().id() + "/setup";
    open(id, log, use);
    try {
      if (setup.stored() && setupArchive.fetched(folder, log, use)) return;
      make(setup, folder, log, use);
      if (setup.stored()) setupArchive.store(folder, log, use);
    } finally {
      var unused = logUploader.finish(id).whenComplete((done, lost) -> close(log));
    }
  }

  private void make(SetupSpec setup, SetupFolder folder, LogFile log, Use use)
      throws SetupFailedException, InterruptedException {
    var own = new HashMap<>(use.taskCommand().env());
    own.put(SetupActivation.FOLDER, folder.content().toString());
    own.put(PythonSetup.PLACE, use.container().isPresent() ? "image" : "machine");
    var uv = taskContext.tools().uv().filter(unused -> setup.python().isPresent());
    uv.ifPresent(program -> own.put(PythonSetup.UV, program.toString()));
    var argv = setup.python().map(PythonSetup::command).orElse(setup.command());
    preparationProcess.run(
        new PreparationProcess.Program(argv, own, setup.timeout()),
        use.container().map(c -> c.forSetup(folder.content(), uv)),
        log,
        use);
  }

  private void open(String id, LogFile log, Use use) {
    var jobInfo = use.start().jobInfo();
    var index = use.start().attempt().index();
    var bucketLayout = BucketLayout.of(jobInfo.bucket());
    var name = BucketLayout.SETUP_LOG + TaskStarter.logName(use.start());
    logUploader.open(
        id,
        jobInfo.job(),
        log,
        new LogUploader.LogDestination(
            piece -> bucketLayout.log(jobInfo.job(), index, name, piece),
            jobInfo.spec().run().taskEnvironment().logLimit()),
        use.attemptState().confidential().parts());
  }

  private static void close(LogFile log) {
    try {
      log.close();
    } catch (IOException e) {
      LOG.warn("log of a setup not deleted file={} reason={}", log.path(), e.toString());
    }
  }
}

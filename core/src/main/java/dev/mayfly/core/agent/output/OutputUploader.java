package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.sentinel.SharedSentinels;
import java.util.List;
import java.util.Optional;

/** Uploads one attempt's output, once. */
public final class OutputUploader {
  private static final int MAX_TRIES = 5;

  private final ObjectStore objectStore;
  private final OutputObject outputObject;

  OutputUploader(ObjectStore objectStore, SharedSentinels sharedSentinels) {
    this.objectStore = objectStore;
    outputObject = new OutputObject(objectStore, sharedSentinels);
  }

  AgentEvent upload(AgentEffect.Upload effect, ProducedOutput producedOutput) {
    var output = ObjectUrl.of(TaskCommand.output(effect.jobInfo(), effect.item()));
    var data = effect.jobInfo().spec().data();
    return switch (data.outputs()) {
      case WRITTEN -> new WrittenOutput(objectStore, output).check(effect);
      case NONE -> none(effect, output);
      case UPLOADED -> uploaded(effect, output, producedOutput);
    };
  }

  private AgentEvent uploaded(
      AgentEffect.Upload effect, ObjectUrl output, ProducedOutput producedOutput) {
    return switch (producedOutput) {
      case ProducedOutput.Nothing nothing -> nothing(effect, output);
      case ProducedOutput.OneFile file -> outputObject.createOnce(effect, output, file.content());
      case ProducedOutput.Directory directory -> directory(effect, output, directory);
    };
  }

  /**
   * A job that names a place for its outputs requires them: a sentinel without an output would keep
   * the task from ever running again. Another attempt's finished upload counts, as in an upload.
   */
  private AgentEvent nothing(AgentEffect.Upload effect, ObjectUrl output) {
    if (!effect.jobInfo().spec().data().outputsRequired()) return none(effect, output);
    for (var objectUrl : List.of(output, output.resolve(INDEX))) {
      var adopted =
          objectStore.find(objectUrl).flatMap(found -> OutputObject.adopted(effect, found));
      if (adopted.isPresent()) return adopted.get();
    }
    return new AgentEvent.PublishFailed(effect.attempt(), false, NOTHING);
  }

  static final String NOTHING =
      "exit code 0, but nothing was left at $MAYFLY_OUTPUT ({outputFile}); if the command writes"
          + " {output} itself, say outputs: written, if there is none, outputs: none";

  private static AgentEvent none(AgentEffect.Upload effect, ObjectUrl output) {
    var attempt = effect.attempt();
    return new AgentEvent.Uploaded(
        attempt, StoredOutput.none(attempt, output.toString(), effect.made()));
  }

  /**
   * Uploads the files first, in a folder of this attempt alone; then creates the index, once, which
   * is the output. After a restore of the ledger, a new attempt may have the name of a forgotten
   * one. It then uses a folder of its own, so that their files do not mix.
   */
  private AgentEvent directory(
      AgentEffect.Upload effect, ObjectUrl output, ProducedOutput.Directory directory) {
    var taskAttempt = effect.attempt();
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      var name = taskAttempt.lease().job() + "." + taskAttempt.name();
      var folder = (tries == 0 ? name : name + "-" + tries) + "/";
      var index = new DirectoryIndex(taskAttempt);
      var other = files(effect, output, folder, directory, index);
      if (other.isEmpty())
        return outputObject.createOnce(
            effect, output.resolve(INDEX), ObjectStore.Content.of(index.json()));
      if (Sentinel.by(other.get().metadata()).isEmpty())
        return OutputObject.exists(taskAttempt, other.get().url());
    }
    throw new UnavailableException(
        output + " holds files of earlier attempts with this name; the upload will be retried");
  }

  /**
   * Returns an existing object with other bytes, if any; the remaining files are then not uploaded.
   */
  private Optional<ObjectInfo> files(
      AgentEffect.Upload effect,
      ObjectUrl output,
      String folder,
      ProducedOutput.Directory directory,
      DirectoryIndex index) {
    for (var entry : directory.entries()) {
      var metadata = OutputObject.metadata(effect, entry.content());
      var info =
          objectStore
              .create(output.resolve(folder + entry.path()), entry.content(), metadata)
              .info();
      if (!info.crc32c().equals(metadata.get(OutputObject.CRC))) return Optional.of(info);
      index.add(folder + entry.path(), info);
    }
    for (var empty : directory.folders()) index.addFolder(folder + empty);
    return Optional.empty();
  }

  static final String INDEX = "index.json";

  public static String exists(String url) {
    return url
        + " exists already and is not Mayfly's; delete it, or set overwrite: true in the job";
  }
}

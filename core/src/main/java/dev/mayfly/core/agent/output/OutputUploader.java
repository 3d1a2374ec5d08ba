package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.model.job.MadeFrom;
import dev.mayfly.core.model.job.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectStore.Creation;
import dev.mayfly.core.port.ObjectStore.Replacement;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Uploads one attempt's output, once. */
public final class OutputUploader {
  private static final int MAX_TRIES = 5;

  private final ObjectStore objectStore;

  OutputUploader(ObjectStore objectStore) {
    this.objectStore = objectStore;
  }

  AgentEvent upload(AgentEffect.Upload effect, ProducedOutput producedOutput) {
    var output = ObjectUrl.of(TaskCommand.output(effect.jobInfo(), effect.item()));
    var data = effect.jobInfo().spec().data();
    return switch (data.outputs()) {
      case WRITTEN -> written(effect, output);
      case NONE -> none(effect, output);
      case UPLOADED -> uploaded(effect, output, producedOutput);
    };
  }

  private AgentEvent uploaded(
      AgentEffect.Upload effect, ObjectUrl output, ProducedOutput producedOutput) {
    return switch (producedOutput) {
      case ProducedOutput.Nothing nothing -> nothing(effect, output);
      case ProducedOutput.OneFile file -> createOnce(effect, output, file.content());
      case ProducedOutput.Directory directory -> directory(effect, output, directory);
    };
  }

  /** The task wrote its output itself: the sentinel pins the current object. */
  private AgentEvent written(AgentEffect.Upload effect, ObjectUrl output) {
    var taskAttempt = effect.attempt();
    return objectStore
        .find(output)
        .<AgentEvent>map(info -> new AgentEvent.Uploaded(taskAttempt, found(effect, info)))
        .orElseGet(() ->
            new AgentEvent.PublishFailed(
                taskAttempt,
                false,
                "exit code 0, but there is no " + output + "; the job says outputs: written"));
  }

  /**
   * A job that names a place for its outputs requires them: a sentinel without an output would keep
   * the task from ever running again. Another attempt's finished upload counts, as in an upload.
   */
  private AgentEvent nothing(AgentEffect.Upload effect, ObjectUrl output) {
    if (!effect.jobInfo().spec().data().outputsRequired()) return none(effect, output);
    for (var objectUrl : List.of(output, output.resolve(INDEX))) {
      var info =
          objectStore.find(objectUrl).filter(found -> intact(found) && isAccepted(effect, found));
      var by = info.flatMap(i -> Sentinel.by(i.metadata()));
      if (by.isPresent())
        return new AgentEvent.Uploaded(effect.attempt(), adopted(by.get(), info.get()));
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

  /** Whether the job may take another attempt's output for its own. */
  private static boolean isAccepted(AgentEffect.Upload effect, ObjectInfo found) {
    var rule = effect.jobInfo().spec().data().doneRule().of(effect.item().index());
    return rule.accepts(effect.jobInfo().job(), found.metadata(), effect.made());
  }

  /**
   * Creates the output, or adopts a finished upload of an attempt. An object in the way is replaced
   * only at the generation seen: of two rivals one replaces it, and the other finds that upload on
   * its next try.
   */
  private AgentEvent createOnce(
      AgentEffect.Upload effect, ObjectUrl objectUrl, ObjectStore.Content content) {
    var metadata = metadata(effect, content);
    for (var tries = 0; tries < MAX_TRIES; tries++) {
      switch (objectStore.create(objectUrl, content, metadata)) {
        case Creation.Created created -> {
          return uploadResult(effect, created.info(), metadata);
        }
        case Creation.Exists existing -> {
          var end = resolveConflict(effect, existing.info(), content, metadata);
          if (end.isPresent()) return end.get();
        }
      }
    }
    throw new UnavailableException(
        objectUrl + " is replaced by others again and again; the upload will be retried");
  }

  /**
   * Resolves a conflict with an existing object; empty when it has changed and must be read again.
   */
  private Optional<AgentEvent> resolveConflict(
      AgentEffect.Upload effect,
      ObjectInfo existing,
      ObjectStore.Content content,
      Map<String, String> metadata) {
    var by = Sentinel.by(existing.metadata());
    if (by.isPresent() && intact(existing) && isAccepted(effect, existing))
      return Optional.of(new AgentEvent.Uploaded(effect.attempt(), adopted(by.get(), existing)));
    // An upload that differs from its announced checksum counts as no attempt's output.
    if (by.isEmpty() && !effect.jobInfo().spec().data().overwrite())
      return Optional.of(exists(effect.attempt(), existing.url()));
    return switch (objectStore.replace(existing.url(), content, metadata, existing.generation())) {
      case Replacement.Replaced replaced ->
          Optional.of(uploadResult(effect, replaced.info(), metadata));
      case Replacement.Changed changed -> Optional.empty();
    };
  }

  /** Whether an upload's bytes match the checksum that its attempt announced. */
  static boolean intact(ObjectInfo upload) {
    var announced = upload.metadata().get(CRC);
    return announced == null || upload.crc32c().isEmpty() || announced.equals(upload.crc32c());
  }

  private static AgentEvent uploadResult(
      AgentEffect.Upload effect, ObjectInfo info, Map<String, String> metadata) {
    if (info.crc32c().equals(metadata.get(CRC)))
      return new AgentEvent.Uploaded(effect.attempt(), found(effect, info));
    return new AgentEvent.PublishFailed(
        effect.attempt(),
        false,
        info.url() + " differs from the task's output: the file changed while it was read");
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
        return createOnce(effect, output.resolve(INDEX), ObjectStore.Content.of(index.json()));
      if (Sentinel.by(other.get().metadata()).isEmpty())
        return exists(taskAttempt, other.get().url());
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
      var metadata = metadata(effect, entry.content());
      var info =
          objectStore
              .create(output.resolve(folder + entry.path()), entry.content(), metadata)
              .info();
      if (!info.crc32c().equals(metadata.get(CRC))) return Optional.of(info);
      index.add(folder + entry.path(), info);
    }
    for (var empty : directory.folders()) index.addFolder(folder + empty);
    return Optional.empty();
  }

  static final String INDEX = "index.json";
  private static final String CRC = "mayfly-crc32c";

  private static AgentEvent exists(TaskAttempt taskAttempt, ObjectUrl objectUrl) {
    return new AgentEvent.OutputExists(taskAttempt, exists(objectUrl.toString()));
  }

  public static String exists(String url) {
    return url
        + " exists already and is not Mayfly's; delete it, or set overwrite: true in the job";
  }

  private static StoredOutput found(AgentEffect.Upload effect, ObjectInfo info) {
    var taskAttempt = effect.attempt();
    return new StoredOutput(
        taskAttempt.lease().job(),
        taskAttempt.index(),
        taskAttempt.name(),
        info.url().toString(),
        info.generation(),
        info.size(),
        info.crc32c(),
        effect.made());
  }

  /** The output of the attempt that uploaded it. */
  static StoredOutput adopted(Sentinel.By by, ObjectInfo info) {
    return new StoredOutput(
        by.job(),
        by.task(),
        by.attempt(),
        info.url().toString(),
        info.generation(),
        info.size(),
        info.crc32c(),
        MadeFrom.of(info.metadata()));
  }

  private static Map<String, String> metadata(
      AgentEffect.Upload effect, ObjectStore.Content content) {
    var taskAttempt = effect.attempt();
    var map = new LinkedHashMap<String, String>();
    map.put("mayfly-job", taskAttempt.lease().job());
    map.put("mayfly-task", Long.toString(taskAttempt.index()));
    map.put("mayfly-attempt", taskAttempt.name());
    map.put("mayfly-exit-code", "0");
    map.putAll(effect.made().metadata());
    map.put(CRC, crc32c(content));
    return map;
  }

  private static String crc32c(ObjectStore.Content content) {
    var crc = new CRC32C();
    try (var in = content.open()) {
      var buffer = new byte[1 << 16];
      for (var n = in.read(buffer); n >= 0; n = in.read(buffer)) crc.update(buffer, 0, n);
    } catch (IOException e) {
      throw new UncheckedIOException("the task's output cannot be read: " + e.getMessage(), e);
    }
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}

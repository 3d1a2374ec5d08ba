package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.loop.AgentEffect;
import dev.mayfly.core.agent.loop.AgentEvent;
import dev.mayfly.core.agent.loop.StoredOutput;
import dev.mayfly.core.agent.loop.TaskAttempt;
import dev.mayfly.core.agent.task.TaskCommand;
import dev.mayfly.core.error.UnavailableException;
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

/** Brings one attempt's output into the store, once. */
public final class OutputUploader {
  private static final int TRIES = 5;

  private final ObjectStore objectStore;

  OutputUploader(ObjectStore objectStore) {
    this.objectStore = objectStore;
  }

  AgentEvent upload(AgentEffect.Upload ask, ProducedOutput producedOutput) {
    var output = ObjectUrl.of(TaskCommand.output(ask.jobInfo(), ask.item()));
    var data = ask.jobInfo().spec().data();
    return switch (data.outputs()) {
      case WRITTEN -> written(ask.attempt(), output);
      case NONE -> none(ask.attempt(), output);
      case UPLOADED -> uploaded(ask, output, producedOutput);
    };
  }

  private AgentEvent uploaded(
      AgentEffect.Upload ask, ObjectUrl output, ProducedOutput producedOutput) {
    return switch (producedOutput) {
      case ProducedOutput.Nothing nothing -> nothing(ask, output);
      case ProducedOutput.OneFile file -> createOnce(ask, output, file.content());
      case ProducedOutput.Directory directory -> directory(ask, output, directory);
    };
  }

  /** The task wrote it itself: its sentinel pins what is there now. */
  private AgentEvent written(TaskAttempt taskAttempt, ObjectUrl output) {
    return objectStore
        .find(output)
        .<AgentEvent>map(info -> new AgentEvent.Uploaded(taskAttempt, found(taskAttempt, info)))
        .orElseGet(() ->
            new AgentEvent.PublishFailed(
                taskAttempt,
                false,
                "exit code 0, but there is no " + output + "; the job says outputs: written"));
  }

  /**
   * A job that names a place for its outputs wants them: a sentinel without one would keep the task
   * from ever running again. Another attempt's finished upload counts, as it does where there is
   * something to upload.
   */
  private AgentEvent nothing(AgentEffect.Upload ask, ObjectUrl output) {
    if (!ask.jobInfo().spec().data().outputsRequired()) return none(ask.attempt(), output);
    for (var objectUrl : List.of(output, output.resolve(INDEX))) {
      var info = objectStore.find(objectUrl).filter(OutputUploader::intact);
      var by = info.flatMap(i -> Sentinel.by(i.metadata()));
      if (by.isPresent())
        return new AgentEvent.Uploaded(ask.attempt(), adopted(by.get(), info.get()));
    }
    return new AgentEvent.PublishFailed(ask.attempt(), false, NOTHING);
  }

  static final String NOTHING =
      "exit code 0, but nothing was left at $MAYFLY_OUTPUT ({outputFile}); if the command writes"
          + " {output} itself, say outputs: written, if there is none, outputs: none";

  private static AgentEvent none(TaskAttempt taskAttempt, ObjectUrl output) {
    return new AgentEvent.Uploaded(taskAttempt, StoredOutput.none(taskAttempt, output.toString()));
  }

  /**
   * Creates the output, or adopts what an attempt has finished. What is in the way is replaced only
   * as the generation that was seen: of two rivals one replaces it, and the other one finds the
   * first one's upload when it looks again.
   */
  private AgentEvent createOnce(
      AgentEffect.Upload ask, ObjectUrl objectUrl, ObjectStore.Content content) {
    var metadata = metadata(ask.attempt(), content);
    for (var tries = 0; tries < TRIES; tries++) {
      switch (objectStore.create(objectUrl, content, metadata)) {
        case Creation.Created created -> {
          return arrived(ask.attempt(), created.info(), metadata);
        }
        case Creation.Exists there -> {
          var end = resolveConflict(ask, there.info(), content, metadata);
          if (end.isPresent()) return end.get();
        }
      }
    }
    throw new UnavailableException(
        objectUrl + " is replaced by others again and again; it is tried again later");
  }

  /** What follows from an object in the way; empty when it has changed and must be seen again. */
  private Optional<AgentEvent> resolveConflict(
      AgentEffect.Upload ask,
      ObjectInfo there,
      ObjectStore.Content content,
      Map<String, String> metadata) {
    var by = Sentinel.by(there.metadata());
    if (by.isPresent() && intact(there))
      return Optional.of(new AgentEvent.Uploaded(ask.attempt(), adopted(by.get(), there)));
    // An attempt's upload with other bytes than it announced is nobody's output.
    if (by.isEmpty() && !ask.jobInfo().spec().data().overwrite())
      return Optional.of(exists(ask.attempt(), there.url()));
    return switch (objectStore.replace(there.url(), content, metadata, there.generation())) {
      case Replacement.Replaced replaced ->
          Optional.of(arrived(ask.attempt(), replaced.info(), metadata));
      case Replacement.Changed changed -> Optional.empty();
    };
  }

  /** Whether an upload's bytes are those that its attempt announced. */
  static boolean intact(ObjectInfo upload) {
    var announced = upload.metadata().get(CRC);
    return announced == null || upload.crc32c().isEmpty() || announced.equals(upload.crc32c());
  }

  private static AgentEvent arrived(
      TaskAttempt taskAttempt, ObjectInfo info, Map<String, String> metadata) {
    if (info.crc32c().equals(metadata.get(CRC)))
      return new AgentEvent.Uploaded(taskAttempt, found(taskAttempt, info));
    return new AgentEvent.PublishFailed(
        taskAttempt,
        false,
        info.url() + " has other bytes than the task left: the file changed while it was read");
  }

  /**
   * The files first, in a folder of this attempt alone; then the index, created once: it is the
   * output. After a restore of the ledger, a new attempt may have the name of a forgotten one. It
   * then uses a folder of its own, so that their files do not mix.
   */
  private AgentEvent directory(
      AgentEffect.Upload ask, ObjectUrl output, ProducedOutput.Directory directory) {
    var taskAttempt = ask.attempt();
    for (var tries = 0; tries < TRIES; tries++) {
      var name = taskAttempt.lease().job() + "." + taskAttempt.name();
      var folder = (tries == 0 ? name : name + "-" + tries) + "/";
      var index = new DirectoryIndex(taskAttempt);
      var other = files(taskAttempt, output, folder, directory, index);
      if (other.isEmpty())
        return createOnce(ask, output.resolve(INDEX), ObjectStore.Content.of(index.json()));
      if (Sentinel.by(other.get().metadata()).isEmpty())
        return exists(taskAttempt, other.get().url());
    }
    throw new UnavailableException(
        output + " holds files of earlier attempts with this name; the upload will be retried");
  }

  /** An object that is there with other bytes than the task left; then the rest is not uploaded. */
  private Optional<ObjectInfo> files(
      TaskAttempt taskAttempt,
      ObjectUrl output,
      String folder,
      ProducedOutput.Directory directory,
      DirectoryIndex index) {
    for (var entry : directory.entries()) {
      var metadata = metadata(taskAttempt, entry.content());
      var info =
          objectStore
              .create(output.resolve(folder + entry.path()), entry.content(), metadata)
              .info();
      if (!info.crc32c().equals(metadata.get(CRC))) return Optional.of(info);
      index.add(folder + entry.path(), info);
    }
    return Optional.empty();
  }

  static final String INDEX = "index.json";
  private static final String CRC = "mayfly-crc32c";

  private static AgentEvent exists(TaskAttempt taskAttempt, ObjectUrl objectUrl) {
    return new AgentEvent.OutputExists(taskAttempt, exists(objectUrl.toString()));
  }

  public static String exists(String url) {
    return url
        + " is there already and is not Mayfly's; delete it, or say overwrite: true in the job";
  }

  private static StoredOutput found(TaskAttempt taskAttempt, ObjectInfo info) {
    return new StoredOutput(
        taskAttempt.lease().job(),
        taskAttempt.index(),
        taskAttempt.name(),
        info.url().toString(),
        info.generation(),
        info.size(),
        info.crc32c());
  }

  /** The output of whoever uploaded it. */
  static StoredOutput adopted(Sentinel.By by, ObjectInfo info) {
    return new StoredOutput(
        by.job(),
        by.task(),
        by.attempt(),
        info.url().toString(),
        info.generation(),
        info.size(),
        info.crc32c());
  }

  private static Map<String, String> metadata(
      TaskAttempt taskAttempt, ObjectStore.Content content) {
    var map = new LinkedHashMap<String, String>();
    map.put("mayfly-job", taskAttempt.lease().job());
    map.put("mayfly-task", Long.toString(taskAttempt.index()));
    map.put("mayfly-attempt", taskAttempt.name());
    map.put("mayfly-exit-code", "0");
    map.put(CRC, crc32c(content));
    return map;
  }

  private static String crc32c(ObjectStore.Content content) {
    var crc = new CRC32C();
    try (var in = content.open()) {
      var buffer = new byte[1 << 16];
      for (var n = in.read(buffer); n >= 0; n = in.read(buffer)) crc.update(buffer, 0, n);
    } catch (IOException e) {
      throw new UncheckedIOException("what the task left cannot be read: " + e.getMessage(), e);
    }
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}

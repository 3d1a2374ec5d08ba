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
import dev.mayfly.core.sentinel.SharedSentinels;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.zip.CRC32C;

/** Stores the object that is a task's output, beside whatever lies in its place. */
final class OutputObject {
  static final String CRC = "mayfly-crc32c";
  private static final int MAX_TRIES = 5;

  private final ObjectStore objectStore;
  private final SharedSentinels sharedSentinels;

  OutputObject(ObjectStore objectStore, SharedSentinels sharedSentinels) {
    this.objectStore = objectStore;
    this.sharedSentinels = sharedSentinels;
  }

  /**
   * Creates the output, or adopts a finished upload of the same computation. Any other object in
   * the way is replaced only at the generation seen: of two rivals one replaces it, and the other
   * finds that upload on its next try.
   */
  AgentEvent createOnce(
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
   * Nothing that has its sentinel is replaced: that task is done.
   */
  private Optional<AgentEvent> resolveConflict(
      AgentEffect.Upload effect,
      ObjectInfo existing,
      ObjectStore.Content content,
      Map<String, String> metadata) {
    var adopted = adopted(effect, existing);
    if (adopted.isPresent()) return adopted;
    var sealed = sealed(effect);
    if (sealed.isPresent()) return sealed;
    var taken = new OtherSentinel(objectStore, effect).taken(existing);
    if (taken.isPresent()) return taken;
    // An upload that differs from its announced checksum counts as no attempt's output.
    var by = Sentinel.by(existing.metadata());
    if (by.isEmpty() && !effect.jobInfo().spec().data().overwrite())
      return Optional.of(exists(effect.attempt(), existing.url()));
    if (by.isPresent() && effect.rivalsAfter().filter(existing.updated()::isAfter).isPresent())
      return Optional.of(rival(effect.attempt(), existing, by.get()));
    return switch (objectStore.replace(existing.url(), content, metadata, existing.generation())) {
      case Replacement.Replaced replaced ->
          Optional.of(uploadResult(effect, replaced.info(), metadata));
      case Replacement.Changed changed -> Optional.empty();
    };
  }

  private Optional<AgentEvent> sealed(AgentEffect.Upload effect) {
    var output = TaskCommand.output(effect.jobInfo(), effect.item());
    return objectStore
        .find(ObjectUrl.of(output + Sentinel.SUFFIX))
        .or(() -> shared(effect))
        .map(ObjectInfo::metadata)
        .map(it -> new AgentEvent.Sealed(effect.attempt(), Sentinel.by(it), MadeFrom.of(it)));
  }

  private Optional<ObjectInfo> shared(AgentEffect.Upload effect) {
    var jobInfo = effect.jobInfo();
    if (!jobInfo.spec().data().sealedTogether()) return Optional.empty();
    var task = effect.item().index();
    var found = sharedSentinels.find(jobInfo.bucket(), jobInfo.job(), List.of(task));
    return Optional.ofNullable(found.get(task));
  }

  /** Its agent has stored it a moment ago, and may be about to create the sentinel. */
  private static AgentEvent rival(TaskAttempt taskAttempt, ObjectInfo existing, Sentinel.By by) {
    var reason = existing.url() + " was stored a moment ago by job " + by.job();
    return new AgentEvent.PublishFailed(taskAttempt, true, reason);
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

  static AgentEvent exists(TaskAttempt taskAttempt, ObjectUrl objectUrl) {
    return new AgentEvent.OutputExists(taskAttempt, OutputUploader.exists(objectUrl.toString()));
  }

  static StoredOutput found(AgentEffect.Upload effect, ObjectInfo info) {
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

  /** The output of another attempt of the same computation, if it is one. */
  static Optional<AgentEvent> adopted(AgentEffect.Upload effect, ObjectInfo found) {
    return new Adoption(effect.jobInfo(), effect.item())
        .by(found, effect.made())
        .map(by -> new AgentEvent.Uploaded(effect.attempt(), adopted(by, found)));
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

  static Map<String, String> metadata(AgentEffect.Upload effect, ObjectStore.Content content) {
    var taskAttempt = effect.attempt();
    var map = new LinkedHashMap<String, String>();
    map.put("mayfly-job", taskAttempt.lease().job());
    map.put("mayfly-task", Long.toString(taskAttempt.index()));
    map.put("mayfly-attempt", taskAttempt.name());
    map.put("mayfly-exit-code", "0");
    map.putAll(Adoption.metadata(effect.jobInfo()));
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

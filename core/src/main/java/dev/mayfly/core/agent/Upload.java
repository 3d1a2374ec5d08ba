package dev.mayfly.core.agent;

import dev.mayfly.core.error.Unavailable;
import dev.mayfly.core.model.Sentinel;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Objects.Creation;
import dev.mayfly.core.port.Objects.Replacement;
import dev.mayfly.core.port.Url;
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
final class Upload {
  private static final int TRIES = 5;

  private final Objects objects;

  Upload(Objects objects) {
    this.objects = objects;
  }

  AgentEvent of(AgentEffect.Upload ask, Left left) {
    var output = Url.of(Invocation.output(ask.sheet(), ask.item()));
    var data = ask.sheet().spec().data();
    return switch (data.outputs()) {
      case WRITTEN -> written(ask.attempt(), output);
      case NONE -> none(ask.attempt(), output);
      case UPLOADED -> uploaded(ask, output, left);
    };
  }

  private AgentEvent uploaded(AgentEffect.Upload ask, Url output, Left left) {
    return switch (left) {
      case Left.Nothing nothing -> nothing(ask, output);
      case Left.OneFile file -> once(ask, output, file.content());
      case Left.Directory directory -> directory(ask, output, directory);
    };
  }

  /** The task wrote it itself: its sentinel pins what is there now. */
  private AgentEvent written(Attempt attempt, Url output) {
    return objects
        .find(output)
        .<AgentEvent>map(info -> new AgentEvent.Uploaded(attempt, found(attempt, info)))
        .orElseGet(() ->
            new AgentEvent.PublishFailed(
                attempt,
                false,
                "exit code 0, but there is no " + output + "; the job says outputs: written"));
  }

  /**
   * A job that names a place for its outputs wants them: a sentinel without one would keep the task
   * from ever running again. Another attempt's finished upload counts, as it does where there is
   * something to upload.
   */
  private AgentEvent nothing(AgentEffect.Upload ask, Url output) {
    if (!ask.sheet().spec().data().outputsRequired()) return none(ask.attempt(), output);
    for (var url : List.of(output, output.in(INDEX))) {
      var info = objects.find(url).filter(Upload::whole);
      var by = info.flatMap(i -> Sentinel.by(i.metadata()));
      if (by.isPresent())
        return new AgentEvent.Uploaded(ask.attempt(), adopted(by.get(), info.get()));
    }
    return new AgentEvent.PublishFailed(ask.attempt(), false, NOTHING);
  }

  static final String NOTHING =
      "exit code 0, but nothing was left at $MAYFLY_OUTPUT ({outputFile}); if the command writes"
          + " {output} itself, say outputs: written, if there is none, outputs: none";

  private static AgentEvent none(Attempt attempt, Url output) {
    return new AgentEvent.Uploaded(attempt, Output.none(attempt, output.toString()));
  }

  /**
   * Creates the output, or adopts what an attempt has finished. What is in the way is replaced only
   * as the generation that was seen: of two rivals one replaces it, and the other one finds the
   * first one's upload when it looks again.
   */
  private AgentEvent once(AgentEffect.Upload ask, Url url, Objects.Content content) {
    var metadata = metadata(ask.attempt(), content);
    for (var tries = 0; tries < TRIES; tries++) {
      switch (objects.create(url, content, metadata)) {
        case Creation.Created created -> {
          return arrived(ask.attempt(), created.info(), metadata);
        }
        case Creation.Exists there -> {
          var end = inTheWay(ask, there.info(), content, metadata);
          if (end.isPresent()) return end.get();
        }
      }
    }
    throw new Unavailable(url + " is replaced by others again and again; it is tried again later");
  }

  /** What follows from an object in the way; empty when it has changed and must be seen again. */
  private Optional<AgentEvent> inTheWay(
      AgentEffect.Upload ask,
      ObjectInfo there,
      Objects.Content content,
      Map<String, String> metadata) {
    var by = Sentinel.by(there.metadata());
    if (by.isPresent() && whole(there))
      return Optional.of(new AgentEvent.Uploaded(ask.attempt(), adopted(by.get(), there)));
    // An attempt's upload with other bytes than it announced is nobody's output.
    if (by.isEmpty() && !ask.sheet().spec().data().overwrite())
      return Optional.of(exists(ask.attempt(), there.url()));
    return switch (objects.replace(there.url(), content, metadata, there.generation())) {
      case Replacement.Replaced replaced ->
          Optional.of(arrived(ask.attempt(), replaced.info(), metadata));
      case Replacement.Changed changed -> Optional.empty();
    };
  }

  /** Whether an upload's bytes are those that its attempt announced. */
  static boolean whole(ObjectInfo upload) {
    var announced = upload.metadata().get(CRC);
    return announced == null || upload.crc32c().isEmpty() || announced.equals(upload.crc32c());
  }

  private static AgentEvent arrived(
      Attempt attempt, ObjectInfo info, Map<String, String> metadata) {
    if (info.crc32c().equals(metadata.get(CRC)))
      return new AgentEvent.Uploaded(attempt, found(attempt, info));
    return new AgentEvent.PublishFailed(
        attempt,
        false,
        info.url() + " has other bytes than the task left: the file changed while it was read");
  }

  /**
   * The files first, in a folder of this attempt alone; then the index, created once: it is the
   * output. After a restore of the ledger, a new attempt may have the name of a forgotten one. It
   * then uses a folder of its own, so that their files do not mix.
   */
  private AgentEvent directory(AgentEffect.Upload ask, Url output, Left.Directory directory) {
    var attempt = ask.attempt();
    for (var tries = 0; tries < TRIES; tries++) {
      var name = attempt.lease().job() + "." + attempt.name();
      var folder = (tries == 0 ? name : name + "-" + tries) + "/";
      var index = new DirectoryIndex(attempt);
      var other = files(attempt, output, folder, directory, index);
      if (other.isEmpty()) return once(ask, output.in(INDEX), Objects.Content.of(index.json()));
      if (Sentinel.by(other.get().metadata()).isEmpty()) return exists(attempt, other.get().url());
    }
    throw new Unavailable(
        output + " holds files of earlier attempts with this name; the upload will be retried");
  }

  /** An object that is there with other bytes than the task left; then the rest is not uploaded. */
  private Optional<ObjectInfo> files(
      Attempt attempt, Url output, String folder, Left.Directory directory, DirectoryIndex index) {
    for (var entry : directory.entries()) {
      var metadata = metadata(attempt, entry.content());
      var info = objects.create(output.in(folder + entry.path()), entry.content(), metadata).info();
      if (!info.crc32c().equals(metadata.get(CRC))) return Optional.of(info);
      index.add(folder + entry.path(), info);
    }
    return Optional.empty();
  }

  static final String INDEX = "index.json";
  private static final String CRC = "mayfly-crc32c";

  private static AgentEvent exists(Attempt attempt, Url url) {
    return new AgentEvent.OutputExists(attempt, exists(url.toString()));
  }

  static String exists(String url) {
    return url
        + " is there already and is not Mayfly's; delete it, or say overwrite: true in the job";
  }

  private static Output found(Attempt attempt, ObjectInfo info) {
    return new Output(
        attempt.lease().job(),
        attempt.index(),
        attempt.name(),
        info.url().toString(),
        info.generation(),
        info.size(),
        info.crc32c());
  }

  /** The output of whoever uploaded it. */
  static Output adopted(Sentinel.By by, ObjectInfo info) {
    return new Output(
        by.job(),
        by.task(),
        by.attempt(),
        info.url().toString(),
        info.generation(),
        info.size(),
        info.crc32c());
  }

  private static Map<String, String> metadata(Attempt attempt, Objects.Content content) {
    var map = new LinkedHashMap<String, String>();
    map.put("mayfly-job", attempt.lease().job());
    map.put("mayfly-task", Long.toString(attempt.index()));
    map.put("mayfly-attempt", attempt.name());
    map.put("mayfly-exit-code", "0");
    map.put(CRC, crc32c(content));
    return map;
  }

  private static String crc32c(Objects.Content content) {
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

package dev.mayfly.agent.checkpoint;

import dev.mayfly.core.model.CheckpointManifest;
import dev.mayfly.core.model.CheckpointManifest.StoredFile;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Fills a folder with one checkpoint. */
final class CheckpointDownload {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointDownload.class);

  private final ObjectStore objectStore;
  private final ObjectUrl place;
  private final CheckpointManifest manifest;
  private final List<Path> written = new ArrayList<>();
  private final Map<String, Path> byObject = new HashMap<>();

  CheckpointDownload(ObjectStore objectStore, ObjectUrl place, CheckpointManifest manifest) {
    this.objectStore = objectStore;
    this.place = place;
    this.manifest = manifest;
  }

  /** False, with no file left, if a file is not the one that the manifest names. */
  boolean into(Path folder) throws IOException {
    for (var file : manifest.files()) {
      var target = folder.resolve(file.path()).normalize();
      if (!isBelow(folder, target) || !write(file, target)) {
        for (var half : written) Files.deleteIfExists(half);
        return false;
      }
    }
    for (var empty : manifest.folders()) {
      var target = folder.resolve(empty).normalize();
      if (isBelow(folder, target)) Files.createDirectories(target);
    }
    return true;
  }

  private static boolean isBelow(Path folder, Path target) {
    return target.startsWith(folder) && !target.equals(folder);
  }

  private boolean write(StoredFile file, Path target) throws IOException {
    Files.createDirectories(target.getParent());
    written.add(target);
    var twin = byObject.putIfAbsent(file.object(), target);
    if (twin == null && !download(file, target)) return false;
    if (twin != null) Files.copy(twin, target);
    Files.setLastModifiedTime(target, FileTime.from(file.modified()));
    return true;
  }

  private boolean download(StoredFile file, Path target) throws IOException {
    var url = place.append(file.object());
    var found = objectStore.find(url).filter(info -> info.generation() == file.generation());
    if (found.isEmpty()) {
      LOG.warn("checkpoint {} lacks {}", manifest.number(), url);
      return false;
    }
    try (var in = objectStore.open(url).orElse(null)) {
      return in != null && Files.copy(in, target) == file.size();
    }
  }
}

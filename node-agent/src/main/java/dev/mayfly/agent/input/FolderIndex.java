package dev.mayfly.agent.input;

import dev.mayfly.core.model.gather.GatheredInputs.GatheredObject;
import dev.mayfly.wire.Wire;
import java.util.List;
import java.util.stream.Stream;

/**
 * The {@code index.json} of a task's folder, as an agent wrote it: paths begin with the folder of
 * the attempt that stored them.
 */
record FolderIndex(List<IndexedFile> files, List<String> folders) {
  FolderIndex {
    files = List.copyOf(files);
    folders = List.copyOf(folders);
  }

  /** One of its files. */
  record IndexedFile(String path, String generation, long size, String crc32c) {}

  static FolderIndex of(byte[] json) {
    return Wire.shared().read(FolderIndex.class, json);
  }

  /** Its files as objects of their own, below the folder's name. */
  Stream<GatheredObject> objects(GatheredObject folder) {
    var beside = folder.url().substring(0, folder.url().lastIndexOf('/') + 1);
    return files.stream()
        .map(file ->
            new GatheredObject(
                folder.name() + "/" + below(file.path()),
                beside + file.path(),
                Long.parseLong(file.generation()),
                file.size(),
                file.crc32c(),
                false));
  }

  /** Folders in which no file is, below the folder's name. */
  Stream<String> empty(GatheredObject folder) {
    return folders.stream().map(path -> folder.name() + "/" + below(path));
  }

  private static String below(String path) {
    return path.substring(path.indexOf('/') + 1);
  }
}

package dev.mayfly.agent.input;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.gather.GatheredInputs.GatheredObject;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.Wire;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.stream.Gatherers;
import java.util.zip.CRC32C;
import java.util.zip.CheckedInputStream;

/** Fills a folder with all objects of a list, each as it was when it was listed. */
public final class GatherDownload {
  /** Most of what is gathered is small, so that waiting for the store is what takes time. */
  private static final int AT_ONCE = 16;

  private static final int LARGEST_LIST = 128 << 20;

  private final ObjectStore objectStore;

  public GatherDownload(ObjectStore objectStore) {
    this.objectStore = objectStore;
  }

  /** What is to be downloaded, when the indexes of folders are read. */
  private record Content(List<GatheredObject> files, List<String> emptyFolders) {}

  /**
   * Throws {@link InvalidInputException} for an object that has changed or gone since it was
   * listed, and for more than one task may gather.
   *
   * @param list the URL of the list
   * @param folder to make and fill
   */
  public GatheredInputs into(String list, Path folder) throws IOException {
    var inputs =
        objectStore
            .read(ObjectUrl.of(list), LARGEST_LIST)
            .map(Wire.codec()::gathered)
            .orElseThrow(
                () -> new FileNotFoundException("the list of the task's inputs is not at " + list));
    Files.createDirectories(folder);
    try {
      var content = content(inputs, list);
      for (var empty : content.emptyFolders()) Files.createDirectories(target(folder, empty));
      for (var file : content.files())
        Files.createDirectories(target(folder, file.name()).getParent());
      content.files().stream()
          .gather(Gatherers.mapConcurrent(AT_ONCE, file -> download(file, folder)))
          .forEach(_ -> {});
    } catch (UncheckedIOException e) {
      throw e.getCause();
    }
    return inputs;
  }

  private Content content(GatheredInputs inputs, String list) {
    var files = new ArrayList<GatheredObject>();
    var emptyFolders = new ArrayList<String>();
    inputs.objects().stream().filter(object -> !object.folder()).forEach(files::add);
    inputs.objects().stream()
        .filter(GatheredObject::folder)
        .gather(Gatherers.mapConcurrent(AT_ONCE, this::content))
        .forEach(one -> {
          files.addAll(one.files());
          emptyFolders.addAll(one.emptyFolders());
          if (files.size() > GatheredInputs.MOST_FILES) throw tooMany(list);
        });
    if (files.stream().mapToLong(GatheredObject::size).sum() > GatheredInputs.MOST_BYTES)
      throw new InvalidInputException(
          list,
          "gathers folders of more than %,d GiB, the most for one task; gather parts of them in several tasks"
              .formatted(GatheredInputs.MOST_BYTES >> 30));
    return new Content(files, emptyFolders);
  }

  private Content content(GatheredObject folder) {
    try (var in = open(folder)) {
      var bytes = in.readNBytes(LARGEST_LIST);
      var crc = new CRC32C();
      crc.update(bytes);
      if (isOther(folder, bytes.length, crc)) throw changed(folder);
      var index = FolderIndex.of(bytes);
      return new Content(index.objects(folder).toList(), index.empty(folder).toList());
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static InvalidInputException tooMany(String list) {
    return new InvalidInputException(
        list,
        "gathers folders with more than %,d files, the most for one task; gather parts of them in several tasks"
            .formatted(GatheredInputs.MOST_FILES));
  }

  private static Path target(Path folder, String name) {
    var target = folder.resolve(name).normalize();
    if (target.startsWith(folder) && !target.equals(folder)) return target;
    throw new InvalidInputException(name, "is not the name of a file in the folder of inputs");
  }

  private Path download(GatheredObject file, Path folder) {
    var target = target(folder, file.name());
    try (var in = open(file)) {
      var crc = new CRC32C();
      var size = Files.copy(new CheckedInputStream(in, crc), target);
      if (isOther(file, size, crc)) throw changed(file);
      return target;
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  /** The object may have been replaced after its generation was compared. */
  private static boolean isOther(GatheredObject listed, long size, CRC32C crc) {
    return size != listed.size()
        || !(listed.crc32c().isEmpty() || listed.crc32c().equals(encode(crc)));
  }

  private static String encode(CRC32C crc) {
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }

  private InputStream open(GatheredObject object) {
    var url = ObjectUrl.of(object.url());
    return objectStore
        .find(url)
        .filter(info -> info.generation() == object.generation())
        .flatMap(_ -> objectStore.open(url))
        .orElseThrow(() -> changed(object));
  }

  private static InvalidInputException changed(GatheredObject object) {
    return new InvalidInputException(
        object.url(),
        "is not what it was when the job listed it: it was replaced or deleted since; submit the job again, which lists its inputs anew");
  }
}

package dev.mayfly.cli.copy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.files.NameRule;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.core.text.HumanAmounts;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Files of a bucket.
 *
 * @param messages receives a line for what cannot be copied and is left out
 */
record BucketFiles(ObjectStore objects, CopyProgress copyProgress, Consumer<String> messages) {
  /** Downloads an object, or all objects of a folder, into a local folder under its own name. */
  void fetch(CopyPlace.InBucket from, Path into) {
    var copy = into.resolve(from.copyName());
    var object = from.isFolder() ? Optional.<ObjectInfo>empty() : objects.find(from.url());
    if (object.isPresent()) download(object.get(), copy);
    else fetchFolder(from, copy);
  }

  /** Writes an object to the standard output; returns how many bytes. */
  long print(CopyPlace.InBucket from, StandardStreams standard) {
    if (from.isFolder())
      throw CommandException.input(
          from.url() + " is a folder, and the standard output takes one object; name it");
    var content = objects.open(from.url());
    if (content.isEmpty()) throw CommandException.notFound("there is no object " + from.url());
    try (var in = copyProgress.counted(content.get())) {
      return standard.send(in);
    } catch (IOException e) {
      throw new UncheckedIOException(from.url() + " cannot be copied: " + e, e);
    }
  }

  private void fetchFolder(CopyPlace.InBucket from, Path folder) {
    var prefix = from.isFolder() ? from.url() : from.url().append("/");
    var found = new ArrayList<ObjectInfo>();
    var unusable = new ArrayList<String>();
    objects.forEachPage(
        prefix,
        page -> {
          found.addAll(page.objects());
          unusable.addAll(page.unusable());
        });
    if (found.isEmpty())
      throw CommandException.notFound("there is no object " + from.url() + " and none below it");
    for (var name : unusable) messages.accept("left out, because of its name: " + name);
    for (var object : found) {
      var rest = object.url().name().substring(prefix.name().length());
      if (rest.isEmpty()) continue;
      var place = place(folder, rest, object);
      // Some tools make an empty object for a folder.
      if (rest.endsWith("/")) createFolder(place);
      else download(object, place);
    }
    for (var empty : FolderIndex.folders(folder)) createFolder(empty);
  }

  private static void createFolder(Path folder) {
    try {
      Files.createDirectories(folder);
    } catch (IOException e) {
      throw new UncheckedIOException(folder + " cannot be made: " + e, e);
    }
  }

  private static Path place(Path folder, String rest, ObjectInfo object) {
    try {
      if (rest.startsWith("/") || rest.contains("//"))
        throw new InvalidPathException(rest, "no name");
      return folder.resolve(rest);
    } catch (InvalidPathException e) {
      throw CommandException.input(
          object.url() + " has a name that no file can have; copy it by itself", e);
    }
  }

  private void download(ObjectInfo object, Path file) {
    var content = objects.open(object.url());
    if (content.isEmpty()) throw CommandException.notFound("object " + object.url() + " is gone");
    try (var in = copyProgress.counted(content.get())) {
      Files.createDirectories(file.getParent());
      Files.copy(in, file);
    } catch (IOException e) {
      throw new UncheckedIOException(object.url() + " cannot be copied: " + e, e);
    }
  }

  /**
   * Uploads a file, or all files of a folder below the place; returns how many bytes.
   *
   * @param force whether objects that exist are replaced
   */
  long send(Path source, CopyPlace.InBucket to, boolean force) {
    var place = place(source, to);
    if (Files.isDirectory(source)) return sendFolder(source, place, force);
    return upload(source, place, force);
  }

  /** Where a file or folder lands: in a folder under its own name. */
  static ObjectUrl place(Path source, CopyPlace.InBucket to) {
    var name = String.valueOf(source.getFileName());
    return to.isFolder() ? to.url().append(name) : to.url();
  }

  /** What may refuse the folder is looked for before its first file is sent. */
  private long sendFolder(Path folder, ObjectUrl place, boolean force) {
    var source = SourceFolder.of(folder, NameRule.ofObjects(ObjectNames.bytes(place.name()) + 1));
    source.check();
    source.notesOfLeftOut().forEach(messages);
    source.notesOfEmptyFolders().forEach(messages);
    var files = new LinkedHashMap<ObjectUrl, Path>();
    source.files().forEach((path, file) -> files.put(place.append("/" + path), file));
    if (!force) refuseExisting(place, files.keySet());
    return files.entrySet().stream()
        .mapToLong(file -> upload(file.getValue(), file.getKey(), force))
        .sum();
  }

  private void refuseExisting(ObjectUrl place, Set<ObjectUrl> wanted) {
    var there = new ArrayList<ObjectUrl>();
    try {
      objects.forEachPage(
          place.append("/"),
          page ->
              page.objects().stream()
                  .map(ObjectInfo::url)
                  .filter(wanted::contains)
                  .forEach(there::add));
    } catch (DeniedException noList) {
      // Each upload refuses an object that is there, too.
      return;
    }
    if (there.isEmpty()) return;
    throw CommandException.input(
        "%s there already, first %s; nothing was copied; --force replaces them"
            .formatted(
                HumanAmounts.partAre(there.size(), wanted.size(), "file"), there.getFirst()));
  }

  private long upload(Path file, ObjectUrl place, boolean force) {
    var content = new FileContent(file, copyProgress);
    if (!(objects.create(place, content, Map.of()) instanceof ObjectStore.Creation.Exists there))
      return content.size();
    if (!force) throw CommandException.input(place + " exists; --force replaces it");
    var replaced = objects.replace(place, content, Map.of(), there.info().generation());
    if (replaced instanceof ObjectStore.Replacement.Changed)
      throw CommandException.input(place + " was changed by somebody else just now; try again");
    return content.size();
  }

  /** A file that may be read again for a retry. */
  private record FileContent(Path file, CopyProgress copyProgress) implements ObjectStore.Content {
    @Override
    public InputStream open() throws IOException {
      return copyProgress.counted(Files.newInputStream(file));
    }

    @Override
    public long size() {
      try {
        return Files.size(file);
      } catch (IOException e) {
        throw new UncheckedIOException(file + " cannot be read: " + e, e);
      }
    }
  }
}

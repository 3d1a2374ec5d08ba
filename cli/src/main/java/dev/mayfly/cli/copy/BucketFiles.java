package dev.mayfly.cli.copy;

import dev.mayfly.cli.error.CommandException;
import dev.mayfly.core.error.DeniedException;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
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
      // Some tools make an empty object for a folder.
      if (rest.isEmpty() || rest.endsWith("/")) continue;
      download(object, place(folder, rest, object));
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
   * Uploads a file, or all files of a folder below the place.
   *
   * @param force whether objects that exist are replaced
   */
  void send(Path source, CopyPlace.InBucket to, boolean force) {
    var name = String.valueOf(source.getFileName());
    var place = to.isFolder() ? to.url().append(name) : to.url();
    if (Files.isDirectory(source)) sendFolder(source, place, force);
    else upload(source, place, force);
  }

  /** What may refuse the folder is looked for before its first file is sent. */
  private void sendFolder(Path folder, ObjectUrl place, boolean force) {
    var files = files(folder, place);
    if (!force) refuseExisting(place, files.keySet());
    files.forEach((url, file) -> upload(file, url, force));
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
        "%d of %d files are there already, first %s; nothing was copied; --force replaces them"
            .formatted(there.size(), wanted.size(), there.getFirst()));
  }

  private static ObjectUrl below(ObjectUrl place, Path folder, Path file) {
    try {
      return place.append("/" + folder.relativize(file));
    } catch (IllegalArgumentException wrong) {
      throw CommandException.input(file + " cannot be an object: " + wrong.getMessage(), wrong);
    }
  }

  /** Files by the objects that they become. The folder may be a link; links in it are left out. */
  private Map<ObjectUrl, Path> files(Path folder, ObjectUrl place) {
    var files = new LinkedHashMap<ObjectUrl, Path>();
    try {
      var real = folder.toRealPath();
      try (var all = Files.walk(real)) {
        for (var file : all.sorted().toList())
          if (Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS))
            files.put(below(place, real, file), file);
          else if (!Files.isDirectory(file, LinkOption.NOFOLLOW_LINKS))
            messages.accept("left out, because it is no file: " + file);
      }
      return files;
    } catch (IOException | UncheckedIOException e) {
      throw CommandException.input(folder + " cannot be read: " + e, e);
    }
  }

  private void upload(Path file, ObjectUrl place, boolean force) {
    var content = new FileContent(file, copyProgress);
    if (!(objects.create(place, content, Map.of()) instanceof ObjectStore.Creation.Exists there))
      return;
    if (!force) throw CommandException.input(place + " exists; --force replaces it");
    var replaced = objects.replace(place, content, Map.of(), there.info().generation());
    if (replaced instanceof ObjectStore.Replacement.Changed)
      throw CommandException.input(place + " was changed by somebody else just now; try again");
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

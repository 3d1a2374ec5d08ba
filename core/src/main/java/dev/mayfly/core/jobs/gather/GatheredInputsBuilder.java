package dev.mayfly.core.jobs.gather;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.files.LocalName;
import dev.mayfly.core.model.gather.GatheredInputs;
import dev.mayfly.core.model.gather.GatheredInputs.GatheredObject;
import dev.mayfly.core.port.ObjectInfo;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Collects the objects that one task reads as a folder. An object's file has its name below the
 * last folder that all of them must be in, as far as a pattern or an output's template tells: so
 * names depend neither on which objects there are nor on their number.
 */
public final class GatheredInputsBuilder {
  private final String field;
  private final String folder;
  private final List<GatheredObject> objects = new ArrayList<>();
  private final Map<String, String> files = new TreeMap<>();
  private final Map<String, String> folders = new TreeMap<>();
  private long bytes;

  /**
   * @param field of the document, for refusals
   * @param beginning that the URLs of all objects have; up to its last slash it is the folder
   */
  public GatheredInputsBuilder(String field, String beginning) {
    this.field = field;
    this.folder = beginning.substring(0, beginning.lastIndexOf('/') + 1);
  }

  /** Adds an object as a file. Throws {@link InvalidInputException} for one too many. */
  public void add(ObjectInfo object) {
    add(object, object.url().toString(), false);
  }

  /**
   * Adds the files of a folder.
   *
   * @param index that lists them
   * @param url of the folder, which its files lie below
   */
  public void addFolder(ObjectInfo index, String url) {
    add(index, url, true);
  }

  private void add(ObjectInfo object, String url, boolean isFolder) {
    if (objects.size() == GatheredInputs.MOST_OBJECTS)
      throw refused(
          "gathers more than %,d objects, the most for one task; gather parts of them in several tasks, and then their outputs"
              .formatted(GatheredInputs.MOST_OBJECTS));
    if (!isFolder) bytes += object.size();
    if (bytes > GatheredInputs.MOST_BYTES)
      throw refused(
          "gathers more than %,d GiB, the most for one task; gather parts of it in several tasks"
              .formatted(GatheredInputs.MOST_BYTES >> 30));
    var name = name(url);
    checkPlace(name, url);
    objects.add(
        new GatheredObject(
            name,
            object.url().toString(),
            object.generation(),
            object.size(),
            object.crc32c(),
            isFolder));
  }

  private InvalidInputException refused(String message) {
    return new InvalidInputException(field, message);
  }

  private String name(String url) {
    var below = url.startsWith(folder) ? url.substring(folder.length()) : url;
    return Arrays.stream(below.split("/", -1))
        .map(part -> LocalName.of(part, "_"))
        .collect(Collectors.joining("/"));
  }

  /** Two objects are never one file, and none is a file where another one needs a folder. */
  private void checkPlace(String name, String url) {
    var twin = Optional.ofNullable(files.putIfAbsent(name, url)).or(() -> below(name));
    for (var slash = name.indexOf('/'); slash >= 0; slash = name.indexOf('/', slash + 1)) {
      var above = name.substring(0, slash);
      folders.putIfAbsent(above, url);
      if (twin.isEmpty()) twin = Optional.ofNullable(files.get(above));
    }
    if (twin.isPresent())
      throw refused(
          "gathers %s and %s, which cannot both be in one folder of files; write a narrower pattern"
              .formatted(twin.get(), url));
  }

  /** An object that lies in a folder of that name. */
  private Optional<String> below(String name) {
    return Optional.ofNullable(folders.get(name));
  }

  public int count() {
    return objects.size();
  }

  public long bytes() {
    return bytes;
  }

  /**
   * @param what they are, in words
   * @param remark on what is missing among them
   */
  public GatheredInputs build(String what, Optional<String> remark) {
    return new GatheredInputs(what, remark, objects);
  }
}

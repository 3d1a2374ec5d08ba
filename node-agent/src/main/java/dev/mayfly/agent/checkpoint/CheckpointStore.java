package dev.mayfly.agent.checkpoint;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MayflyException;
import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.files.FolderContent;
import dev.mayfly.core.files.NameRule;
import dev.mayfly.core.model.CheckpointManifest;
import dev.mayfly.core.model.CheckpointManifest.StoredFile;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import dev.mayfly.wire.Wire;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The checkpoints below one place: {@code files/<number>-<attempt>/<path>} and {@code
 * manifests/<number>-<attempt>.json}. A checkpoint is complete when its manifest exists and each
 * file that it names still is the one that it names.
 */
public final class CheckpointStore {
  private static final Logger LOG = LoggerFactory.getLogger(CheckpointStore.class);
  private static final String MANIFESTS = "manifests/";
  private static final String FILES = "files/";
  private static final int LARGEST_MANIFEST = 64 << 20;

  /** A second one remains usable if the newest turns out to be damaged. */
  private static final int KEPT = 2;

  private final ObjectStore objectStore;
  private final ObjectUrl place;

  /**
   * @param place ends with a slash
   */
  public CheckpointStore(ObjectStore objectStore, ObjectUrl place) {
    this.objectStore = objectStore;
    this.place = place;
  }

  /**
   * A checkpoint that a folder was filled with.
   *
   * @param stored when its manifest was
   * @param maker who stored it and from what, as far as the manifest's object tells
   */
  public record Restored(CheckpointManifest manifest, Instant stored, CheckpointMaker maker) {}

  /** What a task's user must know of the checkpoint that the attempt continues from. */
  String sentence(Restored restored, CheckpointSync.Attempt attempt) {
    return RestoredText.of(place, restored, attempt);
  }

  /** Fills an empty folder with the newest complete checkpoint; empty if there is none. */
  public Optional<Restored> restore(Path folder) throws IOException {
    for (var info : manifests().reversed()) {
      var manifest = read(info);
      if (manifest.isEmpty()) continue;
      var download = new CheckpointDownload(objectStore, place, manifest.get());
      if (download.into(folder))
        return Optional.of(
            new Restored(manifest.get(), info.updated(), CheckpointMaker.of(info.metadata())));
    }
    return Optional.empty();
  }

  /** The manifests, oldest first. */
  private List<ObjectInfo> manifests() {
    return objects(MANIFESTS).stream()
        .sorted(Comparator.comparing(info -> info.url().name()))
        .toList();
  }

  private List<ObjectInfo> objects(String below) {
    var all = new ArrayList<ObjectInfo>();
    objectStore.forEachPage(place.append(below), page -> all.addAll(page.objects()));
    return all;
  }

  /** Empty for an object that is no manifest, or gone. */
  private Optional<CheckpointManifest> read(ObjectInfo info) {
    try {
      return objectStore
          .read(info.url(), LARGEST_MANIFEST)
          .map(bytes -> Wire.shared().read(CheckpointManifest.class, bytes));
    } catch (InvalidInputException foreign) {
      LOG.warn("no manifest at {}: {}", info.url(), foreign.getMessage());
      return Optional.empty();
    }
  }

  /** The longest path of a file: what is left of an object's name. */
  NameRule names(String attempt) {
    return NameRule.ofObjects(
        ObjectNames.bytes(place.append(FILES + name(0, attempt) + "/").name()));
  }

  /** Opens a file's content. */
  interface Contents {
    ObjectStore.Content open(FolderContent.StoredFile file);
  }

  /**
   * Uploads what is new in a folder, without a manifest. A file with several names is uploaded
   * once.
   */
  List<StoredFile> upload(
      String name,
      List<FolderContent.StoredFile> files,
      List<StoredFile> before,
      Contents contents) {
    var known =
        before.stream().collect(Collectors.toMap(StoredFile::path, f -> f, (_, newer) -> newer));
    var byPlace = new HashMap<List<String>, StoredFile>();
    var stored = new ArrayList<StoredFile>();
    for (var file : files) {
      var there =
          byPlace.computeIfAbsent(
              file.place(),
              place -> {
                var same = known.get(String.join("/", place));
                return same != null && isSame(file, same) ? same : upload(name, file, contents);
              });
      stored.add(there.at(file.path()));
    }
    return stored;
  }

  private static boolean isSame(FolderContent.StoredFile file, StoredFile before) {
    return before.size() == file.size()
        && before.modified().toEpochMilli() == file.modified().toEpochMilli();
  }

  private StoredFile upload(String name, FolderContent.StoredFile file, Contents contents) {
    var object = FILES + name + "/" + file.path();
    var created = objectStore.create(place.append(object), contents.open(file), Map.of());
    // Only after a restore of the ledger, which forgets attempts; the next number is free.
    if (!(created instanceof ObjectStore.Creation.Created(ObjectInfo info)))
      throw new UnavailableException(place.append(object) + " is of another checkpoint");
    return new StoredFile(
        file.path(), object, info.generation(), info.size(), info.crc32c(), file.modified());
  }

  /** Makes an uploaded checkpoint complete. */
  void complete(String name, CheckpointManifest manifest, CheckpointMaker maker) {
    var content = ObjectStore.Content.of(Wire.shared().json(manifest));
    var url = place.append(MANIFESTS + name + ".json");
    var unused = objectStore.create(url, content, maker.metadata());
  }

  /** How the objects of a checkpoint are named: in the order of numbers. */
  static String name(long number, String attempt) {
    return "%012d-%s".formatted(number, attempt);
  }

  /**
   * Deletes all but the newest checkpoints, with what dead attempts left of others. A newer upload
   * in progress has a greater number and stays. Failures are left for the next call.
   */
  void prune() {
    try {
      var all = manifests();
      if (all.size() < KEPT) return;
      var kept = all.subList(all.size() - KEPT, all.size());
      var manifests = kept.stream().flatMap(info -> read(info).stream()).toList();
      if (manifests.size() < KEPT) return;
      var needed =
          manifests.stream()
              .flatMap(manifest -> manifest.files().stream().map(StoredFile::object))
              .collect(Collectors.toSet());
      var oldest = manifests.getFirst().number();
      for (var info : all.subList(0, all.size() - KEPT)) delete(info);
      for (var info : objects(FILES)) {
        var object = info.url().name().substring(place.name().length());
        if (!needed.contains(object) && number(object) < oldest) delete(info);
      }
    } catch (MayflyException later) {
      LOG.warn("old checkpoints not deleted place={} reason={}", place, later.getMessage());
    }
  }

  private void delete(ObjectInfo info) {
    boolean unused = objectStore.delete(info.url(), info.generation());
  }

  /** The number in an object's name; of a foreign one, too great to be deleted. */
  private static long number(String object) {
    var digits = object.substring(FILES.length()).split("-", 2)[0];
    return digits.matches("[0-9]{12}") ? Long.parseLong(digits) : Long.MAX_VALUE;
  }

  /** A number greater than all in use. */
  long nextNumber() {
    var all = manifests();
    if (all.isEmpty()) return 1;
    var name = all.getLast().url().name().substring(place.name().length() + MANIFESTS.length());
    var digits = name.split("-", 2)[0];
    return digits.matches("[0-9]{12}") ? Long.parseLong(digits) + 1 : 1;
  }
}

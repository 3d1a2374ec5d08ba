package dev.mayfly.sim.fake;

import dev.mayfly.core.error.InvalidInputException;
import dev.mayfly.core.error.MissingPermissionException;
import dev.mayfly.core.model.StorageLocation;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Stream;
import java.util.zip.CRC32C;

/**
 * Buckets in memory: generations, create-once, listings. {@link HookedObjectStore} is a process's
 * view of them.
 */
public final class SimObjectStore implements ObjectStore {
  /** Sees each object that is created, replaced or deleted. */
  public interface Observer {
    void changed(Optional<ObjectInfo> before, Optional<ObjectInfo> after);
  }

  private record Kept(ObjectInfo info, byte[] bytes) {}

  private record Place(String root, String name) {
    static final Comparator<Place> ORDER =
        Comparator.comparing(Place::root).thenComparing(Place::name, ObjectNames.ORDER);

    static Place of(ObjectUrl objectUrl) {
      return new Place(objectUrl.root(), objectUrl.name());
    }
  }

  private final InstantSource time;
  private final TreeMap<Place, Kept> objects = new TreeMap<>(Place.ORDER);
  private final List<Observer> observers = new ArrayList<>();
  private final Map<String, Optional<StorageLocation>> locations = new TreeMap<>();
  private final Set<String> hidden = new TreeSet<>();
  private final Set<String> removed = new TreeSet<>();
  private boolean folders = true;
  private long generation = 1_000;

  public SimObjectStore(InstantSource time) {
    this.time = time;
  }

  public void observe(Observer observer) {
    observers.add(observer);
  }

  /** Places the bucket in one or more regions. */
  public synchronized void locate(String root, String name, String... regions) {
    locations.put(root, StorageLocation.of(name, List.of(regions)));
  }

  /** Allows only buckets from now on, no plain folders, as in a project. */
  public synchronized void closeFolders() {
    folders = false;
  }

  @Override
  public synchronized boolean reaches(ObjectUrl place) {
    return folders || !place.root().equals("file://");
  }

  /** Denies reads of the bucket's location. */
  public synchronized void hide(String root) {
    hidden.add(root);
  }

  /** Deletes the bucket with all of its objects. */
  public synchronized void remove(String root) {
    removed.add(root);
    objects.keySet().removeIf(place -> place.root().equals(root));
  }

  /** Reads of one object do not tell a missing bucket from a missing object. */
  private void checkBucket(ObjectUrl place) {
    if (removed.contains(place.root()))
      throw new InvalidInputException(place.toString(), "there is no bucket " + place.root());
  }

  @Override
  public synchronized Optional<StorageLocation> location(ObjectUrl place) {
    if (hidden.contains(place.root()))
      throw MissingPermissionException.at(place.root(), place.root() + ": no right to list it");
    return locations.getOrDefault(place.root(), Optional.empty());
  }

  @Override
  public synchronized Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    return Optional.ofNullable(objects.get(Place.of(objectUrl))).map(Kept::info);
  }

  @Override
  public synchronized Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    var kept = objects.get(Place.of(objectUrl));
    if (kept == null) return Optional.empty();
    if (kept.bytes.length > cap)
      throw new InvalidInputException(
          objectUrl.toString(), kept.bytes.length + " bytes; at most " + cap + " are read");
    return Optional.of(kept.bytes.clone());
  }

  @Override
  public synchronized Optional<InputStream> open(ObjectUrl objectUrl) {
    return Optional.ofNullable(objects.get(Place.of(objectUrl)))
        .map(k -> new ByteArrayInputStream(k.bytes));
  }

  @Override
  public synchronized Creation create(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    checkBucket(objectUrl);
    var there = objects.get(Place.of(objectUrl));
    if (there == null) return new Creation.Created(put(objectUrl, bytes(content), metadata));
    return made(there, content, metadata)
        ? new Creation.Created(there.info)
        : new Creation.Exists(there.info);
  }

  @Override
  public synchronized Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long seen) {
    checkBucket(objectUrl);
    var there = Optional.ofNullable(objects.get(Place.of(objectUrl)));
    if (there.filter(k -> k.info.generation() == seen).isPresent())
      return new Replacement.Replaced(put(objectUrl, bytes(content), metadata));
    var ours = there.filter(k -> made(k, content, metadata)).map(Kept::info);
    return ours.<Replacement>map(Replacement.Replaced::new)
        .orElseGet(() -> new Replacement.Changed(there.map(Kept::info)));
  }

  private static boolean made(Kept there, Content content, Map<String, String> metadata) {
    return there.info.metadata().equals(metadata) && Arrays.equals(there.bytes, bytes(content));
  }

  @Override
  public synchronized boolean delete(ObjectUrl objectUrl, long generation) {
    var there = objects.get(Place.of(objectUrl));
    if (there == null || there.info.generation() != generation) return false;
    objects.remove(Place.of(objectUrl));
    observers.forEach(o -> o.changed(Optional.of(there.info), Optional.empty()));
    return true;
  }

  @Override
  public synchronized ObjectPage list(ObjectUrl prefix, String after, int limit) {
    checkBucket(prefix);
    var size = ObjectPage.size(limit);
    var page = new ArrayList<ObjectInfo>();
    var left = new ArrayList<String>();
    var from = new Place(prefix.root(), later(prefix.name(), after));
    for (var entry : objects.tailMap(from, true).entrySet()) {
      var name = entry.getKey().name();
      if (!entry.getKey().root().equals(prefix.root()) || !name.startsWith(prefix.name())) break;
      if (!after.isEmpty() && ObjectNames.ORDER.compare(name, after) <= 0) continue;
      if (page.size() + left.size() == size) return new ObjectPage(page, left, last(page, left));
      if (ObjectUrl.ifUsable(prefix.root(), name).isPresent()) page.add(entry.getValue().info);
      else left.add(name);
    }
    return new ObjectPage(page, left, Optional.empty());
  }

  private static String later(String a, String b) {
    return ObjectNames.ORDER.compare(a, b) < 0 ? b : a;
  }

  private static Optional<String> last(List<ObjectInfo> page, List<String> left) {
    return Stream.concat(page.stream().map(o -> o.url().name()), left.stream())
        .max(ObjectNames.ORDER);
  }

  /** Writes unconditionally, replacing any existing object. */
  public synchronized void overwrite(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    put(objectUrl, bytes(content), metadata);
  }

  /** Adds an object whose name no {@link ObjectUrl} can express, as other users of a bucket may. */
  public synchronized void putUnusable(String root, String name) {
    var nowhere = new ObjectUrl(root, "unusable");
    objects.put(
        new Place(root, name),
        new Kept(
            new ObjectInfo(nowhere, ++generation, 0, crc(new byte[0]), Map.of(), time.instant()),
            new byte[0]));
  }

  private ObjectInfo put(ObjectUrl objectUrl, byte[] bytes, Map<String, String> metadata) {
    var info =
        new ObjectInfo(objectUrl, ++generation, bytes.length, crc(bytes), metadata, time.instant());
    var before = objects.put(Place.of(objectUrl), new Kept(info, bytes));
    observers.forEach(
        o -> o.changed(Optional.ofNullable(before).map(Kept::info), Optional.of(info)));
    return info;
  }

  private static byte[] bytes(Content content) {
    try (var in = content.open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static String crc(byte[] bytes) {
    var crc = new CRC32C();
    crc.update(bytes, 0, bytes.length);
    return Base64.getEncoder()
        .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
  }
}

package dev.mayfly.sim.fake;

import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.error.MissingPermission;
import dev.mayfly.core.model.Location;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
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
 * Buckets in memory: generations, create-once, listings. {@link HookedObjects} is how processes see
 * them.
 */
public final class SimObjects implements Objects {
  /** Sees each object as it appears, is replaced or goes. */
  public interface Observer {
    void changed(Optional<ObjectInfo> before, Optional<ObjectInfo> after);
  }

  private record Kept(ObjectInfo info, byte[] bytes) {}

  private record Place(String root, String name) {
    static final Comparator<Place> ORDER =
        Comparator.comparing(Place::root).thenComparing(Place::name, ObjectNames.ORDER);

    static Place of(Url url) {
      return new Place(url.root(), url.name());
    }
  }

  private final InstantSource time;
  private final TreeMap<Place, Kept> objects = new TreeMap<>(Place.ORDER);
  private final List<Observer> observers = new ArrayList<>();
  private final Map<String, Optional<Location>> locations = new TreeMap<>();
  private final Set<String> hidden = new TreeSet<>();
  private boolean folders = true;
  private long generation = 1_000;

  public SimObjects(InstantSource time) {
    this.time = time;
  }

  public void observe(Observer observer) {
    observers.add(observer);
  }

  /** From now on the bucket is there, in that region or those. */
  public synchronized void locate(String root, String name, String... regions) {
    locations.put(root, Location.of(name, List.of(regions)));
  }

  /** From now on there are buckets alone, as in a project. */
  public synchronized void closeFolders() {
    folders = false;
  }

  @Override
  public synchronized boolean reaches(Url place) {
    return folders || !place.root().equals("file://");
  }

  /** From now on nobody may ask where the bucket is. */
  public synchronized void hide(String root) {
    hidden.add(root);
  }

  @Override
  public synchronized Optional<Location> location(Url place) {
    if (hidden.contains(place.root()))
      throw MissingPermission.at(place.root(), place.root() + ": no right to list it");
    return locations.getOrDefault(place.root(), Optional.empty());
  }

  @Override
  public synchronized Optional<ObjectInfo> find(Url url) {
    return Optional.ofNullable(objects.get(Place.of(url))).map(Kept::info);
  }

  @Override
  public synchronized Optional<byte[]> read(Url url, int cap) {
    var kept = objects.get(Place.of(url));
    if (kept == null) return Optional.empty();
    if (kept.bytes.length > cap)
      throw new Invalid(url.toString(), kept.bytes.length + " bytes; at most " + cap + " are read");
    return Optional.of(kept.bytes.clone());
  }

  @Override
  public synchronized Optional<InputStream> open(Url url) {
    return Optional.ofNullable(objects.get(Place.of(url)))
        .map(k -> new ByteArrayInputStream(k.bytes));
  }

  @Override
  public synchronized Creation create(Url url, Content content, Map<String, String> metadata) {
    var there = objects.get(Place.of(url));
    if (there == null) return new Creation.Created(put(url, bytes(content), metadata));
    return made(there, content, metadata)
        ? new Creation.Created(there.info)
        : new Creation.Exists(there.info);
  }

  @Override
  public synchronized Replacement replace(
      Url url, Content content, Map<String, String> metadata, long seen) {
    var there = Optional.ofNullable(objects.get(Place.of(url)));
    if (there.filter(k -> k.info.generation() == seen).isPresent())
      return new Replacement.Replaced(put(url, bytes(content), metadata));
    var ours = there.filter(k -> made(k, content, metadata)).map(Kept::info);
    return ours.<Replacement>map(Replacement.Replaced::new)
        .orElseGet(() -> new Replacement.Changed(there.map(Kept::info)));
  }

  private static boolean made(Kept there, Content content, Map<String, String> metadata) {
    return there.info.metadata().equals(metadata) && Arrays.equals(there.bytes, bytes(content));
  }

  @Override
  public synchronized boolean delete(Url url, long generation) {
    var there = objects.get(Place.of(url));
    if (there == null || there.info.generation() != generation) return false;
    objects.remove(Place.of(url));
    observers.forEach(o -> o.changed(Optional.of(there.info), Optional.empty()));
    return true;
  }

  @Override
  public synchronized ObjectPage list(Url prefix, String after, int limit) {
    var size = ObjectPage.size(limit);
    var page = new ArrayList<ObjectInfo>();
    var left = new ArrayList<String>();
    var from = new Place(prefix.root(), later(prefix.name(), after));
    for (var entry : objects.tailMap(from, true).entrySet()) {
      var name = entry.getKey().name();
      if (!entry.getKey().root().equals(prefix.root()) || !name.startsWith(prefix.name())) break;
      if (!after.isEmpty() && ObjectNames.ORDER.compare(name, after) <= 0) continue;
      if (page.size() + left.size() == size) return new ObjectPage(page, left, last(page, left));
      if (Url.ifUsable(prefix.root(), name).isPresent()) page.add(entry.getValue().info);
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

  /** Writes as a program does that heeds nobody: whatever is there goes. */
  public synchronized void overwrite(Url url, Content content, Map<String, String> metadata) {
    put(url, bytes(content), metadata);
  }

  /** An object with a name that no {@link Url} has, as a bucket's other users may make. */
  public synchronized void putUnusable(String root, String name) {
    var nowhere = new Url(root, "unusable");
    objects.put(
        new Place(root, name),
        new Kept(
            new ObjectInfo(nowhere, ++generation, 0, crc(new byte[0]), Map.of(), time.instant()),
            new byte[0]));
  }

  private ObjectInfo put(Url url, byte[] bytes, Map<String, String> metadata) {
    var info =
        new ObjectInfo(url, ++generation, bytes.length, crc(bytes), metadata, time.instant());
    var before = objects.put(Place.of(url), new Kept(info, bytes));
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

package dev.mayfly.sim.fake;

import dev.mayfly.core.error.Denied;
import dev.mayfly.core.error.Invalid;
import dev.mayfly.core.model.Location;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.Objects;
import dev.mayfly.core.port.Url;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
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

  /** A name orders by its bytes, as in the store. */
  private record Place(String root, byte[] name) implements Comparable<Place> {
    static Place of(Url url) {
      return new Place(url.root(), url.name().getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public int compareTo(Place o) {
      var byRoot = root.compareTo(o.root);
      return byRoot != 0 ? byRoot : Arrays.compareUnsigned(name, o.name);
    }
  }

  private final InstantSource time;
  private final TreeMap<Place, Kept> objects = new TreeMap<>();
  private final List<Observer> observers = new ArrayList<>();
  private final Map<String, Optional<Location>> locations = new TreeMap<>();
  private final Set<String> hidden = new TreeSet<>();
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

  /** From now on nobody may ask where the bucket is. */
  public synchronized void hide(String root) {
    hidden.add(root);
  }

  @Override
  public synchronized Optional<Location> location(Url place) {
    if (hidden.contains(place.root())) throw new Denied(place.root() + ": no right to list it");
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
    var ours = there.info.metadata().equals(metadata) && Arrays.equals(there.bytes, bytes(content));
    return ours ? new Creation.Created(there.info) : new Creation.Exists(there.info);
  }

  @Override
  public synchronized ObjectInfo replace(Url url, Content content, Map<String, String> metadata) {
    return put(url, bytes(content), metadata);
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
  public synchronized List<ObjectInfo> list(Url prefix, String after, int limit) {
    var all = new ArrayList<ObjectInfo>();
    for (var kept : objects.tailMap(Place.of(prefix), true).values()) {
      var url = kept.info.url();
      if (!url.root().equals(prefix.root()) || !url.name().startsWith(prefix.name())) break;
      if (after.isEmpty() || greater(url, after)) all.add(kept.info);
      if (all.size() == Math.min(limit, 1_000)) break;
    }
    return all;
  }

  private static boolean greater(Url url, String after) {
    return Arrays.compareUnsigned(
            url.name().getBytes(StandardCharsets.UTF_8), after.getBytes(StandardCharsets.UTF_8))
        > 0;
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

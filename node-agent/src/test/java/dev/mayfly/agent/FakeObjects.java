package dev.mayfly.agent;

import dev.mayfly.core.error.UnavailableException;
import dev.mayfly.core.port.ObjectInfo;
import dev.mayfly.core.port.ObjectNames;
import dev.mayfly.core.port.ObjectPage;
import dev.mayfly.core.port.ObjectStore;
import dev.mayfly.core.port.ObjectUrl;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** Objects in memory, with failure injection. */
public final class FakeObjects implements ObjectStore {
  private record Stored(byte[] bytes, ObjectInfo info) {}

  private final Map<String, Stored> stored = new TreeMap<>(ObjectNames.ORDER);
  private long generations;
  private int failures;
  private int succeeding;
  private volatile boolean held;
  private final CountDownLatch reading = new CountDownLatch(1);
  private volatile boolean creationsHeld;
  private final CountDownLatch creating = new CountDownLatch(1);
  private final CountDownLatch released = new CountDownLatch(1);

  /** Makes the store unavailable for the next calls. */
  public synchronized void failNext(int calls) {
    failures = calls;
  }

  public synchronized void put(String url, String text) {
    store(ObjectUrl.of(url), Content.of(text.getBytes(StandardCharsets.UTF_8)), Map.of());
  }

  public synchronized void put(String url, byte[] bytes) {
    store(ObjectUrl.of(url), Content.of(bytes), Map.of());
  }

  /** All objects' URLs, in order. */
  public synchronized List<String> urls() {
    return List.copyOf(stored.keySet());
  }

  public synchronized String text(String url) {
    return new String(stored.get(url).bytes(), StandardCharsets.UTF_8);
  }

  /** Restores the initial state. */
  public synchronized void clear() {
    stored.clear();
  }

  /** The texts of all objects below a place, ordered by name. */
  public synchronized List<String> texts(String prefix) {
    return urls().stream().filter(url -> url.startsWith(prefix)).map(this::text).toList();
  }

  @Override
  public synchronized Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    check();
    return Optional.ofNullable(stored.get(objectUrl.toString())).map(Stored::info);
  }

  @Override
  public synchronized Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    check();
    return Optional.ofNullable(stored.get(objectUrl.toString())).map(Stored::bytes);
  }

  @Override
  public Optional<InputStream> open(ObjectUrl objectUrl) {
    if (held) {
      reading.countDown();
      try {
        new CountDownLatch(1).await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableException("interrupted");
      }
    }
    return read(objectUrl, Integer.MAX_VALUE).map(ByteArrayInputStream::new);
  }

  /** Makes readers wait until they are interrupted. */
  public void holdReads() {
    held = true;
  }

  /** Waits until a reader waits. */
  public void awaitReader() throws InterruptedException {
    if (!reading.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("objects are not read here");
    }
  }

  /** Makes creations wait until {@link #releaseCreations}. */
  public void holdCreations() {
    creationsHeld = true;
  }

  /** Waits until a creation waits. */
  public void awaitCreator() throws InterruptedException {
    if (!creating.await(30, TimeUnit.SECONDS)) {
      throw new AssertionError("objects are not created here");
    }
  }

  public void releaseCreations() {
    released.countDown();
  }

  @Override
  public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    if (creationsHeld) {
      creating.countDown();
      try {
        released.await();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new UnavailableException("interrupted");
      }
    }
    return createNow(objectUrl, content, metadata);
  }

  private synchronized Creation createNow(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    check();
    var there = stored.get(objectUrl.toString());
    if (there == null) {
      return new Creation.Created(store(objectUrl, content, metadata));
    }
    return Arrays.equals(there.bytes(), bytes(content)) && there.info().metadata().equals(metadata)
        ? new Creation.Created(there.info())
        : new Creation.Exists(there.info());
  }

  @Override
  public synchronized Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long generation) {
    check();
    var there = Optional.ofNullable(stored.get(objectUrl.toString())).map(Stored::info);
    return there.filter(info -> info.generation() == generation).isPresent()
        ? new Replacement.Replaced(store(objectUrl, content, metadata))
        : new Replacement.Changed(there);
  }

  private synchronized ObjectInfo store(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    var bytes = bytes(content);
    generations++;
    var info = new ObjectInfo(objectUrl, generations, bytes.length, "", metadata, Instant.EPOCH);
    stored.put(objectUrl.toString(), new Stored(bytes, info));
    notifyAll();
    return info;
  }

  @Override
  public synchronized boolean delete(ObjectUrl objectUrl, long generation) {
    check();
    return stored.remove(objectUrl.toString()) != null;
  }

  @Override
  public synchronized ObjectPage list(ObjectUrl prefix, String after, int limit) {
    check();
    var rest =
        stored.values().stream()
            .map(Stored::info)
            .filter(info -> info.url().toString().startsWith(prefix.toString()))
            .filter(info -> ObjectNames.ORDER.compare(info.url().name(), after) > 0)
            .toList();
    var page = rest.subList(0, Math.min(ObjectPage.size(limit), rest.size()));
    return new ObjectPage(
        page,
        List.of(),
        page.size() < rest.size() ? Optional.of(page.getLast().url().name()) : Optional.empty());
  }

  /** Makes the store unavailable for one call, after some that succeed. */
  public synchronized void failAfter(int calls) {
    succeeding = calls;
    failures = 1;
  }

  private void check() {
    if (succeeding > 0) {
      succeeding--;
      return;
    }
    if (failures > 0) {
      failures--;
      throw new UnavailableException("the store is away");
    }
  }

  private static byte[] bytes(Content content) {
    try (var in = content.open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}

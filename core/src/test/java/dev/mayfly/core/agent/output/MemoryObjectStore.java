package dev.mayfly.core.agent.output;

import dev.mayfly.core.agent.AgentFixtures;
import dev.mayfly.core.error.InvalidInputException;
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
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.zip.CRC32C;

/** Objects in memory, with a count of calls and a switch for an outage. */
final class MemoryObjectStore implements ObjectStore {
  boolean away;
  int calls;

  /** Runs before a replacement, so that a rival can act first. */
  Runnable beforeReplacing = () -> {};

  private final TreeMap<String, Entry> entries = new TreeMap<>(ObjectNames.ORDER);
  private long generation;

  private record Entry(ObjectInfo info, byte[] body) {}

  MemoryObjectStore put(String url, String body, Map<String, String> metadata) {
    store(ObjectUrl.of(url), Content.of(body.getBytes(StandardCharsets.UTF_8)), metadata);
    return this;
  }

  List<String> names() {
    return List.copyOf(entries.keySet());
  }

  String text(String url) {
    return new String(entries.get(ObjectUrl.of(url).toString()).body, StandardCharsets.UTF_8);
  }

  private void call() {
    calls++;
    if (away) throw new UnavailableException("the store is away");
  }

  @Override
  public Optional<ObjectInfo> find(ObjectUrl objectUrl) {
    call();
    return Optional.ofNullable(entries.get(objectUrl.toString())).map(Entry::info);
  }

  @Override
  public Optional<byte[]> read(ObjectUrl objectUrl, int cap) {
    call();
    return Optional.ofNullable(entries.get(objectUrl.toString())).map(e -> e.body.clone());
  }

  @Override
  public Optional<InputStream> open(ObjectUrl objectUrl) {
    return read(objectUrl, Integer.MAX_VALUE).map(ByteArrayInputStream::new);
  }

  @Override
  public Creation create(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    call();
    var there = entries.get(objectUrl.toString());
    if (there == null) return new Creation.Created(store(objectUrl, content, metadata));
    var same = Arrays.equals(there.body, bytes(content)) && there.info.metadata().equals(metadata);
    return same ? new Creation.Created(there.info) : new Creation.Exists(there.info);
  }

  @Override
  public Replacement replace(
      ObjectUrl objectUrl, Content content, Map<String, String> metadata, long ofGeneration) {
    call();
    beforeReplacing.run();
    var there = Optional.ofNullable(entries.get(objectUrl.toString()));
    if (there.filter(e -> e.info.generation() == ofGeneration).isPresent())
      return new Replacement.Replaced(store(objectUrl, content, metadata));
    return new Replacement.Changed(there.map(Entry::info));
  }

  private ObjectInfo store(ObjectUrl objectUrl, Content content, Map<String, String> metadata) {
    var body = bytes(content);
    var crc = new CRC32C();
    crc.update(body);
    var text =
        Base64.getEncoder()
            .encodeToString(ByteBuffer.allocate(4).putInt((int) crc.getValue()).array());
    var info =
        new ObjectInfo(objectUrl, ++generation, body.length, text, metadata, AgentFixtures.T0);
    entries.put(objectUrl.toString(), new Entry(info, body));
    return info;
  }

  private static byte[] bytes(Content content) {
    try (var in = content.open()) {
      return in.readAllBytes();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  @Override
  public boolean delete(ObjectUrl objectUrl, long ofGeneration) {
    call();
    var there = entries.get(objectUrl.toString());
    if (there == null || there.info.generation() != ofGeneration) return false;
    entries.remove(objectUrl.toString());
    return true;
  }

  @Override
  public ObjectPage list(ObjectUrl prefix, String after, int limit) {
    call();
    if (prefix.toString().equals("file:///"))
      throw new InvalidInputException(prefix.toString(), "name a folder to list");
    var rest =
        entries.values().stream()
            .map(Entry::info)
            .filter(i ->
                i.url().root().equals(prefix.root()) && i.url().name().startsWith(prefix.name()))
            .filter(i -> ObjectNames.ORDER.compare(i.url().name(), after) > 0)
            .limit(limit + 1L)
            .toList();
    var page = rest.subList(0, Math.min(limit, rest.size()));
    var next =
        rest.size() > limit ? Optional.of(page.getLast().url().name()) : Optional.<String>empty();
    return new ObjectPage(page, List.of(), next);
  }
}

package dev.mayfly.local.storage.bucket;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.mayfly.local.http.RestCall;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import tools.jackson.core.JacksonException;
import tools.jackson.core.type.TypeReference;

/**
 * The descriptions of objects, in a JSON file each.
 *
 * <p>While an object is replaced, its sidecar describes both generations, so that either is
 * described if the process dies. Only this process writes sidecars, so they may be cached.
 */
final class SidecarFiles {
  private static final int KEPT = 20_000;
  private static final TypeReference<List<StoredObject>> RECORDS = new TypeReference<>() {};

  private final Path folder;
  private final AtomicLong count = new AtomicLong();
  private final ConcurrentHashMap<String, List<StoredObject>> kept = new ConcurrentHashMap<>();

  SidecarFiles(Path folder) {
    this.folder = folder;
  }

  /** The description of a generation. */
  Optional<StoredObject> find(String name, long generation, long size) throws IOException {
    for (var known : read(name))
      if (known.generation() == generation && known.size() == size) return Optional.of(known);
    return Optional.empty();
  }

  private List<StoredObject> read(String name) throws IOException {
    var known = kept.get(name);
    if (known != null) return known;
    try {
      var read = RestCall.JSON.readValue(Files.readAllBytes(file(name)), RECORDS);
      return read.stream().filter(r -> r.name().equals(name)).toList();
    } catch (NoSuchFileException | JacksonException e) {
      return List.of();
    }
  }

  /** Callers must serialize calls for one name. */
  void write(String name, List<StoredObject> records) throws IOException {
    var file = file(name);
    var fresh = file.resolveSibling(file.getFileName() + "." + count.incrementAndGet());
    var text = RestCall.JSON.writeValueAsBytes(records);
    FolderOnDemand.of(file, () -> Files.write(fresh, text));
    Files.move(fresh, file, StandardCopyOption.ATOMIC_MOVE);
    keep(name, records);
  }

  /** Knows more than was written, while the process lives and there is room. */
  void keep(String name, List<StoredObject> records) {
    if (kept.size() >= KEPT) kept.clear();
    kept.put(name, records);
  }

  void delete(String name) throws IOException {
    Files.deleteIfExists(file(name));
    kept.remove(name);
  }

  /** Named by hash, because names may be long, and one may be a folder of another. */
  private Path file(String name) {
    var hash = HexFormat.of().formatHex(sha256(name));
    return folder.resolve(hash.substring(0, 2)).resolve(hash.substring(2, 40) + ".json");
  }

  private static byte[] sha256(String name) {
    try {
      return MessageDigest.getInstance("SHA-256").digest(name.getBytes(UTF_8));
    } catch (NoSuchAlgorithmException e) {
      throw new IllegalStateException("every Java has SHA-256", e);
    }
  }
}

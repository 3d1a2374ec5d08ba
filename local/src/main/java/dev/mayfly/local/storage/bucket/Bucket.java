package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.http.ApiError;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A folder as a bucket. Every change is one rename of a finished file, so the process may be killed
 * at any time; {@link SidecarFiles} keeps the description consistent.
 */
public final class Bucket {
  private final String name;
  private final Path root;
  private final InstantSource clock;
  private final ObjectPaths objectPaths;
  private final SidecarFiles sidecarFiles;
  private final ObjectFiles files;
  private final NameLocks locks;
  private final ObjectRights rights;

  /** A bucket as its owner sees it. */
  Bucket(String name, Path root, InstantSource clock) {
    this.name = name;
    this.root = root;
    this.clock = clock;
    objectPaths = new ObjectPaths(root);
    sidecarFiles = new SidecarFiles(root.resolve(ObjectPaths.OURS).resolve("objects"));
    files = new ObjectFiles(objectPaths);
    locks = new NameLocks();
    rights = ObjectRights.OWNER;
  }

  private Bucket(Bucket same, ObjectRights caller) {
    name = same.name;
    root = same.root;
    clock = same.clock;
    objectPaths = same.objectPaths;
    sidecarFiles = same.sidecarFiles;
    files = same.files;
    locks = same.locks;
    rights = caller;
  }

  /** The same bucket for a caller with these rights. */
  public Bucket as(ObjectRights caller) {
    return new Bucket(this, caller);
  }

  public ObjectRights rights() {
    return rights;
  }

  public String name() {
    return name;
  }

  /** A new file for incoming content, by {@link StagedContent#copied}. */
  public Path temp() {
    return root.resolve(ObjectPaths.OURS).resolve("tmp").resolve(UUID.randomUUID().toString());
  }

  public Path settings() {
    return root.resolve(ObjectPaths.OURS).resolve("bucket.json");
  }

  public Path uploads() {
    return root.resolve(ObjectPaths.OURS).resolve("uploads");
  }

  public Optional<StoredObject> find(String object) throws IOException {
    var seen = files.stamp(object);
    if (seen.isPresent()) {
      var known = sidecarFiles.find(object, seen.get().generation(), seen.get().size());
      if (known.filter(seen.get()::isSeenBy).isPresent()) return known;
    }
    // Needs the lock: the object may be changing, and describing a file writes its sidecar.
    return locks.withLock(object, () -> described(object));
  }

  private Optional<StoredObject> described(String object) throws IOException {
    var seen = files.stamp(object);
    if (seen.isEmpty()) return Optional.empty();
    var known = sidecarFiles.find(object, seen.get().generation(), seen.get().size());
    if (known.filter(seen.get()::isSeenBy).isPresent()) return known;
    var next =
        known.isPresent()
            ? files.changed(seen.get(), known.get(), clock.instant())
            : seen.get().adopted(object);
    sidecarFiles.write(object, List.of(next));
    return Optional.of(next);
  }

  /** The object; throws 404 if it or the requested generation does not exist. */
  public StoredObject get(String object, Optional<Long> generation) throws IOException {
    var found = find(object).filter(o -> generation.map(g -> g == o.generation()).orElse(true));
    return found.orElseThrow(() -> missing(object));
  }

  /** The object's content, readable while the stream is open even if the name changes. */
  public Opened open(String object, Optional<Long> generation) throws IOException {
    for (var tries = 0; tries < 20; tries++) {
      var before = get(object, generation);
      var file = objectPaths.locate(object);
      if (file.isEmpty()) continue;
      try {
        var content = Files.newInputStream(file.get());
        if (find(object).equals(Optional.of(before))) return new Opened(before, content);
        content.close();
      } catch (NoSuchFileException e) {
        // Deleted or moved since it was found: retry.
      }
    }
    throw ApiError.unavailable(object + " changes faster than it can be read");
  }

  public record Opened(StoredObject object, InputStream content) {}

  /** Publishes staged content under a name, or throws 412. */
  public StoredObject put(
      String object,
      StagedContent stagedContent,
      ObjectAttributes objectAttributes,
      RequestPreconditions requestPreconditions)
      throws IOException {
    if (!object.endsWith(".COMPLETE")) stagedContent.force();
    return locks.withLockAndRetry(
        object,
        () -> named(object, stagedContent, objectAttributes, requestPreconditions),
        files::makeWay);
  }

  private StoredObject named(
      String object,
      StagedContent stagedContent,
      ObjectAttributes objectAttributes,
      RequestPreconditions requestPreconditions)
      throws IOException {
    var current = described(object);
    requestPreconditions.check(current);
    rights.checkCreate(name, object);
    if (current.isPresent()) rights.checkReplace(name, object);
    var now = clock.instant();
    var generation = files.assignGeneration(stagedContent.file(), now, current);
    var made =
        new StoredObject(
            object,
            generation,
            1,
            stagedContent.size(),
            stagedContent.crc32c(),
            stagedContent.md5(),
            objectAttributes.headers(),
            objectAttributes.metadata(),
            now,
            now,
            Optional.empty());
    sidecarFiles.write(object, both(made, current));
    files.publish(stagedContent.file(), object);
    // Its name is a change of the file, which the description can only know now.
    var placed = made.seenAs(files.stamp(object).flatMap(ObjectFiles.Stamp::identity));
    // The next process compares the content of a small one.
    if (placed.isSmall()) sidecarFiles.keep(object, both(placed, current));
    else sidecarFiles.write(object, both(placed, current));
    return placed;
  }

  private static List<StoredObject> both(StoredObject made, Optional<StoredObject> current) {
    return current.map(before -> List.of(made, before)).orElse(List.of(made));
  }

  /** Changes the object's attributes, or throws 404 or 412. */
  public StoredObject updateAttributes(
      String object,
      Optional<Long> generation,
      RequestPreconditions requestPreconditions,
      UnaryOperator<ObjectAttributes> change)
      throws IOException {
    rights.checkUpdate(name, object);
    return locks.withLock(
        object,
        () -> {
          var current = get(object, generation);
          requestPreconditions.check(Optional.of(current));
          var changed = current.withAttributes(change.apply(current.attributes()), clock.instant());
          sidecarFiles.write(object, List.of(changed));
          return changed;
        });
  }

  /** Deletes the object, or throws 404 or 412. */
  public void delete(
      String object, Optional<Long> generation, RequestPreconditions requestPreconditions)
      throws IOException {
    rights.checkReplace(name, object);
    locks.withLock(
        object,
        () -> {
          requestPreconditions.check(Optional.of(get(object, generation)));
          files.remove(object);
          sidecarFiles.delete(object);
          return Map.of();
        });
  }

  /** Visits names from {@code from} on in byte order, until the visitor returns false. */
  public void walk(String prefix, String from, Predicate<String> visitor) throws IOException {
    new ObjectWalker(root, prefix, from, visitor).run();
  }

  ApiError missing(String object) {
    return ApiError.notFound("No such object: " + name + "/" + object);
  }
}

package dev.mayfly.local.cloud.storage;

import dev.mayfly.local.cloud.rest.Refused;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/**
 * A folder as a bucket. Every change is one rename of a finished file, so that the process may be
 * killed at any time; see {@link Sidecars} for what makes the description fit.
 */
final class Bucket {
  private final String name;
  private final Path root;
  private final InstantSource clock;
  private final Layout layout;
  private final Sidecars sidecars;
  private final ObjectFiles files;
  private final NameLocks locks = new NameLocks();

  Bucket(String name, Path root, InstantSource clock) {
    this.name = name;
    this.root = root;
    this.clock = clock;
    layout = new Layout(root);
    sidecars = new Sidecars(root.resolve(Layout.OURS).resolve("objects"));
    files = new ObjectFiles(layout);
  }

  String name() {
    return name;
  }

  /** A place of its own for content that is coming in. A person may delete its folder any time. */
  Path temp() throws IOException {
    var folder = Files.createDirectories(root.resolve(Layout.OURS).resolve("tmp"));
    return folder.resolve(UUID.randomUUID().toString());
  }

  Path settings() {
    return root.resolve(Layout.OURS).resolve("bucket.json");
  }

  Path uploads() {
    return root.resolve(Layout.OURS).resolve("uploads");
  }

  Optional<StoredObject> find(String object) throws IOException {
    var seen = files.stamp(object);
    if (seen.isPresent()) {
      var known = sidecars.find(object, seen.get().generation(), seen.get().size());
      if (known.isPresent()) return known;
    }
    // It may be changing just now; and who describes a file writes.
    return locks.alone(object, () -> described(object));
  }

  private Optional<StoredObject> described(String object) throws IOException {
    var seen = files.stamp(object);
    if (seen.isEmpty()) return Optional.empty();
    var known = sidecars.find(object, seen.get().generation(), seen.get().size());
    if (known.isPresent()) return known;
    var adopted = seen.get().adopted(object);
    sidecars.write(object, List.of(adopted));
    return Optional.of(adopted);
  }

  /** The object, or 404; a wanted generation that is not this one is not there either. */
  StoredObject get(String object, Optional<Long> generation) throws IOException {
    var found = find(object).filter(o -> generation.map(g -> g == o.generation()).orElse(true));
    return found.orElseThrow(() -> missing(object));
  }

  /** Its content, for as long as the stream is open, whatever becomes of the name. */
  Opened open(String object, Optional<Long> generation) throws IOException {
    for (var tries = 0; tries < 20; tries++) {
      var before = get(object, generation);
      var file = layout.locate(object);
      if (file.isEmpty()) continue;
      try {
        var content = Files.newInputStream(file.get());
        if (find(object).equals(Optional.of(before))) return new Opened(before, content);
        content.close();
      } catch (NoSuchFileException e) {
        // Deleted or moved since it was found: look again.
      }
    }
    throw new Refused(503, "backendError", object + " changes faster than it can be read");
  }

  record Opened(StoredObject object, InputStream content) {}

  /** Gives the draft its name, or throws 412. */
  StoredObject put(String object, Draft draft, Attributes attributes, Conditions conditions)
      throws IOException {
    if (!object.endsWith(".COMPLETE")) draft.force();
    return locks.moving(object, () -> named(object, draft, attributes, conditions), files::makeWay);
  }

  private StoredObject named(
      String object, Draft draft, Attributes attributes, Conditions conditions) throws IOException {
    var current = described(object);
    conditions.check(current);
    var now = clock.instant();
    var generation = files.claim(draft.file(), now, current);
    var made =
        new StoredObject(
            object,
            generation,
            1,
            draft.size(),
            draft.crc32c(),
            draft.md5(),
            attributes.headers(),
            attributes.metadata(),
            now,
            now);
    var both = new ArrayList<>(List.of(made));
    current.ifPresent(both::add);
    sidecars.write(object, both);
    files.publish(draft.file(), object);
    return made;
  }

  /** Changes what is said about the object, or throws 404 or 412. */
  StoredObject describe(
      String object,
      Optional<Long> generation,
      Conditions conditions,
      UnaryOperator<Attributes> change)
      throws IOException {
    return locks.alone(
        object,
        () -> {
          var current = get(object, generation);
          conditions.check(Optional.of(current));
          var changed = current.described(change.apply(current.attributes()), clock.instant());
          sidecars.write(object, List.of(changed));
          return changed;
        });
  }

  /** Deletes it, or throws 404 or 412. */
  void delete(String object, Optional<Long> generation, Conditions conditions) throws IOException {
    locks.alone(
        object,
        () -> {
          conditions.check(Optional.of(get(object, generation)));
          files.remove(object);
          sidecars.delete(object);
          return Map.of();
        });
  }

  /** Names from {@code from} on, in the order of their bytes, until the visitor has enough. */
  void walk(String prefix, String from, Predicate<String> visitor) throws IOException {
    new Walk(root, prefix, from, visitor).run();
  }

  Refused missing(String object) {
    return Refused.notFound("No such object: " + name + "/" + object);
  }
}

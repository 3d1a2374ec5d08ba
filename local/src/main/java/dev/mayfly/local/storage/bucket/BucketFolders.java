package dev.mayfly.local.storage.bucket;

import dev.mayfly.local.http.ApiError;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Pattern;

/** The buckets' folders. A folder that a person created is also a bucket, if its name is valid. */
public final class BucketFolders {
  private static final Pattern NAME = Pattern.compile("[a-z0-9][-_.a-z0-9]{1,220}[a-z0-9]");

  private final Path root;
  private final InstantSource clock;
  private final boolean onDemand;
  private final ConcurrentHashMap<String, Bucket> open = new ConcurrentHashMap<>();

  public BucketFolders(Path root, InstantSource clock, boolean onDemand) {
    this.root = root;
    this.clock = clock;
    this.onDemand = onDemand;
  }

  /** The bucket for a write, created on demand if that is enabled. */
  public Bucket forWriting(String name) throws IOException {
    if (onDemand && !there(name) && NAME.matcher(name).matches()) {
      Files.createDirectories(root);
      made(root.resolve(name));
    }
    return get(name);
  }

  /** The bucket; throws 404 if it does not exist. */
  public Bucket get(String name) throws IOException {
    if (!there(name)) {
      open.remove(name);
      throw missing(name);
    }
    return open.computeIfAbsent(name, n -> new Bucket(n, root.resolve(n), clock));
  }

  /** Creates a bucket; throws 409 if it exists. */
  public void create(String name, BucketLocation place) throws IOException {
    if (!NAME.matcher(name).matches())
      throw ApiError.invalid("Invalid bucket name: '" + name + "'");
    Files.createDirectories(root);
    if (made(root.resolve(name))) place.write(root.resolve(name));
    else
      throw new ApiError(
          409,
          "conflict",
          "Your previous request to create the named bucket succeeded and you already own it.");
  }

  private static boolean made(Path folder) throws IOException {
    try {
      Files.createDirectory(folder);
      return true;
    } catch (FileAlreadyExistsException e) {
      return false;
    }
  }

  /** Deletes a bucket; throws 404 if it does not exist, or 409 if it has objects. */
  public void delete(String name) throws IOException {
    var objects = new boolean[1];
    get(name).walk("", "", object -> !(objects[0] = true));
    if (objects[0])
      throw new ApiError(409, "conflict", "The bucket you tried to delete is not empty.");
    open.remove(name);
    try (var files = Files.walk(root.resolve(name))) {
      for (var file : files.sorted(java.util.Comparator.reverseOrder()).toList())
        Files.delete(file);
    }
  }

  public List<String> names() throws IOException {
    if (!Files.isDirectory(root)) return List.of();
    try (var folders = Files.list(root)) {
      return folders.map(f -> f.getFileName().toString()).filter(this::there).sorted().toList();
    }
  }

  /** The bucket's creation time, from its folder. */
  public Optional<Instant> created(String name) throws IOException {
    if (!there(name)) return Optional.empty();
    var seen = Files.readAttributes(root.resolve(name), BasicFileAttributes.class);
    return Optional.of(seen.creationTime().toInstant());
  }

  public BucketLocation place(String name) throws IOException {
    return BucketLocation.read(root.resolve(name));
  }

  private boolean there(String name) {
    return NAME.matcher(name).matches() && Files.isDirectory(root.resolve(name));
  }

  public static ApiError missing(String name) {
    return ApiError.notFound("The specified bucket does not exist: " + name);
  }
}

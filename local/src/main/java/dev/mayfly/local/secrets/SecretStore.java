package dev.mayfly.local.secrets;

import dev.mayfly.local.os.PrivateFolder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Secrets as a folder each, and versions as numbered files that only their owner may read. Survives
 * restarts. A file {@code forbidden} in a secret's folder denies all reads.
 */
public final class SecretStore {
  private static final Pattern NAME = Pattern.compile("[A-Za-z0-9_-]{1,255}");
  private static final Pattern VERSION = Pattern.compile("[1-9][0-9]{0,9}");

  private final Path folder;

  public SecretStore(Path folder) {
    this.folder = folder;
  }

  /** Whether the name is valid for a secret. */
  public static boolean isLegalName(String name) {
    return NAME.matcher(name).matches();
  }

  public synchronized boolean exists(String name) {
    return isLegalName(name) && Files.isDirectory(folder.resolve(name));
  }

  /** Creates the secret without a version, unless it exists. */
  public synchronized void create(String name) {
    if (!isLegalName(name))
      throw new IllegalArgumentException("Invalid secret name '" + name + "'");
    try {
      Files.createDirectories(folder.resolve(name));
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot create the folder of secret " + name, e);
    }
  }

  /** Adds a version and returns its number, counted from 1. */
  public synchronized long add(String name, byte[] value) {
    create(name);
    var number = latest(name) + 1;
    try {
      PrivateFolder.write(folder.resolve(name).resolve("" + number), value);
      return number;
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot write a version of secret " + name, e);
    }
  }

  /** The number of the newest version; 0 if none exists. */
  public synchronized long latest(String name) {
    try (var files = Files.list(folder.resolve(name))) {
      return files
          .map(file -> String.valueOf(file.getFileName()))
          .filter(text -> VERSION.matcher(text).matches())
          .mapToLong(Long::parseLong)
          .max()
          .orElse(0);
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read the versions of secret " + name, e);
    }
  }

  /** The value of a version. */
  public synchronized Optional<byte[]> value(String name, long version) {
    var file = folder.resolve(name).resolve("" + version);
    try {
      return Files.exists(file) ? Optional.of(Files.readAllBytes(file)) : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot read a version of secret " + name, e);
    }
  }

  /** Whether reads of the secret are denied. */
  public synchronized boolean forbidden(String name) {
    return Files.exists(folder.resolve(name).resolve("forbidden"));
  }

  /** Denies all reads of the secret. */
  public synchronized void forbid(String name) {
    try {
      Files.writeString(folder.resolve(name).resolve("forbidden"), "");
    } catch (IOException e) {
      throw new UncheckedIOException("Cannot forbid secret " + name, e);
    }
  }
}

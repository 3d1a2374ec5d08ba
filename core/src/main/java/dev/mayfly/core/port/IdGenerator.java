package dev.mayfly.core.port;

public interface IdGenerator {
  /** Returns {@code length} random characters of [a-z0-9], the first a letter. */
  String next(int length);

  /** Returns a secret: 128 random bits in hex. */
  String secret();
}

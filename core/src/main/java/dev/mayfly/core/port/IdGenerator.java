package dev.mayfly.core.port;

/** Makes random names. */
public interface IdGenerator {
  /** {@code length} random characters of [a-z0-9], the first a letter. */
  String next(int length);

  /** 128 random bits in hex: a secret. */
  String secret();
}

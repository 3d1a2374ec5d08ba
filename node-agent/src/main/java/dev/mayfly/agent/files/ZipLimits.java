package dev.mayfly.agent.files;

import dev.mayfly.core.files.CodeLimits;

/**
 * Limits of a code bundle.
 *
 * @param packedBytes of the zip
 * @param entries files and folders
 * @param unpackedBytes of all files
 * @param ratio unpacked to packed, beyond the first 16 MiB; a zip bomb's is a thousand or more
 */
public record ZipLimits(long packedBytes, int entries, long unpackedBytes, int ratio) {
  public static final ZipLimits DEFAULT =
      new ZipLimits(512L << 20, CodeLimits.ENTRIES, 4L << 30, 100);

  static final long RATIO_FROM = 16L << 20;
}

package dev.mayfly.core.files;

/** What fits a job's code. Agents refuse more, so a packer refuses it before anything is sent. */
public final class CodeLimits {
  /** Files and folders. */
  public static final int ENTRIES = 100_000;

  /** Bytes of a path in UTF-8; leaves half of Linux's PATH_MAX to the folder that it is put in. */
  public static final int LONGEST_PATH = 2_048;

  private CodeLimits() {}
}

package dev.mayfly.core.catalog;

import java.util.regex.Pattern;

/** Google's plain operating system images: no container engine, no client of file systems. */
public final class PlainBootImage {
  /** What machines without GPUs start from if their pool names no image. */
  public static final String USUAL = "projects/debian-cloud/global/images/family/debian-12";

  private static final Pattern PLAIN =
      Pattern.compile(
          "projects/(debian|ubuntu-os|ubuntu-os-pro|centos|rocky-linux|rhel|suse|opensuse)-cloud/.*");

  private static final Pattern INSTALLS =
      Pattern.compile("projects/(debian|ubuntu-os|ubuntu-os-pro)-cloud/.*");

  private PlainBootImage() {}

  public static boolean is(String image) {
    return PLAIN.matcher(image).matches();
  }

  /** Whether it is plain, and the agent can install packages on it. */
  public static boolean installs(String image) {
    return INSTALLS.matcher(image).matches();
  }
}

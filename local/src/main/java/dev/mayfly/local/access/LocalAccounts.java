package dev.mayfly.local.access;

import dev.mayfly.functions.handler.AllowedAccounts;
import java.util.Set;

/** The accounts that a laptop cloud has without anybody's having made them. */
public final class LocalAccounts {
  private LocalAccounts() {}

  public static AllowedAccounts of(String project) {
    return new AllowedAccounts(machines(project), functions(project), Set.of(own(project)));
  }

  /** What machines run as whose order names no account. */
  public static String machines(String project) {
    return account("default", project);
  }

  /** What functions run as. */
  public static String functions(String project) {
    return account("functions", project);
  }

  /** What machines of one's own speak as when no account is named. */
  private static String own(String project) {
    return account("own-machine", project);
  }

  private static String account(String name, String project) {
    return name + "@" + project + ".iam.gserviceaccount.com";
  }
}

package dev.mayfly.local.access;

import dev.mayfly.functions.handler.AllowedAccounts;
import java.util.Set;

/** The predefined service accounts of a laptop cloud. */
public final class LocalAccounts {
  private LocalAccounts() {}

  public static AllowedAccounts of(String project) {
    return new AllowedAccounts(machines(project), functions(project), Set.of(own(project)));
  }

  /** The account of machines whose order names none. */
  public static String machines(String project) {
    return account("default", project);
  }

  /** The account of functions. */
  public static String functions(String project) {
    return account("functions", project);
  }

  /** The account that tasks with the right to submit jobs act as. */
  public static String taskSubmitter(String project) {
    return account("mayfly-task-submitter", project);
  }

  /** The account of static workers that name none. */
  private static String own(String project) {
    return account("own-machine", project);
  }

  private static String account(String name, String project) {
    return name + "@" + project + ".iam.gserviceaccount.com";
  }
}

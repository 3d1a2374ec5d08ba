package dev.mayfly.functions.handler;

import java.util.Set;

/**
 * Accounts that may call {@code workers}, by the email in the identity token. All others are
 * rejected, even if IAM admits them.
 *
 * @param agent the account of every machine
 * @param autoscale may start a liveness watch
 * @param own the accounts that static workers act as
 */
public record AllowedAccounts(String agent, String autoscale, Set<String> own) {
  public AllowedAccounts {
    own = Set.copyOf(own);
  }
}

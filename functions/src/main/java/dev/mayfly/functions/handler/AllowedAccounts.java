package dev.mayfly.functions.handler;

import java.util.Set;

/**
 * Who may call {@code workers}, by the e-mail in the identity token. No other account may, whatever
 * IAM lets in.
 *
 * @param agent what every machine runs as
 * @param autoscale has silence judged
 * @param own what machines of one's own speak as
 */
public record AllowedAccounts(String agent, String autoscale, Set<String> own) {
  public AllowedAccounts {
    own = Set.copyOf(own);
  }
}

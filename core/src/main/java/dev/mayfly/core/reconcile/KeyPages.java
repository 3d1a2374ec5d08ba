package dev.mayfly.core.reconcile;

import java.util.ArrayList;
import java.util.List;

/** Splits keys into lists short enough for {@link dev.mayfly.core.port.Ledger#readAll}. */
public final class KeyPages {
  private static final int MAX_KEYS = 500;

  private KeyPages() {}

  public static <K> List<List<K>> of(List<K> keys) {
    var pages = new ArrayList<List<K>>();
    for (var from = 0; from < keys.size(); from += MAX_KEYS)
      pages.add(keys.subList(from, Math.min(keys.size(), from + MAX_KEYS)));
    return pages;
  }
}

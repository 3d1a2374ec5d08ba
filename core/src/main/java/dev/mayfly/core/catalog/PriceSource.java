package dev.mayfly.core.catalog;

import java.time.YearMonth;
import java.time.format.TextStyle;
import java.util.Locale;

/**
 * Where a price was read.
 *
 * @param id its short name in the tables, with the month at its end: {@code billing-2026-07}
 * @param page a page, or a repository at a commit
 * @param month when the price was so
 */
public record PriceSource(String id, String page, YearMonth month) {
  /** The month in words: {@code July 2026}. */
  public String monthInWords() {
    return month.getMonth().getDisplayName(TextStyle.FULL, Locale.ENGLISH) + " " + month.getYear();
  }
}

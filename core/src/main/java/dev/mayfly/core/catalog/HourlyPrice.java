package dev.mayfly.core.catalog;

/**
 * What a machine or a part of it costs an hour: an estimate for people, without discounts, taxes
 * and network.
 *
 * @param usd in US dollars, to six digits after the point
 * @param region where it was so; it differs between regions
 */
public record HourlyPrice(double usd, String region, PriceSource source) {
  public HourlyPrice {
    usd = Math.round(usd * 1e6) / 1e6;
  }

  /** With a part on top, such as GPUs; its source is the older of the two. */
  public HourlyPrice plus(HourlyPrice part) {
    var older = source.month().isAfter(part.source.month()) ? part.source : source;
    return new HourlyPrice(usd + part.usd, region, older);
  }

  HourlyPrice times(int n) {
    return new HourlyPrice(usd * n, region, source);
  }
}

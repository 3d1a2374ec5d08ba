package dev.mayfly.bench;

/**
 * Google's list prices in US dollars, without free tiers and discounts, as of November 2026; check
 * them before you plan with them. All prices in the cost table come from here.
 *
 * <p>Firestore: {@code firebase.google.com/docs/firestore/pricing}, one region of the United States
 * (Oregon); the multi-region there costs twice as much. Functions: {@code
 * cloud.google.com/run/pricing}, tier 1, billed for requests; an instance is billed while it has at
 * least one. Pub/Sub: {@code cloud.google.com/pubsub/pricing}, at least 1 kB a message, published
 * and delivered. Cloud Storage: {@code cloud.google.com/storage/pricing}, operations of standard
 * storage in one region. Scheduler: {@code cloud.google.com/scheduler/pricing}. Logs: {@code
 * cloud.google.com/stackdriver/pricing}.
 */
final class ListPrices {
  static final String DATE = "November 2026";

  static final double READ = 0.03 / 100_000;
  static final double WRITE = 0.09 / 100_000;
  static final double DELETE = 0.01 / 100_000;

  /** The ledger's price in the multi-region, as a multiple of one region's. */
  static final double MULTI_REGION = 2;

  static final double VCPU_SECOND = 0.000_024;
  static final double GIB_SECOND = 0.000_002_5;
  static final double REQUEST = 0.40 / 1_000_000;

  static final double MESSAGE_KB = 40.0 / (1L << 30);

  /** A GiB of logs, beyond 50 a month that are free. */
  static final double LOGS_GIB = 0.50;

  /** What Cloud Run writes of a request, in bytes: an estimate, 1 to 1.4 kB. */
  static final double REQUEST_LOG_BYTES = 1_200;

  static final double OBJECT_CLASS_A = 0.005 / 1_000;
  static final double OBJECT_CLASS_B = 0.0004 / 1_000;

  private ListPrices() {}
}

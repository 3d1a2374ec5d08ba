/**
 * Pub/Sub's publishing calls, and the pushing of what was published to the control plane.
 *
 * <p>Start at PubSubApi. A message is on the disk before its publisher gets a reply (MessageLog),
 * and is pushed until the receiver takes it (MessagePusher): at least once, in no order.
 */
@NullMarked
package dev.mayfly.local.pubsub;

import org.jspecify.annotations.NullMarked;

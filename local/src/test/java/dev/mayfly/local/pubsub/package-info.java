/**
 * Pub/Sub's publishing calls, and the push of published messages to the control plane.
 *
 * <p>Start at PubSubApi. A message is durable before its publisher gets a reply (MessageLog), and
 * is pushed until the receiver accepts it (MessagePusher): at least once, in no order.
 */
@NullMarked
package dev.mayfly.local.pubsub;

import org.jspecify.annotations.NullMarked;

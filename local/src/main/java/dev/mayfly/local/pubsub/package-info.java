/**
 * Pub/Sub's publishing calls, and the push of published messages to the control plane.
 *
 * <p>Start at {@link dev.mayfly.local.pubsub.PubSubApi}. A message is durable before its publisher
 * gets a reply ({@link dev.mayfly.local.pubsub.MessageLog}), and is pushed until the receiver
 * accepts it ({@link dev.mayfly.local.pubsub.MessagePusher}): at least once, in no order.
 */
@NullMarked
package dev.mayfly.local.pubsub;

import org.jspecify.annotations.NullMarked;

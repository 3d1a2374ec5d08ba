/**
 * Pub/Sub's publishing calls, and the pushing of what was published to the control plane.
 *
 * <p>Start at {@link dev.mayfly.local.pubsub.PubSubApi}. A message is on the disk before its
 * publisher gets a reply ({@link dev.mayfly.local.pubsub.MessageLog}), and is pushed until the
 * receiver takes it ({@link dev.mayfly.local.pubsub.MessagePusher}): at least once, in no order.
 */
@NullMarked
package dev.mayfly.local.pubsub;

import org.jspecify.annotations.NullMarked;

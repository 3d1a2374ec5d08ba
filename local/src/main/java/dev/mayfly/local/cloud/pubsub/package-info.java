/**
 * Pub/Sub's publishing side, and the pushing of what was published to the control plane.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.pubsub.PubSubSurface}. A message is on the disk
 * before its publisher hears of it ({@link dev.mayfly.local.cloud.pubsub.Journal}), and is pushed
 * until the receiver takes it ({@link dev.mayfly.local.cloud.pubsub.Pusher}): at least once, in no
 * order.
 */
@NullMarked
package dev.mayfly.local.cloud.pubsub;

import org.jspecify.annotations.NullMarked;

/**
 * Hints to Mayfly's own functions, over Pub/Sub.
 *
 * <p>Start with {@link dev.mayfly.gcp.pubsub.PubSub}, the one public way in. It publishes single
 * messages by the client's stub and not by its batching publisher: a function sends one hint and
 * ends, so that a batch would only add its delay and its threads.
 */
@NullMarked
package dev.mayfly.gcp.pubsub;

import org.jspecify.annotations.NullMarked;

/**
 * Posts notifications to a cluster's webhook.
 *
 * <p>Start with {@link dev.mayfly.functions.webhook.WebhookDelivery}.
 */
@NullMarked
package dev.mayfly.functions.webhook;

import org.jspecify.annotations.NullMarked;

/**
 * Secret Manager, for agents and for the function that calls webhooks.
 *
 * <p>Start with {@link dev.mayfly.gcs.secrets.CloudSecrets}.
 */
@NullMarked
package dev.mayfly.gcs.secrets;

import org.jspecify.annotations.NullMarked;

/**
 * Secret Manager's store, and the part of its REST interface that machines and people use.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.secrets.SecretStore}; {@link
 * dev.mayfly.local.cloud.secrets.SecretsSurface} serves it.
 */
@NullMarked
package dev.mayfly.local.cloud.secrets;

import org.jspecify.annotations.NullMarked;

/**
 * Secret Manager and IAM Credentials: the REST calls for secrets and identity tokens.
 *
 * <p>Start at {@link dev.mayfly.local.secrets.SecretManagerApi}, which serves {@link
 * dev.mayfly.local.secrets.SecretStore}.
 */
@NullMarked
package dev.mayfly.local.secrets;

import org.jspecify.annotations.NullMarked;

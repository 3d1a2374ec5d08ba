/**
 * Secret Manager and IAM Credentials: the REST calls for secrets and identity tokens.
 *
 * <p>Start at SecretManagerApi, which serves SecretStore.
 */
@NullMarked
package dev.mayfly.local.secrets;

import org.jspecify.annotations.NullMarked;

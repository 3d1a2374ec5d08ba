/**
 * Tokens that prove who this machine is, the secrets that it may read, and how they are kept out of
 * texts.
 *
 * <p>Start with {@link dev.mayfly.agent.credentials.IdentityTokenCache} and {@link
 * dev.mayfly.agent.credentials.GoogleSecrets}.
 */
@NullMarked
package dev.mayfly.agent.credentials;

import org.jspecify.annotations.NullMarked;

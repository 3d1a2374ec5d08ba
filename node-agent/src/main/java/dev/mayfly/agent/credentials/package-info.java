/**
 * The machine's identity and access tokens, the secrets that it may read, and their redaction in
 * texts.
 *
 * <p>Start with {@link dev.mayfly.agent.credentials.IdentityTokenCache} and {@link
 * dev.mayfly.agent.credentials.GoogleSecrets}.
 */
@NullMarked
package dev.mayfly.agent.credentials;

import org.jspecify.annotations.NullMarked;

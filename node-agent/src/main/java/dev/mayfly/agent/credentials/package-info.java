/**
 * The machine's identity and access tokens, and the redaction of secrets in texts.
 *
 * <p>Start with {@link dev.mayfly.agent.credentials.IdentityTokenCache}.
 */
@NullMarked
package dev.mayfly.agent.credentials;

import org.jspecify.annotations.NullMarked;

/**
 * One HTTP port on loopback for every simulated API.
 *
 * <p>Start with {@link dev.mayfly.local.cloud.http.LoopbackServer}; an API is a {@link
 * dev.mayfly.local.cloud.http.Route}. A {@link dev.mayfly.local.cloud.http.Gate} may spoil a call
 * on its way, as a network does.
 *
 * <p><b>Rule:</b> nothing here knows an API; it imports no other package of Mayfly.
 */
@NullMarked
package dev.mayfly.local.cloud.http;

import org.jspecify.annotations.NullMarked;

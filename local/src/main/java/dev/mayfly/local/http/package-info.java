/**
 * The HTTP server on loopback and the shared parts of all simulated APIs: routes, parameters,
 * errors and injected faults.
 *
 * <p>Start at {@link dev.mayfly.local.http.Route}, one API at one path: it answers a {@link
 * dev.mayfly.local.http.RestCall} with its result or an {@link dev.mayfly.local.http.ApiError};
 * {@link dev.mayfly.local.http.LoopbackServer} serves routes. {@link
 * dev.mayfly.local.http.GrpcReply} and {@link dev.mayfly.local.http.FaultInterceptor} are the
 * counterparts for gRPC.
 */
@NullMarked
package dev.mayfly.local.http;

import org.jspecify.annotations.NullMarked;

/**
 * Calls to a control plane, a laptop cloud and Google: {@link
 * dev.mayfly.cli.client.DocumentPublisher} publishes, {@link dev.mayfly.cli.client.ApiClient}
 * reads, and {@link dev.mayfly.cli.client.ConditionPoller} waits for an effect.
 *
 * <p>Start with {@link dev.mayfly.cli.client.DeploymentEndpoints}; no Google client library is
 * named here, apart from the login, so that a command that touches no object loads none.
 */
@NullMarked
package dev.mayfly.cli.client;

import org.jspecify.annotations.NullMarked;

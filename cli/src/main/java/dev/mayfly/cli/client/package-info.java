/**
 * Calls to a control plane, a laptop cloud and Google: {@link
 * dev.mayfly.cli.client.DocumentPublisher} publishes, {@link dev.mayfly.cli.client.ApiClient}
 * reads, and {@link dev.mayfly.cli.client.ConditionPoller} waits for an effect.
 *
 * <p>Start with {@link dev.mayfly.cli.client.DeploymentEndpoints}; this package uses no Google
 * client library except for the login, so that commands without objects load none.
 */
@NullMarked
package dev.mayfly.cli.client;

import org.jspecify.annotations.NullMarked;

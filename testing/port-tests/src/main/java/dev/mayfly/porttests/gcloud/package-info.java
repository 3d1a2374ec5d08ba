/**
 * The real {@code gcloud}, for tests of what it speaks to: {@link
 * dev.mayfly.porttests.gcloud.GcloudCommand} runs it.
 */
@NullMarked
package dev.mayfly.porttests.gcloud;

import org.jspecify.annotations.NullMarked;

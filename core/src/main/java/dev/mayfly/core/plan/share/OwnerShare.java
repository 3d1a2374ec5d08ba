package dev.mayfly.core.plan.share;

/**
 * What one of several owners has of what they share.
 *
 * @param owner empty for jobs without one
 * @param weight how many shares are theirs
 * @param running how many tasks run
 */
public record OwnerShare(String owner, double weight, long running) {}

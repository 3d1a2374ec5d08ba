package dev.mayfly.core.model.worker;

/**
 * Why a worker ends.
 *
 * @param text for people; it becomes the evidence of attempts that are ended for it
 */
public record DrainReason(DrainCause cause, String text) {}

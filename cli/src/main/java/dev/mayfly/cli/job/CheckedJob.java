package dev.mayfly.cli.job;

import dev.mayfly.core.query.ClusterStatus;
import dev.mayfly.wire.ParsedDocument;

/** A validated job and its cluster. */
record CheckedJob(ParsedDocument document, ClusterStatus cluster) {}

// Which way a metric is better: guessed by its name, or as the address says.
import { isCount } from './format.js';

/** Of metrics that are called like this, less is better; of those like that, more. */
const LESS = /loss|error|perplexity|regret|latency|seconds|(^|[^a-z])(mae|mse|rmse|nll|wer|cer|fid|ppl|eer|brier)([^a-z]|$)/i;
const MORE = /acc|per_?sec|throughput|score|reward|return|precision|recall|bleu|rouge|psnr|ssim|iou|(^|[^a-z])(auc|auroc|map|f1|r2)([^a-z]|$)/i;

const ENDS = { low: 'lowest', high: 'highest' };

/**
 * @param best the address's word for it: `low`, `high` or nothing
 * @returns whether the lowest is best, in words with where that is known from, and the word of an address that is none
 */
export function directionOf(metric, best = '') {
  const chosen = best in ENDS ? best : undefined, guess = !MORE.test(metric) && LESS.test(metric) ? 'low' : 'high', end = chosen ?? guess;
  const known = MORE.test(metric) || LESS.test(metric);
  const from = chosen ? `as chosen${chosen === guess ? '' : `; its name lets one guess the ${ENDS[guess]}`}` : known ? 'guessed by its name' : 'assumed: its name does not tell';
  return { low: end === 'low', end, other: end === 'low' ? 'high' : 'low', said: `${ENDS[end]} is best, ${from}`, turned: `the ${ENDS[end === 'low' ? 'high' : 'low']} is best`,
    wrong: best && !chosen ? best : undefined };
}

/** The metrics that something can be best by: what counts steps is none, unless there are no others. */
export const rankable = (metrics) => metrics.filter((it) => !isCount(it));

const same = (a, b) => a === b || Math.abs(a - b) <= 1e-12 * Math.max(Math.abs(a), Math.abs(b));

/**
 * Those with the best value, several of which tie; none where fewer than two have a value.
 *
 * @param value of one, if it has a value
 */
export function bestOf(all, value, low) {
  const known = all.filter((it) => value(it) !== undefined);
  if (known.length < 2) return [];
  const best = known.map(value).reduce((a, b) => (low ? Math.min(a, b) : Math.max(a, b)));
  return known.filter((it) => same(value(it), best));
}

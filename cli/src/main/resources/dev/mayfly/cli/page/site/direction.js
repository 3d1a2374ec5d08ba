// Which way a metric is better: guessed by its name, or as the address says.
import { isCount } from './format.js';

/** Of metrics that are called like this, less is better; of those like that, more. */
const LESS = /loss|error|perplexity|regret|latency|seconds|(^|[^a-z])(mae|mse|rmse|nll|wer|cer|fid|ppl|eer|brier)([^a-z]|$)/i;
const MORE = /acc|per_?sec|throughput|score|reward|return|precision|recall|bleu|rouge|psnr|ssim|iou|(^|[^a-z])(auc|auroc|map|f1|r2)([^a-z]|$)/i;

const ENDS = { low: 'lowest', high: 'highest' };

/** Whether the name of a metric tells which way it is better. */
const tells = (metric) => MORE.test(metric) || LESS.test(metric);

/**
 * @param best the address's word for it: `low`, `high` or nothing
 * @returns whether the lowest is best, in words with where that is known from, and the word of an address that is none; where
 *   nothing tells it, it is `unknown`, and nothing is best by it
 */
export function directionOf(metric, best = '') {
  const chosen = best in ENDS ? best : undefined, guess = !MORE.test(metric) && LESS.test(metric) ? 'low' : 'high', end = chosen ?? guess;
  const known = tells(metric), unknown = !chosen && !known;
  const from = chosen ? `as chosen${chosen === guess || !known ? '' : `; its name lets one guess the ${ENDS[guess]}`}` : 'guessed by its name';
  return { low: end === 'low', end, unknown, other: end === 'low' ? 'high' : 'low', said: unknown ? 'its name does not tell which end of it is best' : `${ENDS[end]} is best, ${from}`,
    turned: `the ${ENDS[end === 'low' ? 'high' : 'low']} is best`, wrong: best && !chosen ? best : undefined };
}

/** The metrics that something can be best by: what counts steps is none, unless there are no others. */
export const rankable = (metrics) => metrics.filter((it) => !isCount(it));

/** The metric that is seen where none is asked for: the first whose name tells which way it is better, else the first that something can be best by. */
export const foremost = (metrics) => rankable(metrics).find(tells) ?? rankable(metrics)[0];

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

/** So many standard errors of a difference are more than noise, as about 19 of 20 such differences are less by chance. */
const NOISE = 2;

const errorOf = ({ sd, n }) => (sd === undefined ? undefined : sd / Math.sqrt(n));

/**
 * How far one is ahead of the next, if it alone is best and another has a value.
 *
 * @param spreadOf mean, sd and n of one, as `spread` has them
 * @returns the next, by how much and by how many standard errors of the difference, which are not known of one value each;
 *   and how many others are not further away than noise
 */
export function leadOf(best, all, spreadOf) {
  if (best.length !== 1) return undefined;
  const first = spreadOf(best[0]), far = (it) => Math.abs(first.mean - it.mean);
  const others = all.filter((it) => it !== best[0]).map((it) => [it, spreadOf(it)]).filter(([, it]) => it.mean !== undefined).sort(([, a], [, b]) => far(a) - far(b));
  if (!others.length) return undefined;
  const errors = (it) => (errorOf(first) === undefined || errorOf(it) === undefined ? undefined : far(it) / Math.hypot(errorOf(first), errorOf(it)));
  return { next: others[0][0], by: far(others[0][1]), errors: errors(others[0][1]), alike: others.filter(([, it]) => errors(it) < NOISE).length };
}

// Draws the timeline's canvas: bars that are thinner than a few pixels and touch are one, so that a million cost no more
// than a width.
import { within } from './format.js';
import { firstAfter, placesOf, step } from './spans.js';

export const ROW = 22;
const AXIS = 24, THIN = 4, INSET = 4, NEAR = 1.5;

/** The width of the names; less of a narrow window. */
export const leftOf = (width) => (width < 560 ? 104 : 150);

/** In this order, so that what went wrong is over what went well. */
const RUNS = ['task', 'kept', 'done', 'running', 'killed', 'lost', 'failed'];
const KINDS = ['boot', 'idle', 'free', 'unknown', 'silent', 'ending', 'taken', 'wait', ...RUNS];

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function axis(c, { view, width, height, left, x }) {
  const every = step(view.to - view.from, Math.max(2, (width - left) / 110)), long = view.to - view.from > 2 * 86_400_000;
  c.strokeStyle = colour('--line');
  c.fillStyle = colour('--faint');
  for (let t = Math.ceil(view.from / every) * every; t < view.to; t += every) {
    const at = Math.round(x(t)) + 0.5;
    c.beginPath(), c.moveTo(at, 0), c.lineTo(at, height - AXIS), c.stroke();
    const when = new Date(t), text = long ? when.toLocaleDateString('en-GB', { day: 'numeric', month: 'short', ...within })
      : when.toLocaleTimeString('en-GB', every < 60_000 ? within : { hour: '2-digit', minute: '2-digit', ...within });
    // The last one is not cut.
    const wide = c.measureText(text).width;
    c.fillText(text, Math.min(at - wide / 2, width - wide - 2), height - 7);
  }
}

function under(c, spans, y, { x, width, left, now, colours }) {
  for (const it of spans) {
    const from = Math.max(left, x(it.from)), to = Math.min(width, x(it.open ? now : it.to));
    if (to < left || from > width) continue;
    c.fillStyle = colours[it.kind];
    c.fillRect(from, y + INSET, Math.max(1, to - from), ROW - 2 * INSET);
  }
}

/** Where the lanes of a row are, and how high. */
const lanePlaces = (row) => placesOf(row.lanes).map(({ from, high }) => ({ top: INSET + from * (ROW - 2 * INSET), high: high * (ROW - 2 * INSET) }));

/** Bars of one kind, none of which overlap; returns how many rectangles that took. */
function bars(c, spans, y, height, { x, at, view, width, left, now }) {
  const end = (it) => Math.min(width, x(it.open ? now : it.to));
  let drawn = 0, i = firstAfter(spans, view.from);
  while (i < spans.length && spans[i].from < view.to) {
    const from = Math.max(left, x(spans[i].from));
    let to = Math.max(from + 1, end(spans[i])), next = i + 1;
    if (to - from < THIN) {
      // What ends within the same pixel is passed over at once.
      for (next = firstAfter(spans, at(to), next); next < spans.length; next = firstAfter(spans, at(to), next + 1)) {
        const begin = x(spans[next].from), stop = end(spans[next]);
        if (begin > to + 0.5 || stop - begin >= THIN || begin > width) break;
        to = Math.max(to, stop);
      }
      c.fillRect(from, y, to - from, height);
    } else c.fillRect(from, y, to - from - 1, height);
    drawn++, i = next;
  }
  return drawn;
}

function marks(c, all, y, x, width, left, ink) {
  c.fillStyle = ink;
  let last = -9;
  for (const it of all) {
    const at = x(it.at);
    if (at < left || at > width || Math.abs(at - last) < 2) continue;
    last = at;
    c.beginPath(), c.moveTo(at, y + 2), c.lineTo(at + 4, y - 3), c.lineTo(at - 4, y - 3), c.fill();
  }
}

/** The span at a height within a row, at a time: what lies there, or a hair beside it; its edges are of the lanes there. */
export function spanAt(row, y, time, now) {
  const places = lanePlaces(row), height = Math.max(INSET, Math.min(ROW - INSET - 0.01, y)), there = (it) => it && it.from <= time && time <= (it.open ? now : it.to);
  const near = row.lanes.map((lane, n) => [lane.all[firstAfter(lane.all, time)], Math.max(0, places[n].top - height, height - places[n].top - places[n].high)]).filter(([it, far]) => there(it) && far <= NEAR);
  return near.length ? near.reduce((a, b) => (b[1] <= a[1] ? b : a))[0] : [...row.spans].reverse().find(there);
}

export function draw(canvas, { rows, view, width, height, top, now }) {
  const dense = window.devicePixelRatio || 1, c = canvas.getContext('2d'), left = leftOf(width), most = Math.floor(left / 7);
  canvas.width = width * dense, canvas.height = height * dense;
  canvas.style.width = width + 'px', canvas.style.height = height + 'px';
  c.scale(dense, dense);
  c.clearRect(0, 0, width, height);
  c.font = '12px system-ui, sans-serif';
  const x = (t) => left + ((t - view.from) / (view.to - view.from)) * (width - left), at = (px) => view.from + ((px - left) / (width - left)) * (view.to - view.from);
  axis(c, { view, width, height, left, x });
  const colours = Object.fromEntries(KINDS.map((it) => [it, colour('--' + it)])), bad = colour('--bad'), plain = colour('--faint'), place = { x, at, view, width, left, now, colours };
  let drawn = 0;
  c.save(), c.beginPath(), c.rect(0, 0, width, height - AXIS), c.clip();
  for (let i = Math.floor(top / ROW); i < rows.length && i * ROW - top < height; i++) {
    const row = rows[i], y = i * ROW - top, places = lanePlaces(row);
    under(c, row.spans, y, place);
    for (const kind of RUNS) {
      c.fillStyle = colours[kind];
      row.lanes.forEach((lane, n) => lane.byKind.has(kind) && (drawn += bars(c, lane.byKind.get(kind), y + Math.min(places[n].top, ROW - INSET - 1), Math.max(1, places[n].high - (places[n].high >= 3 ? 1 : 0)), place)));
    }
    // What was given back is under what was lost or taken.
    marks(c, row.marks.filter((it) => /gone|drain|ended/.test(it.what)), y + 4, x, width, left, plain);
    marks(c, row.marks.filter((it) => /preempt|lost|unfit/.test(it.what)), y + 4, x, width, left, bad);
    c.fillStyle = row.faint ? colour('--faint') : colour('--ink');
    c.fillText(row.name.length > most ? row.name.slice(0, most - 1) + '…' : row.name, 4, y + 15);
  }
  c.strokeStyle = colour('--accent');
  c.beginPath(), c.moveTo(x(now), 0), c.lineTo(x(now), height - AXIS);
  if (x(now) > left && x(now) < width) c.stroke();
  c.restore();
  // What it shows, in numbers, for who cannot look at pixels.
  Object.assign(canvas.dataset, { bars: drawn, from: Math.round(view.from), to: Math.round(view.to) });
}

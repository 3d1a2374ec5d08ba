// Draws the timeline's canvas; of bars that share a pixel the first is drawn, so that a million cost no more than a width.
import { step } from './spans.js';

export const ROW = 22;
export const LEFT = 150;
const AXIS = 24;

const colour = (name) => getComputedStyle(document.documentElement).getPropertyValue(name).trim();

function axis(c, { view, width, height, x }) {
  const every = step(view.to - view.from, Math.max(2, (width - LEFT) / 110)), long = view.to - view.from > 2 * 86_400_000;
  c.strokeStyle = colour('--line');
  c.fillStyle = colour('--faint');
  for (let t = Math.ceil(view.from / every) * every; t < view.to; t += every) {
    const at = Math.round(x(t)) + 0.5;
    c.beginPath(), c.moveTo(at, 0), c.lineTo(at, height - AXIS), c.stroke();
    const when = new Date(t), text = long ? when.toLocaleDateString('en-GB', { day: 'numeric', month: 'short' })
      : when.toLocaleTimeString('en-GB', every < 60_000 ? {} : { hour: '2-digit', minute: '2-digit' });
    c.fillText(text, at - c.measureText(text).width / 2, height - 7);
  }
}

function bars(c, spans, y, x, width, colours, now) {
  const last = {};
  for (const it of spans) {
    const from = Math.max(LEFT, x(it.from)), to = Math.min(width, x(it.open ? now : it.to));
    if (to < LEFT || from > width) continue;
    if (to - from < 1 && last[it.kind] !== undefined && from - last[it.kind] < 1) continue;
    last[it.kind] = to;
    const thin = it.kind === 'task' ? 3 : it.kind === 'unknown' ? 8 : 5;
    c.fillStyle = colours[it.kind];
    c.fillRect(from, y + thin, Math.max(1, to - from - (it.kind === 'task' && to - from > 3 ? 1 : 0)), ROW - 2 * thin);
  }
}

function marks(c, all, y, x, width, ink) {
  c.fillStyle = ink;
  let last = -9;
  for (const it of all) {
    const at = x(it.at);
    if (at < LEFT || at > width || Math.abs(at - last) < 2 || !/preempt|lost|unfit|gone|drain/.test(it.what)) continue;
    last = at;
    c.beginPath(), c.moveTo(at, y + 2), c.lineTo(at + 4, y - 3), c.lineTo(at - 4, y - 3), c.fill();
  }
}

export function draw(canvas, { model, view, width, height, top, now }) {
  const dense = window.devicePixelRatio || 1, c = canvas.getContext('2d');
  canvas.width = width * dense, canvas.height = height * dense;
  canvas.style.width = width + 'px', canvas.style.height = height + 'px';
  c.scale(dense, dense);
  c.clearRect(0, 0, width, height);
  c.font = '12px system-ui, sans-serif';
  const x = (t) => LEFT + ((t - view.from) / (view.to - view.from)) * (width - LEFT);
  axis(c, { view, width, height, x });
  const colours = Object.fromEntries(['boot', 'task', 'idle', 'unknown', 'ending'].map((it) => [it, colour('--' + it)]));
  c.save(), c.beginPath(), c.rect(0, 0, width, height - AXIS), c.clip();
  for (let i = Math.floor(top / ROW); i < model.length && i * ROW - top < height; i++) {
    const { worker, spans, marks: all } = model[i], y = i * ROW - top;
    bars(c, spans, y, x, width, colours, now);
    marks(c, all, y + 4, x, width, colour('--bad'));
    c.fillStyle = worker.state === 'gone' ? colour('--faint') : colour('--ink');
    c.fillText(worker.name.length > 21 ? worker.name.slice(0, 20) + '…' : worker.name, 4, y + 15);
  }
  c.strokeStyle = colour('--accent');
  c.beginPath(), c.moveTo(x(now), 0), c.lineTo(x(now), height - AXIS);
  if (x(now) > LEFT) c.stroke();
  c.restore();
}

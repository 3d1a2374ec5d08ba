// What tasks print, as it comes, in the colours of terminals.
import { parse } from './json.js';
import { headers } from './key.js';
import { html, useState, useEffect, useRef, useLayoutEffect, useMemo } from './vendor/htm-preact.js';
import { createAnsiSequenceParser } from './vendor/ansi-sequence-parser.js';
import { count } from './format.js';
import { mayCome, Problem } from './api.js';
import { address, exported, simulation } from './exported.js';
import { Search, Trouble } from './parts.js';
import { Command } from './copy.js';

const MOST = 20_000, LONGEST = 4_000, HEIGHT = 20, SPARE = 30;

// All that terminals obey, colours apart: titles, links, moves.
const MOVES = /\u001b\][^\u0007\u001b]*(?:\u0007|\u001b\\)|\u001b\[[0-9;?<=>]*[A-Za-ln-z@`]|\u001b[()][0-9A-B]|\u001b[=>78cDEHM]|[\u0000-\u0008\u000b\u000c\u000e-\u001a\u007f]/g;

/** What a terminal would show of a line in the end: a progress bar writes over itself. */
const shown = (text) => text.replace(MOVES, '').split('\r').filter((it) => it.trim()).at(-1)?.slice(0, LONGEST) ?? '';

const label = (line, alone) => {
  const parts = [...(alone ? [] : [line.task]), ...(line.repeated ? [line.attempt.replace(/^setup-/, '')] : []),
    ...(line.rank === undefined ? [] : ['r' + line.rank]), ...(line.attempt.startsWith('setup-') ? ['setup'] : [])];
  return parts.length ? `[${parts.join('/')}] ` : '';
};

/** Reads lines of JSON until they end, and hands them on in bundles. */
async function follow(path, signal, use) {
  const reply = await fetch(path, { headers: await headers(), signal });
  if (!reply.ok) throw new Problem(reply.status, (await reply.json()).error);
  const reader = reply.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const { done, value } = await reader.read();
    const lines = (rest + (value ?? '')).split('\n');
    rest = done ? '' : lines.pop();
    const read = lines.filter(Boolean).map((it) => parse(it));
    if (read.length) use(read);
    if (done) return;
  }
}

function useLines(job, index) {
  const [state, setState] = useState({ lines: [], notes: [], dropped: 0, live: true });
  useEffect(() => {
    const stop = new AbortController();
    let timer;
    const path = '/logs/' + [job.cluster, job.uid, ...(index === undefined ? [] : [index])].map(encodeURIComponent).join('/');
    const run = async () => {
      setState({ lines: [], notes: [], dropped: 0, live: true });
      try {
        await follow(path, stop.signal, (read) => setState((old) => {
          const notes = old.notes.concat(read.flatMap((it) => it.note ?? []));
          const lines = old.lines.concat(read.filter((it) => it.note === undefined).map((it) => ({ ...it, text: shown(it.text) }))), over = Math.max(0, lines.length - MOST);
          return { ...old, problem: undefined, notes, lines: over ? lines.slice(over) : lines, dropped: old.dropped + over };
        }));
        setState((old) => ({ ...old, live: false }));
      } catch (problem) {
        if (stop.signal.aborted) return;
        const said = problem instanceof Problem ? problem : new Problem(0, 'the connection to mayfly ui ended');
        if (!mayCome(said)) return setState((old) => ({ ...old, problem: said, retryAt: undefined, again: run, live: false }));
        setState((old) => ({ ...old, problem: said, retryAt: Date.now() + 5_000 }));
        timer = setTimeout(run, 5_000);
      }
    };
    run();
    return () => {
      stop.abort();
      clearTimeout(timer);
    };
  }, [job.cluster, job.uid, index]);
  return state;
}

const NAMED = ['black', 'red', 'green', 'yellow', 'blue', 'magenta', 'cyan', 'white'];

/** One of 256 colours as its three parts; the first sixteen have names. */
function table(n) {
  if (n >= 232) return Array(3).fill(8 + (n - 232) * 10);
  return [Math.floor((n - 16) / 36), Math.floor((n - 16) / 6) % 6, (n - 16) % 6].map((it) => (it ? 55 + it * 40 : 0));
}

/** The paper of a log, and the least contrast of what is read on it. */
const PAPER = [20, 23, 26], CONTRAST = 4.5;

const bright = (rgb) => rgb.map((it) => it / 255).map((it) => (it <= 0.04045 ? it / 12.92 : ((it + 0.055) / 1.055) ** 2.4)).reduce((sum, it, i) => sum + it * [0.2126, 0.7152, 0.0722][i], 0);

const contrast = (a, b) => (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);

/** A colour as near to what was asked for as is readable on its ground: towards white on a dark one, else towards black. */
function readable(rgb, ground = PAPER) {
  const paper = bright(ground), end = paper < 0.18 ? 255 : 0;
  for (let part = 0; part <= 1; part += 0.1) {
    const found = rgb.map((it) => Math.round(it + (end - it) * part));
    if (contrast(bright(found), paper) >= CONTRAST) return found;
  }
  return Array(3).fill(end);
}

const rgbOf = (colour) => (colour.type === 'rgb' ? colour.rgb : table(colour.index));

function indexOf(colour) {
  return colour.type === 'table' ? colour.index : colour.type === 'named' ? NAMED.indexOf(colour.name.replace('bright', '').toLowerCase()) : 99;
}

function paint(colour, kind, classes, style, ground) {
  if (!colour) return;
  const index = indexOf(colour);
  if (index < 16) classes.push(`${kind}-${NAMED[index % 8]}`);
  else style[kind === 'fg' ? 'color' : 'backgroundColor'] = `rgb(${(kind === 'fg' ? readable(rgbOf(colour), ground) : rgbOf(colour)).join(',')})`;
}

const Coloured = ({ text }) => createAnsiSequenceParser().parse(text).map((token) => {
  const classes = [...token.decorations], style = {};
  const own = token.background && indexOf(token.background) >= 16 ? rgbOf(token.background) : undefined;
  paint(token.foreground, 'fg', classes, style, own);
  paint(token.background, 'bg', classes, style);
  if (own && !token.foreground) style.color = `rgb(${readable([217, 221, 224], own).join(',')})`;
  return classes.length || Object.keys(style).length ? html`<span class=${classes.join(' ')} style=${style}>${token.value}</span>` : token.value;
});

const plain = (text) => text.replace(/\u001b\[[0-9;]*m/g, '');

/** The log of a job or a task; in a file, how to see it. */
export const Logs = ({ job, index }) => simulation
  ? html`<p class="faint">A simulated task runs no command, and has no log.</p>`
  : exported
  ? html`<p class="faint">Logs are not in this file: <${Command} text=${`mayfly logs ${address()}${index === undefined ? '' : '/' + index} -c ${job.cluster}`} /></p>`
  : html`<${Live} job=${job} index=${index} />`;

function Live({ job, index }) {
  const state = useLines(job, index), box = useRef(), [top, setTop] = useState(0), [height, setHeight] = useState(400);
  const [text, setText] = useState(''), [only, setOnly] = useState(false), [stick, setStick] = useState(true), [hit, setHit] = useState(0);
  const sought = text.toLowerCase(), fits = (it) => plain(it.text).toLowerCase().includes(sought);
  const lines = useMemo(() => (only && sought ? state.lines.filter(fits) : state.lines), [state.lines, only, sought]);
  const hits = useMemo(() => (sought ? lines.flatMap((it, i) => (fits(it) ? [i] : [])) : []), [lines, sought]);
  useLayoutEffect(() => {
    if (stick && box.current) box.current.scrollTop = box.current.scrollHeight;
    if (box.current) setHeight(box.current.clientHeight);
  }, [lines, stick]);
  const show = (n) => {
    // Lines that come meanwhile must not move what was found.
    setStick(false), setHit(n);
    box.current.scrollTop = hits[n] * HEIGHT - height / 2;
  };
  const go = (step) => hits.length && show((hit + step + hits.length) % hits.length);
  // The first is shown as soon as there is one, and Enter goes on from there.
  useLayoutEffect(() => {
    if (hits.length) show(0);
  }, [sought, only, hits.length > 0]);
  const scrolled = (e) => {
    setTop(e.target.scrollTop);
    if (!sought) setStick(e.target.scrollHeight - e.target.scrollTop - e.target.clientHeight < HEIGHT * 2);
  };
  const first = Math.max(0, Math.floor(top / HEIGHT) - SPARE), last = Math.min(lines.length, Math.ceil((top + height) / HEIGHT) + SPARE);
  return html`<div class="bar"><${Search} value=${text} use=${(it) => (setText(it), setHit(0))} onKeyDown=${(e) => e.key === 'Enter' && (e.preventDefault(), go(e.shiftKey ? -1 : 1))} />
      <span role="status">${sought && (hits.length ? `${Math.min(hit + 1, hits.length)} of ${count(hits.length)}` : 'nothing')}</span>
      <span class="faint keys"><kbd>/</kbd> search · <kbd>Enter</kbd> next · <kbd>Shift+Enter</kbd> previous · <kbd>Escape</kbd> clears and leaves</span>
      <label class="check"><input type="checkbox" checked=${only} onChange=${(e) => setOnly(e.target.checked)} /> only these lines</label>
      <label class="check"><input type="checkbox" checked=${stick} onChange=${(e) => setStick(e.target.checked)} /> follow</label>
      <span class="faint">${count(lines.length, 'line')}${state.dropped ? `, ${count(state.dropped)} earlier ones left out` : ''}${state.live ? ' · live' : ' · ended'}</span></div>
    <${Trouble} state=${state} what="The log" />
    ${state.notes.length > 0 && html`<ul class="problems">${state.notes.map((it) => html`<li>${it}</li>`)}</ul>`}
    <div class="log" ref=${box} tabindex="0" role="log" aria-live="off" aria-label="Log" onScroll=${scrolled}>
      ${lines.length === 0 ? html`<p class="faint">${state.live ? 'Nothing has been printed yet; lines come some seconds after they are printed.' : 'It has printed nothing.'}</p>`
        : html`<div class="all" style=${{ height: lines.length * HEIGHT }}>${lines.slice(first, last).map((it, i) => html`<div key=${first + i}
            class=${'row' + (sought && fits(it) ? (hits[hit] === first + i ? ' hit now' : ' hit') : '')} style=${{ transform: `translateY(${(first + i) * HEIGHT}px)` }}><span
            class="source">${label(it, index !== undefined || job.tasks === 1)}</span><${Coloured} text=${it.text} /></div>`)}</div>`}</div>`;
}

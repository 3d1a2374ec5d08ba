// Commands that are told, each with a button that copies it.
import { html, useEffect, useState } from './vendor/htm-preact.js';
import { inZone } from './format.js';

// A command in a sentence: its address and options, and none of the words after it.
const COMMAND = /(mayfly (?:logs|retry|explain|tasks|events|workers|cancel|up|submit|ui)(?: (?:job\/)?[A-Za-z0-9][\w./-]*\d[\w/-]*| [a-z0-9][\w-]*\/[\w./-]+)(?: \d+)?(?: (?:-c|--[a-z-]+) [\w.$/-]*\w)*)/;
// What stands behind a colon to the end is a command as a whole.
const ENDING = /: (mayfly [^:;,]+?)\.?$/;

const SAID_MS = 2_500;

/** Copies a text; what the button says is not in the text around it. */
export function Copy({ text }) {
  const [state, setState] = useState('');
  useEffect(() => {
    if (!state) return undefined;
    const timer = setTimeout(() => setState(''), SAID_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = () => (navigator.clipboard ? navigator.clipboard.writeText(text) : Promise.reject(new Error('no clipboard'))).then(() => setState('copied'), () => setState('refused'));
  return html`<button type="button" class=${'copy ' + state} aria-label=${state === 'copied' ? `copied: ${text}` : state ? `the browser did not allow to copy: ${text}` : `copy: ${text}`} onClick=${copy}></button>`;
}

/** A command to run. */
export const Command = ({ text }) => html`<span class="command"><code>${text}</code><${Copy} text=${text} /></span>`;

/** When something is tried again, which stands behind what may be long. */
const NEXT = /(the next try is in \w+)/;

const Plain = ({ text }) => text.split(NEXT).map((it, i) => (i % 2 ? html`<b class="next">${it}</b>` : it));

/**
 * A sentence, in which commands can be copied and the next try is seen at once; with `ends` also the command that it ends with,
 * whatever its words.
 */
export function Sentence({ text: told, ends = false }) {
  const text = inZone(told);
  const ending = ends && ENDING.exec(text);
  if (ending) return html`${text.slice(0, ending.index + 2)}<${Command} text=${ending[1]} />${text.endsWith('.') ? '.' : ''}`;
  return html`${text.split(COMMAND).map((it, i) => (i % 2 ? html`<${Command} text=${it} />` : html`<${Plain} text=${it} />`))}`;
}

// Commands that are told, each with a button that copies it.
import { html, useEffect, useState } from './vendor/htm-preact.js';

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

/** A sentence, in which commands can be copied; with `ends` also the one that it ends with, whatever its words. */
export function Sentence({ text, ends = false }) {
  const ending = ends && ENDING.exec(text);
  if (ending) return html`${text.slice(0, ending.index + 2)}<${Command} text=${ending[1]} />${text.endsWith('.') ? '.' : ''}`;
  return html`${text.split(COMMAND).map((it, i) => (i % 2 ? html`<${Command} text=${it} />` : it))}`;
}

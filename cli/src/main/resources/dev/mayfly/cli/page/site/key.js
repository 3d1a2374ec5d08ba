// The key with which this page may ask. It is kept for this address and port alone, unlike a cookie, which a browser shows
// to whatever else listens at 127.0.0.1; and each question has it as a header, which no other page can send.
import { exported } from './exported.js';

const NAME = 'mayfly-key';
let here = null;

const stored = () => {
  try {
    return localStorage.getItem(NAME);
  } catch {
    return null; // a browser that keeps nothing asks anew in each tab
  }
};

const keep = (key) => {
  here = key;
  try {
    localStorage.setItem(NAME, key);
  } catch {
    // It is known until this tab ends.
  }
};

/** The printed address has the key; the one that a program opened has a word that is exchanged for it once. */
async function begin() {
  const given = new URLSearchParams(location.search), key = given.get('key'), once = given.get('open');
  if (location.search) history.replaceState(null, '', '/' + location.hash);
  if (key) return keep(key);
  if (!once) return;
  const reply = await fetch('/api/key', { headers: { 'X-Mayfly-Open': once } });
  if (reply.ok) keep((await reply.json()).key);
}

const begun = exported ? undefined : begin().catch(() => undefined); // what is asked next says what is wrong

/** The headers of a question. */
export async function headers() {
  await begun;
  const key = here ?? stored();
  return key ? { 'X-Mayfly-Key': key } : {};
}

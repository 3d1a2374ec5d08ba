// What others wrote is shown as it is, and neither turns what stands beside it around nor takes its names from JavaScript.

const MARKS = '\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069', CODES = '061c|200[ef]|202[a-e]|206[6-9]';
const DIRECTION = new RegExp(`[${MARKS}]|\\\\u(?:${CODES})`, 'i');
const RAW = new RegExp(`[${MARKS}]`, 'g');
// An escape, and no escaped backslash before its letters.
const ESCAPED = new RegExp(`(?<!\\\\)((?:\\\\\\\\)*)\\\\u(${CODES})`, 'gi');

const named = (code) => `‹U+${code.toUpperCase()}›`;

/** With a visible mark for each character that changes the direction of text. */
const visible = (text) => (DIRECTION.test(text)
  ? text.replace(RAW, (it) => named(it.charCodeAt(0).toString(16).padStart(4, '0'))).replace(ESCAPED, (_, before, code) => before + named(code)) : text);

const NAMED_BY_OTHERS = new Set(['metrics', 'variables', 'values', 'labels', 'env']);

/** An object whose names are others': one that it lacks is no method. */
const bare = (key, value) => (NAMED_BY_OTHERS.has(key) && value && typeof value === 'object' && !Array.isArray(value) ? Object.assign(Object.create(null), value) : value);

/** The value of a text of JSON. */
export const parse = (text) => JSON.parse(visible(text), bare);

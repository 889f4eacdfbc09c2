// Keyboard control of the page. Tab moves from a phone to its buttons, arrow keys move between
// phones.

import { find } from './dom.js';
import { choose, phoneOf, visible } from './grid.js';
import { switches } from './phone.js';

/** `press` toggles a switch of a phone; `open` opens the phone's newest notification. */
export function listen(press, open) {
  find('grid').addEventListener('keydown', event => inGrid(event, press, open));
  find('grid').addEventListener('focusin', event => choose(event.target.closest('article')));
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    if (event.key === '/') { event.preventDefault(); find('search').focus(); }
    if (event.key === '?') { event.preventDefault(); find('help').showModal(); }
  });
}

const isTyping = element => /^(input|select|textarea)$/i.test(element.tagName);

function inGrid(event, press, open) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const element = event.target.closest('article');
  if (!element) return;
  const isOnPhone = event.target === element;
  const one = switches.find(one => one.key === event.key);
  if (one) press(element, one.condition);
  else if (event.key === 'Escape' && !isOnPhone) element.focus();
  else if (event.key === 'Enter' && isOnPhone) open(element);
  else if (!step(event.key, element)) return;
  event.preventDefault();
}

function step(key, element) {
  const phones = visible();
  const from = phones.indexOf(element);
  const columns = getComputedStyle(find('grid')).gridTemplateColumns.split(' ').length;
  const to = {
    ArrowRight: from + 1, ArrowLeft: from - 1, ArrowDown: from + columns, ArrowUp: from - columns,
    Home: 0, End: phones.length - 1,
  }[key];
  if (to === undefined) return false;
  const next = phones[Math.max(0, Math.min(to, phones.length - 1))];
  if (next && phoneOf(next)) next.focus();
  return true;
}

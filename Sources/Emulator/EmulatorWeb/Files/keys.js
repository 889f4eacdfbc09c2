// Keyboard control of the page. Tab moves from a phone to its buttons, arrow keys move between
// phones.

import { link } from './address.js';
import { find } from './dom.js';
import { choose, step } from './grid.js';
import { switches } from './phone.js';

const views = ['phones', 'requests', 'send', 'faults', 'settings'];
const fields = { phones: 'search', requests: 'requests-text' };

/** `press` toggles a switch of a phone; `tap` opens its newest notification; `reply` sends to its app server. */
export function listen(press, tap, reply) {
  find('grid').addEventListener('keydown', event => inGrid(event, press, tap, reply));
  find('grid').addEventListener('focusin', event => choose(Number(event.target.closest('article').dataset.index)));
  document.addEventListener('keydown', event => {
    if (event.ctrlKey || event.altKey || event.metaKey || isTyping(event.target) || document.querySelector('dialog[open]')) return;
    const shown = views.find(view => !find(view).hidden);
    if (event.key === '/' && fields[shown]) find(fields[shown]).focus();
    else if (event.key === '?') find('help').showModal();
    else if (views[Number(event.key) - 1]) location.hash = link(views[Number(event.key) - 1]);
    else return;
    event.preventDefault();
  });
}

const isTyping = element => /^(input|select|textarea)$/i.test(element.tagName);

function inGrid(event, press, tap, reply) {
  if (event.ctrlKey || event.altKey || event.metaKey) return;
  const element = event.target.closest('article');
  if (!element) return;
  const isOnPhone = event.target === element;
  const one = switches.find(one => one.key === event.key);
  if (one) press(element, one.condition);
  else if (event.key === 'r') reply(element);
  else if (event.key === 'Escape' && !isOnPhone) element.focus();
  else if (event.key === 'Enter' && isOnPhone) tap(element);
  else if (!step(event.key)) return;
  event.preventDefault();
}

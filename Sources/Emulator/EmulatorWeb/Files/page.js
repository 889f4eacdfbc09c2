// Follows the emulator's changes and updates the page.

import * as control from './control.js';
import { clock, counted, find, foreign, make } from './dom.js';
import { choose, count, elementOf, filter, phoneOf, take } from './grid.js';
import { log, tell } from './happenings.js';
import { listen } from './keys.js';
import { called } from './words.js';

const modes = { real: 'real time', frozen: 'virtual, frozen', running: 'virtual, running' };
let time = { at: Date.now(), rate: 1, since: performance.now() };

/** Requests changes as long as the page is open. A request waits up to 20 seconds for a change. The
    next request follows 0.1 s after changes, and 1 s after a failure. */
async function follow() {
  let cursor = '';
  let isFilling = true;
  for (;;) {
    try {
      const answer = await control.changes(cursor);
      cursor = answer.cursor;
      isFilling ||= answer.whole;
      show(answer, isFilling);
      isFilling &&= answer.more;
      say('');
      await pause(answer.more ? 0 : 100);
    } catch (error) {
      say(`The emulator does not respond: ${error.message} Retrying …`);
      await pause(1000);
    }
  }
}

const pause = milliseconds => new Promise(done => { setTimeout(done, milliseconds); });

function show(answer, isFilling) {
  take(answer.devices, answer.whole);
  tell(answer.devices, answer.whole, isFilling);
  log(answer.requests, answer.whole);
  time = { at: Date.parse(answer.clock.time), rate: answer.clock.rate, since: performance.now() };
  find('mode').textContent = modes[answer.clock.mode]
    + (answer.clock.mode === 'running' && answer.clock.rate !== 1 ? `, ${answer.clock.rate} times as fast` : '');
  tick();
  const all = answer.device_count;
  find('summary').replaceChildren(counted(all, 'device'), all > count() ? `, the first ${count().toLocaleString('en')} shown` : '',
    ' on ', make('code', {}, location.host));
}

function tick() {
  const now = new Date(time.at + (performance.now() - time.since) * time.rate);
  const day = now.toLocaleDateString('en', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  find('time').replaceChildren(`${day}, `, clock(now.toISOString(), true));
}

function say(text) {
  const status = find('status');
  if (status.textContent !== text) status.textContent = text;
}

/** Performs an action. Shows the error if the emulator refuses it. */
async function attempt(action) {
  try {
    return await action();
  } catch (error) {
    say(error.message);
    return undefined;
  }
}

function press(element, condition) {
  const phone = phoneOf(element);
  if (phone && condition in phone) attempt(() => control.change(phone.name, { [condition]: !phone[condition] }));
}

async function open(element, number) {
  const phone = phoneOf(element);
  const note = phone?.tray.find(one => one.number === number) ?? phone?.tray[0];
  if (!note || (number !== undefined && note.number !== number)) return;
  const opened = await attempt(() => control.tap(phone.name, note.message_id));
  if (opened) showOpened(phone, note, opened);
}

function showOpened(phone, note, opened) {
  find('opened-heading').replaceChildren(foreign(called(note)));
  const facts = { 'Action': opened.click_action, 'Category': opened.category, 'Link': opened.link, 'Message ID': opened.message_id };
  find('opened-content').replaceChildren(
    note.body && note.title ? make('p', { class: 'body', dir: 'auto' }, note.body) : '',
    make('p', { class: 'quiet' }, foreign(phone.name), ' opened the app, which received:'),
    make('h3', { id: 'opened-data' }, 'Data'),
    table('opened-data', opened.data) ?? make('p', { class: 'quiet' }, 'none'),
    make('h3', { id: 'opened-facts' }, 'Target'),
    table('opened-facts', facts) ?? '');
  const dialog = find('opened');
  dialog.addEventListener('close', () => elementOf(phone.name)?.focus(), { once: true });
  dialog.showModal();
}

function table(heading, values) {
  const rows = Object.entries(values).filter(([, value]) => value !== undefined);
  return rows.length === 0 ? undefined : make('table', { 'aria-labelledby': heading }, make('tbody', {}, rows.map(([key, value]) =>
    make('tr', {}, make('th', { scope: 'row' }, foreign(key)), make('td', { dir: 'auto' }, value)))));
}

find('grid').addEventListener('click', event => {
  const element = event.target.closest('article');
  const button = event.target.closest('button');
  if (!element) return;
  choose(element);
  if (button?.dataset.condition) press(element, button.dataset.condition);
  else if (button?.dataset.note) open(element, Number(button.dataset.note));
});
for (const button of document.querySelectorAll('[data-forward]')) {
  button.addEventListener('click', () => attempt(() => control.forward(button.dataset.forward)));
}
for (const id of ['search', 'platform', 'state']) find(id).addEventListener('input', filter);
find('keys').addEventListener('click', () => find('help').showModal());
listen(press, open);
setInterval(tick, 1000);
follow();

// Connects the views with the address, the feed and the controls at the top.

import * as activity from './activity.js';
import { address, link, names, project } from './address.js';
import * as control from './control.js';
import { newPhones, showOpened } from './dialogs.js';
import { clock, counted, find } from './dom.js';
import * as faults from './faults.js';
import * as feed from './feed.js';
import * as grid from './grid.js';
import * as inbox from './inbox.js';
import * as keys from './keys.js';
import { canReply, reply } from './replies.js';
import * as request from './request.js';
import * as requests from './requests.js';
import * as send from './send.js';
import * as settings from './settings.js';

const modes = { real: 'real time', frozen: 'virtual, frozen', running: 'virtual, running' };
const selected = project();
let time = { at: Date.now(), rate: 1, since: performance.now() };
let shown;
let lookAgain;
let deviceCount;

/** The failure of the feed, and the error of the last action. */
const problems = { feed: '', action: '' };

function say(text, kind) {
  problems[kind] = text;
  const status = find('status');
  const shownText = problems.feed || problems.action;
  if (status.textContent !== shownText) status.textContent = shownText;
}

/** Performs an action. Shows the error if the emulator refuses it. */
async function attempt(action) {
  try {
    const result = await action();
    say('', 'action');
    return result ?? true;
  } catch (error) {
    say(error.message, 'action');
    return undefined;
  }
}

/** Shows the view of the address. The focus moves to its heading if the user followed a link. */
async function route(isFirst) {
  if (project() !== selected) return location.reload();
  const { view, item } = address();
  const id = item === undefined ? view : { phones: 'phone', requests: 'request' }[view] ?? view;
  for (const section of document.querySelectorAll('.view')) section.hidden = section.id !== id;
  for (const one of document.querySelectorAll('#views a')) {
    one.href = link(one.dataset.view);
    if (one.dataset.view === view) one.setAttribute('aria-current', 'page');
    else one.removeAttribute('aria-current');
  }
  document.title = `${item ?? document.querySelector(`#views a[data-view=${view}]`).firstChild.data} – FCM emulator`;
  if (shown !== id + item) scrollTo(0, 0);
  shown = id + item;
  lookAgain = {
    phones: grid.look, phone: inbox.look, requests: requests.look, request: request.look, faults: faults.look,
  }[id];
  await {
    phones: grid.search, phone: () => inbox.show(item, attempt), requests: requests.show, request: () => request.show(item),
    send: () => send.show(attempt), faults: () => faults.show(attempt), settings: () => settings.show(attempt),
  }[id]();
  if (!isFirst) find(`${id}-heading`)?.focus({ preventScroll: true });
}

function take(answer, isOld) {
  activity.tell(answer, isOld);
  activity.log(answer.requests, isOld);
  time = { at: Date.parse(answer.clock.time), rate: answer.clock.rate, since: performance.now() };
  find('mode').textContent = modes[answer.clock.mode]
    + (answer.clock.mode === 'running' && answer.clock.rate !== 1 ? `, ${answer.clock.rate} times as fast` : '');
  tick();
  find('phone-count').textContent = answer.device_count.toLocaleString('en');
  find('request-count').textContent = answer.request_count.toLocaleString('en');
  deviceCount = answer.device_count;
  summarize();
  Promise.resolve(lookAgain?.()).catch(error => say(error.message, 'action'));
}

function summarize() {
  if (deviceCount === undefined) return;
  find('summary').textContent = grid.isFiltered()
    ? `${grid.total().toLocaleString('en')} of ${counted(deviceCount, 'phone')} match` : `${counted(deviceCount, 'phone')} on ${location.host}`;
}

function tick() {
  const now = new Date(time.at + (performance.now() - time.since) * time.rate);
  const day = now.toLocaleDateString('en', { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' });
  find('time').replaceChildren(`${day}, `, clock(now.toISOString(), true));
}

function press(element, condition) {
  const phone = grid.phoneOf(element);
  if (phone && condition in phone) attempt(() => control.change(phone.name, { [condition]: !phone[condition] }));
}

async function tap(element, number) {
  const phone = grid.phoneOf(element);
  const note = number === undefined ? phone?.tray[0] : phone?.tray.find(one => one.number === number);
  if (!note) return;
  const opened = await attempt(() => control.tap(phone.name, note.message_id));
  if (!opened) return;
  await showOpened(phone, note, opened);
  element.focus();
}

async function answer(element) {
  const phone = grid.phoneOf(element);
  if (!phone || !canReply(phone)) return;
  await attempt(() => reply(phone));
  element.focus();
}

async function listProjects() {
  const select = find('project');
  const known = await control.projects().catch(() => ({ projects: [] }));
  const ids = known.projects.map(one => (one.default ? '' : one.id));
  const titles = new Map(known.projects.map(one => [one.default ? '' : one.id, one.id || 'Default project']));
  names.default = known.projects.find(one => one.default)?.id ?? '';
  const all = [...new Set(['', ...ids, selected])];
  select.replaceChildren(...all.map(id => new Option(titles.get(id) ?? (id || 'Default project'), id, false, id === selected)));
  select.hidden = all.length < 2;
}

async function add() {
  const devices = await newPhones();
  if (devices) await attempt(() => control.addDevices(devices));
  find('add').focus();
}

find('grid').addEventListener('click', event => {
  const element = event.target.closest('article');
  const button = event.target.closest('button');
  if (!element) return;
  grid.choose(Number(element.dataset.index));
  if (button?.dataset.condition) press(element, button.dataset.condition);
  else if (button?.dataset.note) tap(element, Number(button.dataset.note));
});
for (const button of document.querySelectorAll('[data-forward]')) {
  button.addEventListener('click', () => attempt(() => control.forward(button.dataset.forward)));
}
for (const id of ['search', 'platform', 'state']) find(id).addEventListener('input', grid.filter);
for (const id of ['requests-text', 'requests-status', 'requests-kind']) find(id).addEventListener('input', requests.filter);
find('log').addEventListener('click', requests.clicked);
find('older').addEventListener('click', () => attempt(requests.older));
find('phone').addEventListener('click', inbox.clicked);
find('phone').addEventListener('keydown', inbox.pressed);
find('keys').addEventListener('click', () => find('help').showModal());
find('add').addEventListener('click', add);
find('project').addEventListener('focus', listProjects);
find('project').addEventListener('change', event => { location.hash = event.target.value ? `#/phones?project=${encodeURIComponent(event.target.value)}` : '#/phones'; });
grid.listen(summarize);
keys.listen(press, tap, answer);
feed.listen(take);
addEventListener('hashchange', () => route(false));
addEventListener('scroll', grid.scrolled, { passive: true });
addEventListener('resize', () => { grid.arrange(); grid.scrolled(); });
setInterval(tick, 1000);
listProjects();
route(true);
feed.follow(text => say(text, 'feed'));

// Searches a built site with the site's own search: node site_search.js SITE QUERY...
//
// Prints one line of JSON per query: the locations of the first results. The site's worker runs in a context with the
// few functions of a browser that it calls.
"use strict";
const fs = require("fs");
const path = require("path");
const vm = require("vm");

const [site, ...queries] = process.argv.slice(2);
const read = (name) => fs.readFileSync(path.join(site, "search", name), "utf8");

class XMLHttpRequest {
  addEventListener(_, listener) { this.listener = listener; }
  open(_, name) { this.responseText = read(name); }
  send() { this.listener.call(this); }
}

let answer;
const worker = vm.createContext({
  XMLHttpRequest,
  console: { log() {}, error: console.error },
  importScripts: (...names) => names.forEach((name) => vm.runInContext(read(name), worker)),
  postMessage: (message) => { answer = message; },
});
vm.runInContext(read("worker.js"), worker);
worker.onmessage({ data: { init: true } });
for (const query of queries) {
  worker.onmessage({ data: { query } });
  console.log(JSON.stringify(answer.results.slice(0, 10).map(({ location }) => location)));
}

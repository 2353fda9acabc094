// The live link: one stream for all tabs tells of a change, then each tab fetches its own view.
import { announce, hear } from "../common/dom.js";

/** @import { Link, LinkState } from "../common/types.js" */

const SILENT_MS = 20_000;
const POLL_MS = 2000;
const SLOW_MS = 8000;
const QUICK_MS = 500;
const RETRY_MS = 300;
const TICK_MS = 1000;

/**
 * What tabs tell one another: the one with the stream which number is the newest, or that it goes.
 * @typedef {{ id: number, seq?: number, ask?: boolean, bye?: boolean }} TabMessage
 */

/** Of two tabs that hold a stream, the one with the smaller number goes on. */
const id = Math.random();
const tabs = new BroadcastChannel("dreyer-live");

/** @type {EventSource | null} */
let stream = null;
let heardAt = 0;
let tries = 0;
let retryAt = 0;
/** When the tab that holds the stream was last heard. */
let leaderAt = 0;
let newestSeq = -1;

let isFetching = false;
let fetchAgain = false;
let fetchedAt = 0;
let patienceMs = SLOW_MS;
/** @type {AbortController | undefined} */
let flight;

/** @type {Link} */
export const live = { view: null, state: "starting", since: Date.now() };

const isFollowing = () => Date.now() - leaderAt < SILENT_MS;
const isLinked = () => isFollowing() || stream?.readyState === EventSource.OPEN;

/** @param {LinkState} state */
function setState(state) {
  if (state !== live.state) {
    live.state = state;
    announce("link", live);
  }
}

async function fetchView() {
  const thisFlight = new AbortController();
  flight = thisFlight;
  fetchedAt = Date.now();
  setTimeout(() => thisFlight.abort(), patienceMs);
  try {
    const answer = await fetch("/api/view", { signal: thisFlight.signal, cache: "no-store" });
    if (answer.status === 401) {
      location.assign("/join?gone=1");
      return;
    }
    if (!answer.ok) {
      throw answer;
    }
    live.view = await answer.json();
  } catch {
    if (!document.hidden) {
      setState("reconnecting");
    }
    // A connection from before a sleep may be dead: the next try takes another.
    if (patienceMs < SLOW_MS) {
      fetchAgain = true;
      patienceMs *= 2;
    }
    return;
  }
  live.since = Date.now();
  patienceMs = SLOW_MS;
  if (live.state !== "live") {
    const isOpening = stream && !tries;
    setState(isLinked() || isOpening ? "live" : "polling");
  }
  if (live.view) {
    announce("view", live.view);
  }
}

/** Fetch the view now; during a fetch, once more after it. */
async function refresh() {
  fetchAgain = true;
  if (isFetching) {
    return;
  }
  isFetching = true;
  while (fetchAgain) {
    fetchAgain = false;
    await fetchView();
  }
  isFetching = false;
}

/** @param {number} seq */
function hearNews(seq) {
  newestSeq = seq;
  if (seq !== live.view?.seq) {
    refresh();
  }
}

/** @param {Omit<TabMessage, "id">} message */
function post(message) {
  tabs.postMessage({ id, ...message });
}

/** Tell the other tabs that this one holds the stream. */
function lead() {
  leaderAt = 0;
  post({ seq: newestSeq });
}

function closeStream() {
  stream?.close();
  stream = null;
}

/** Close the stream, and let another tab open one. */
function handOver() {
  closeStream();
  post({ bye: true });
}

function hearStream() {
  heardAt = Date.now();
  tries = 0;
  if (live.view && heardAt - live.since < SILENT_MS) {
    setState("live");
  }
  lead();
}

function openStream() {
  heardAt = Date.now();
  stream = new EventSource("/api/live");
  stream.addEventListener("open", () => {
    hearStream();
    refresh();
  });
  stream.addEventListener("beat", hearStream);
  stream.addEventListener("seq", ({ data }) => {
    hearNews(Number(data));
    hearStream();
  });
  stream.addEventListener("bye", ({ data }) => {
    if (data === "full") {
      closeStream();
      retryAt = Date.now() + SILENT_MS;
    }
  });
  stream.addEventListener("error", () => {
    handOver();
    const wait = RETRY_MS * 2 ** Math.min(tries, 3);
    retryAt = Date.now() + wait;
    // Streams end now and then: only the second try tells.
    if (tries > 0 && live.state !== "polling") {
      setState("reconnecting");
    }
    tries += 1;
    setTimeout(tick, wait + 10);
  });
}

function tick() {
  if (document.hidden) {
    return;
  }
  const isSilent = stream && Date.now() - heardAt > SILENT_MS;
  if (isSilent) {
    setState("reconnecting");
  }
  if (isFollowing() || isSilent) {
    closeStream();
  }
  if (!isFollowing() && !stream && Date.now() >= retryAt) {
    openStream();
  }
  if (!isLinked() && Date.now() - fetchedAt > POLL_MS) {
    refresh();
  }
  // The badge shows how old the page is.
  if (live.state !== "live") {
    announce("link", live);
  }
}

/** @param {TabMessage} message */
function hearTab({ id: sender, ask, bye, seq = -1 }) {
  if (ask) {
    if (stream) {
      lead();
    }
    return;
  }
  if (bye) {
    leaderAt = 0;
    setTimeout(tick, Math.random() * 200);
    return;
  }
  if (stream && id < sender) {
    lead();
    return;
  }
  leaderAt = Date.now();
  closeStream();
  if (live.view) {
    setState("live");
  }
  if (seq >= 0) {
    hearNews(seq);
  }
}

/** The page was hidden or shown, or the network is back: begin anew. */
function wake() {
  if (document.hidden) {
    handOver();
  } else {
    closeStream();
  }
  leaderAt = 0;
  tries = 0;
  retryAt = 0;
  patienceMs = QUICK_MS;
  flight?.abort();
  if (!document.hidden) {
    refresh();
  }
  tick();
}

tabs.addEventListener("message", ({ data }) => hearTab(data));
hear("acted", refresh);
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
window.addEventListener("pagehide", handOver);
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) {
    wake();
  }
});
setInterval(tick, TICK_MS);
refresh();
// A tab that holds the stream answers first.
post({ ask: true });
setTimeout(tick, 50);

// The live link: one tab holds the event stream and passes on that something changed; each tab fetches its own view.
import { announce, listen } from "../common/dom.js";

/** @import { Link, LinkState } from "../common/types.js" */

/** A stream, or the tab that holds it, is taken for dead after this long without a word. */
const SILENT_MS = 20_000;
const POLL_MS = 2000;
const TIMEOUT_MS = 8000;
/** The first timeout after a sleep, since old connections may be dead. */
const WAKE_TIMEOUT_MS = 500;
const RETRY_MS = 300;
const TICK_MS = 1000;
/** The server takes a page for closed that has asked for nothing for some seconds. */
const HERE_MS = 1500;

/**
 * Messages between tabs: the newest number from the one that holds the stream, that it goes, or a question who it is.
 * @typedef {{ id: number, seq?: number, ask?: boolean, bye?: boolean }} TabMessage
 */

/** Of two tabs that hold a stream, the one with the smaller number goes on. */
const id = Math.random();
const tabs = new BroadcastChannel("dreyer-live");

/** Where the page's view is, and where to go when the seat is gone. */
const { linked: viewAddress = "", unseated: unseatedAddress = "" } = document.body.dataset;

/** @type {EventSource | null} */
let stream = null;
let receivedAt = 0;
let tries = 0;
let retryAt = 0;
/** When the tab that holds the stream last sent a message. */
let leaderAt = 0;
let newestSeq = -1;

let isFetching = false;
let fetchAgain = false;
let fetchedAt = 0;
let timeoutMs = TIMEOUT_MS;
/** @type {AbortController | undefined} */
let request;

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
  const thisRequest = new AbortController();
  request = thisRequest;
  fetchedAt = Date.now();
  setTimeout(() => thisRequest.abort(), timeoutMs);
  try {
    const answer = await fetch(viewAddress, { signal: thisRequest.signal, cache: "no-store" });
    if (answer.status === 401) {
      // A host who takes a seat has another cookie before the next page is there.
      if (!document.body.hasAttribute("data-leaving")) {
        location.assign(unseatedAddress);
      }
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
    if (timeoutMs < TIMEOUT_MS) {
      fetchAgain = true;
      timeoutMs *= 2;
    }
    return;
  }
  live.since = Date.now();
  timeoutMs = TIMEOUT_MS;
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
function receiveSequence(seq) {
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
function claimLead() {
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

function receiveFromStream() {
  receivedAt = Date.now();
  tries = 0;
  if (live.view && receivedAt - live.since < SILENT_MS) {
    setState("live");
  }
  claimLead();
}

function openStream() {
  receivedAt = Date.now();
  stream = new EventSource("/api/live");
  stream.addEventListener("open", () => {
    receiveFromStream();
    refresh();
  });
  stream.addEventListener("beat", receiveFromStream);
  stream.addEventListener("seq", ({ data }) => {
    receiveSequence(Number(data));
    receiveFromStream();
  });
  stream.addEventListener("bye", ({ data }) => {
    if (data === "full") {
      closeStream();
      retryAt = Date.now() + SILENT_MS;
    }
  });
  stream.addEventListener("error", () => {
    handOver();
    const wait = RETRY_MS * 2 ** Math.min(tries, 2);
    retryAt = Date.now() + wait;
    // Streams end now and then: only a second failure matters.
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
  const isSilent = stream && Date.now() - receivedAt > SILENT_MS;
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
function receiveFromTab({ id: sender, ask, bye, seq = -1 }) {
  if (ask) {
    if (stream) {
      claimLead();
    }
    return;
  }
  if (bye) {
    leaderAt = 0;
    setTimeout(tick, Math.random() * 200);
    return;
  }
  if (stream && id < sender) {
    claimLead();
    return;
  }
  leaderAt = Date.now();
  closeStream();
  if (live.view) {
    setState("live");
  }
  if (seq >= 0) {
    receiveSequence(seq);
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
  timeoutMs = WAKE_TIMEOUT_MS;
  request?.abort();
  if (!document.hidden) {
    refresh();
  }
  tick();
}

tabs.addEventListener("message", ({ data }) => receiveFromTab(data));
listen("acted", refresh);
document.addEventListener("visibilitychange", wake);
window.addEventListener("online", wake);
window.addEventListener("pagehide", handOver);
window.addEventListener("pageshow", ({ persisted }) => {
  if (persisted) {
    wake();
  }
});
setInterval(tick, TICK_MS);
// One tab says for all of this browser that somebody looks.
setInterval(() => {
  if (stream && !document.hidden) {
    fetch("/api/here", { cache: "no-store" }).catch(() => null);
  }
}, HERE_MS);
refresh();
// A tab that holds the stream answers first.
post({ ask: true });
setTimeout(tick, 50);

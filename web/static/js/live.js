// The live link: one stream for all tabs tells of a change, then each fetches its view.
import { on, tell } from "./strings.js";

const SILENT_MS = 20_000,
  POLL_MS = 2000,
  SLOW_MS = 8000,
  QUICK_MS = 500,
  RETRY_MS = 300;
const id = Math.random(),
  tabs = new BroadcastChannel("dreyer-live"),
  { now } = Date;
let stream = null,
  heard = 0,
  leaderAt = 0,
  tries = 0,
  retryAt = 0,
  newest = -1,
  busy = false,
  again = false,
  fetchedAt = 0,
  patience = SLOW_MS,
  flight;

export const live = { view: null, state: "starting", since: now() };

const following = () => now() - leaderAt < SILENT_MS;
const linked = () => following() || stream?.readyState === EventSource.OPEN;

const say = (state) => {
  if (state !== live.state) tell("link", Object.assign(live, { state }));
};

async function fetchView() {
  fetchedAt = now();
  flight = new AbortController();
  setTimeout((late) => late.abort(), patience, flight);
  try {
    const answer = await fetch("/api/view", { signal: flight.signal, cache: "no-store" });
    if (answer.status === 401) return location.assign("/join?gone=1");
    if (!answer.ok) throw answer;
    live.view = await answer.json();
    live.since = now();
    patience = SLOW_MS;
    if (live.state !== "live") say(linked() || (stream && !tries) ? "live" : "polling");
    tell("view", live.view);
  } catch {
    if (!document.hidden) say("reconnecting");
    // A connection from before a sleep may be dead: the next try takes another.
    if (patience < SLOW_MS) {
      again = true;
      patience *= 2;
    }
  }
}

/** Fetch the view now; during a fetch, once more after it. */
async function refresh() {
  again = true;
  if (busy) return;
  for (busy = true; again;) {
    again = false;
    await fetchView();
  }
  busy = false;
}

function news(seq) {
  newest = seq;
  if (seq !== live.view?.seq) refresh();
}

const post = (data) => tabs.postMessage({ id, ...data });
function spread() {
  leaderAt = 0;
  post({ seq: newest });
}

function drop(bye) {
  stream?.close();
  stream = null;
  if (bye) post({ bye });
}

function open() {
  heard = now();
  stream = new EventSource("/api/live");
  const alive = () => {
    heard = now();
    tries = 0;
    if (live.view && heard - live.since < SILENT_MS) say("live");
    spread();
  };
  on(
    "open",
    () => {
      alive();
      refresh();
    },
    stream,
  );
  on("beat", alive, stream);
  on(
    "seq",
    ({ data }) => {
      news(Number(data));
      alive();
    },
    stream,
  );
  on(
    "bye",
    ({ data }) => {
      if (data === "full") {
        drop();
        retryAt = now() + SILENT_MS;
      }
    },
    stream,
  );
  on(
    "error",
    () => {
      drop(true);
      // Streams end now and then: only the second try tells.
      const wait = RETRY_MS * 2 ** Math.min(tries, 3);
      retryAt = now() + wait;
      if (tries++ && live.state !== "polling") say("reconnecting");
      setTimeout(tick, wait + 10);
    },
    stream,
  );
}

function tick() {
  if (document.hidden) return;
  const silent = stream && now() - heard > SILENT_MS;
  if (silent) say("reconnecting");
  if (following() || silent) drop();
  if (!following() && !stream && now() >= retryAt) open();
  if (!linked() && now() - fetchedAt > POLL_MS) refresh();
  if (live.state !== "live") tell("link", live);
}

on(
  "message",
  ({ data }) => {
    if (data.ask) return stream && spread();
    if (data.bye) {
      leaderAt = 0;
      return setTimeout(tick, Math.random() * 200);
    }
    // Of two that listen, the smaller number goes on.
    if (stream && id < data.id) return spread();
    leaderAt = now();
    drop();
    if (live.view) say("live");
    if (data.seq >= 0) news(data.seq);
  },
  tabs,
);

function wake() {
  drop(document.hidden);
  leaderAt = tries = retryAt = 0;
  patience = QUICK_MS;
  flight?.abort();
  if (!document.hidden) refresh();
  tick();
}
on("visibilitychange", wake);
on("acted", refresh);
on("pageshow", ({ persisted }) => persisted && wake(), window);
on("online", wake, window);
on("pagehide", () => drop(true), window);
setInterval(tick, 1000);
refresh();
// A tab that holds the stream answers first.
post({ ask: true });
setTimeout(tick, 50);

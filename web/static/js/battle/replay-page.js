// The page of the replay: what has happened meanwhile is added.
import { listen, mustFind } from "../common/dom.js";

/** @import { DreyerReplay } from "./replay.js" */

/** @type {DreyerReplay} */
const replay = mustFind("dreyer-replay");
let happened = -1;

listen("view", (view) => {
  if (happened >= 0 && view.happened !== happened) {
    replay.load();
  }
  happened = view.happened;
});

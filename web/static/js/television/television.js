// The picture for a room: the replay in place of the chart, after the battle or when the host asks for it.
import { listen, mustFind } from "../common/dom.js";

/** @import { DreyerReplay } from "../battle/replay.js" */

/** @type {DreyerReplay} */
const replay = mustFind("dreyer-replay");
let happened = -1;

listen("view", (view) => {
  const isShown = Boolean(view.replaying);
  const isOther = replay.hidden === isShown || view.happened !== happened;
  happened = view.happened;
  replay.hidden = !isShown;
  if (!isShown) {
    replay.pause();
  } else if (isOther) {
    replay.load();
  }
});

// The picture for a room: the replay in place of the chart, after the battle or when the host asks for it.
import { areAllShown } from "../battle/salvos.js";
import { listen, mustFind } from "../common/dom.js";

/** @import { DreyerReplay } from "../battle/replay.js" */
/** @import { TableView } from "../common/types.js" */

/** @type {DreyerReplay} */
const replay = mustFind("dreyer-replay");
/** The newest view of the table. @type {TableView | null} */
let seen = null;
/** The newest action of the battle that the replay has. */
let happened = -1;

/** Show what the table asks for; a replay begins once the cards of what happened have been shown. */
function follow() {
  if (!seen) {
    return;
  }
  if (!seen.replaying) {
    replay.hidden = true;
    replay.pause();
    // Nothing of one battle stays for the next.
    replay.battle = null;
  } else if (areAllShown() && (replay.hidden || seen.happened !== happened)) {
    if (replay.hidden) {
      replay.rewind();
    }
    happened = seen.happened;
    replay.hidden = false;
    replay.load();
  }
}

listen("view", (view) => {
  seen = view;
  follow();
});
listen("allShown", follow);

// Fingers, mouse, wheel and keys on the chart.

import { far, mix, slope, wrap } from "./chart-parts.js";

const ARROWS = {
  ArrowLeft: { x: -1, y: 0 },
  ArrowRight: { x: 1, y: 0 },
  ArrowUp: { x: 0, y: -1 },
  ArrowDown: { x: 0, y: 1 },
};
const BENDS = { "[": -1, "]": 1, "{": -10, "}": 10 },
  ZOOMS = { "+": 1.4, "=": 1.4, "-": 0.7 };

export const listen = (chart) => {
  const fingers = new Map(),
    { sheet } = chart.parts;
  let start, moved, grip, turned;
  const spot = ({ clientX, clientY }) => {
    const { left, top } = sheet.getBoundingClientRect();
    return { x: clientX - left, y: clientY - top };
  };
  const letGo = () => {
    if (grip) chart.release(grip.name);
    grip = null;
  };
  const tap = (at) => {
    const name = !chart.laying && chart.shipAt(at)?.to.name;
    if (name) chart.tell("choose", { name });
    else chart.tapSea(at);
  };
  sheet.onpointerdown = (event) => {
    if (event.button > 0 || !chart.eye) return;
    sheet.setPointerCapture(event.pointerId);
    fingers.set(event.pointerId, spot(event));
    moved = fingers.size > 1;
    if (moved) return letGo();
    [start, turned] = [spot(event), 0];
    grip = chart.grip(start);
  };
  sheet.onpointermove = (event) => {
    const before = [...fingers.values()],
      now = spot(event);
    if (!fingers.has(event.pointerId) || (!moved && far(start, now) < 6)) return;
    moved = true;
    fingers.set(event.pointerId, now);
    const after = [...fingers.values()];
    if (grip) grip.move(now);
    else if (after.length === 1) chart.look(before[0], now);
    else if (after.length === 2) {
      const turn = wrap(slope(...after) - slope(...before) + 180) - 180;
      turned += turn;
      // A pinch always turns a little: that does not count.
      chart.look(
        mix(...before, 0.5),
        mix(...after, 0.5),
        far(...after) / far(...before),
        Math.abs(turned) > 12 ? turn : 0,
      );
    }
  };
  sheet.onpointerup = sheet.onpointercancel = (event) => {
    if (!fingers.delete(event.pointerId) || fingers.size) return;
    if (event.type === "pointercancel") letGo();
    else if (!moved) tap(start);
    else if (grip) chart.moved(grip.name);
    else if (Math.abs(turned) > 12) chart.turned = chart.eye.heading;
    grip = null;
  };
  sheet.onwheel = (event) => {
    event.preventDefault();
    chart.look(
      spot(event),
      spot(event),
      Math.exp((-event.deltaY * (event.deltaMode ? 18 : 1) * (event.ctrlKey ? 5 : 1)) / 500),
    );
  };
  sheet.onkeydown = (event) => {
    const {
        key,
        target: {
          dataset: { ship: name },
        },
      } = event,
      arrow = ARROWS[key];
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    if (key === "Escape") grip ? letGo() : chart.tell("clear");
    else if (name && (key === "Enter" || key === " ")) chart.tell("choose", { name });
    else if (name && chart.editing && (arrow || BENDS[key]))
      chart.nudge(name, arrow, event.shiftKey ? 1 : 0.1, BENDS[key]);
    else if (arrow) chart.look({ x: arrow.x * 60, y: arrow.y * 60 }, { x: 0, y: 0 });
    else if (ZOOMS[key]) chart.zoom(ZOOMS[key]);
    else return;
    event.preventDefault();
  };
};

// The shapes of what the server sends and of what scripts tell one another. Types only: nothing loads this file.

/**
 * A place: in yards on the table (y to the north), or in pixels on the chart (y down).
 * @typedef {{ x: number, y: number }} Point
 *
 * A place and a heading in degrees, clockwise from up.
 * @typedef {Point & { heading: number }} Pose
 */

// ---------- what the server sends (web/views/table.py, web/sides.py, web/table/moment.py) ----------

/**
 * @typedef {object} SideView
 * @property {string} key
 * @property {string} name
 * @property {string} letter
 * @property {string} shape
 * @property {string} colour
 *
 * A ship on the table's list; those that are not placed have neither place nor heading.
 * @typedef {object} ShipView
 * @property {string} name
 * @property {string} side the key of her side
 * @property {string} silhouette
 * @property {boolean} placed
 * @property {number | null} x
 * @property {number | null} y
 * @property {number | null} heading
 * @property {number | null} sigma_yards
 * @property {number} length_yards
 * @property {number} width_yards
 * @property {"camera" | "hand" | "photo"} source
 * @property {"settled" | "moving" | "stale" | "by_hand" | "unseen"} state
 * @property {number} age_seconds
 * @property {boolean} needs_reason
 * @property {string[]} marks the flag or its heir, and the markers beside her
 * @property {("burning" | "listing" | "stopped")[]} conditions what everybody can see of her damage
 *
 * A ship that is on the table.
 * @typedef {ShipView & { placed: true, x: number, y: number, heading: number, sigma_yards: number }} PlacedShip
 *
 * @typedef {{ id: number | null, x1: number, y1: number, x2: number, y2: number }} SmokeFront
 * @typedef {{ yards: number, title: string }} RangeRing
 * @typedef {{ firer: string, target: string, by: string }} DeclaredPair
 *
 * The table itself: its size and its scale.
 * @typedef {object} TableInfo
 * @property {string} title
 * @property {string} ruleset_title
 * @property {number} width_yards
 * @property {number} height_yards
 * @property {number} yards_per_inch
 *
 * Whether a battle waits for the caller.
 * @typedef {object} TurnCall
 * @property {string} battle another battle has another
 * @property {boolean} waits
 * @property {string} key what it is about
 * @property {number} nudge the newest nudge of the caller's side
 * @property {string} nudged_by
 *
 * The table as the caller may see it: the fields that scripts read.
 * @typedef {object} TableView
 * @property {boolean} [replaying] whether a television shows the replay
 * @property {number} seq
 * @property {{ may: { measure: "yes" | "declare" | "no" } }} you
 * @property {TableInfo} table
 * @property {SideView[]} sides
 * @property {ShipView[]} ships
 * @property {{ name: string, side: string, x: number, y: number }[]} wrecks where ships sank
 * @property {boolean} fog
 * @property {{ ship: string, x: number, y: number, bearing: number }[]} contacts
 * @property {SmokeFront[]} smoke
 * @property {RangeRing[]} rings
 * @property {string | null} rings_about
 * @property {number[]} quadrant_lines_deg
 * @property {DeclaredPair[]} declared
 * @property {{ title: string } | null} battle
 * @property {TurnCall | null} turn
 * @property {number} happened the newest action that every screen shows
 * @property {{ side: string, points: PlaceYards[], latest: boolean }[]} [tracks] the ways of ships, for a television
 */

// ---------- the check of two ships (web/checks/check_view.py) ----------

/**
 * What the chart draws of a check.
 * @typedef {object} DrawnCheck
 * @property {string} range
 * @property {string} remark
 * @property {boolean} open whether a close call waits to be decided
 * @property {number[]} limits in yards, those that the range is too close to
 * @property {number[]} bearings in degrees, those that the bearing is too close to
 * @property {string} quadrant
 * @property {{ name: string, at_yards: number }[]} stops what blocks the line of sight
 * @property {number[]} smoke where the line crosses smoke, in yards from the firer
 *
 * @typedef {{ firer: string, target: string, spoken?: string, drawn?: Partial<DrawnCheck> }} PairCheck
 */

// ---------- fields of fire (web/checks/fields_of_fire.py) ----------

/**
 * @typedef {[number, number]} PlaceYards
 * @typedef {{ outer: PlaceYards[], holes: PlaceYards[][] }} Outline
 * @typedef {{ notation: string, speed: number | null, end: { x: number, y: number, heading: number }, points: PlaceYards[] }} ReachedPlace
 * @typedef {{ title: string, outer_yards: number, clear: Outline[], through_smoke: Outline[] }} BandArea
 * @typedef {{ battery: string, title: string, bands: BandArea[] }} BatteryField
 */

// ---------- what scripts tell one another: see announce and listen in dom.js ----------

/**
 * The two ships that are chosen.
 * @typedef {{ firer?: string | null, target?: string }} Selection
 *
 * How the page hears of changes.
 * @typedef {"starting" | "live" | "polling" | "reconnecting"} LinkState
 * @typedef {{ view: TableView | null, state: LinkState, since: number }} Link
 *
 * What this browser may do to be noticed.
 * @typedef {{ sound: boolean, vibration: boolean, speech: boolean }} Switches
 *
 * A stage of a salvo or an announcement that is shown; ships are named as on the chart.
 * @typedef {{ stage: string, from: string, to: string, weapon: string, hits: number }} ShownStage
 *
 * @typedef {object} Announcements
 * @property {TableView} view a new view has come
 * @property {Link} link the link to the server has changed
 * @property {any} acted the server has done what an element asked for; with its answer
 * @property {Switches} switches sound, vibration or reading aloud was turned on or off
 * @property {ShownStage | null} salvo a salvo or an announcement has come to its next stage; null once all are over
 * @property {null} allShown no card of a salvo or an announcement is shown, waits or is on its way
 * @property {{ svg: string }} wifi the code that lets phones into the network has come
 * @property {null} redrawn a part shows what the server drew
 * @property {{ name: string }} choose a ship on the chart was tapped
 * @property {Point | undefined} clear the sea was tapped, or Escape pressed
 * @property {Point} point the sea was tapped while ships are placed
 * @property {Pose & { name: string }} moved a ship was moved on the chart
 */

export {};

// The pause at the end of a round: the page stays at the position before, until the person has read how the round has ended.

import { byId, h, keepSetting } from "../dom.js"

/** Return the entry of the log with which a round ends, without what the next one begins with; nothing where none ends. */
export function roundEnd(entries) {
  const found = entries.findLast(({ events }) => events.some(isBetween))
  if (!found) return null
  const last = found.events.findIndex(isBetween)
  return { ...found, events: found.events.slice(0, last + (found.events[last].name === "round over")) }
}

/** Say whether an event is told between two rounds: in games that deal again, and in those of which a designer says so. */
const isBetween = ({ name }) => name === "round over" || name === "round begun"

/** Offer to do without pauses in games that have any, which entries of the log tell. */
export function offerPauses(entries) {
  byId("rounds").parentElement.hidden = !entries.some(({ events }) => events.some(isBetween))
}

export const pauses = () => byId("rounds").checked
export const isPaused = () => !byId("round").hidden

/** Show what has happened, as lines of text; `goOn` is called at the person's wish. */
export function showRoundEnd(lines, goOn, isByKeys) {
  const button = h("button", { type: "button", click: goOn }, "Go on")
  byId("round").replaceChildren(h("p", {}, "The round is over. ", button), h("ul", {}, lines.map(line => h("li", {}, line))))
  byId("round").hidden = false
  if (isByKeys) button.focus({ preventScroll: true })
}

export function hideRoundEnd() {
  byId("round").hidden = true
}

keepSetting("rounds", true)

// Motion between two pictures of a board: things move from where they were.

import { morph } from "../morph.js"

const MILLISECONDS = 220
const isStill = matchMedia("(prefers-reduced-motion: reduce)")

/**
 * Change the picture in `place` to another one. Elements are kept, so that focus and scrolling are. A key is WHAT@WHERE#N.
 * What has the same key moves from its old place; what is new comes from a place that lost one of the same WHAT, or a
 * face-down "?"; what comes from nowhere fades in. Return whether who plays by keys has lost the focus.
 */
export function redraw(place, html) {
  const before = new Map([...place.querySelectorAll("[data-key]")].map(thing => [thing.dataset.key, thing.getBoundingClientRect()]))
  const focused = place.contains(document.activeElement) ? document.activeElement : null
  const { pick, action } = focused?.dataset ?? {}
  const isByKeys = focused?.matches(":focus-visible")
  const picture = place.cloneNode()
  picture.innerHTML = html
  morph(place, picture)
  if (focused && document.activeElement !== focused) {
    const again = pick ? `[data-pick="${CSS.escape(pick)}"]` : action ? `[data-action="${action}"]` : ""
    if (again) place.querySelector(again)?.focus({ preventScroll: true })
  }
  // The next frame lays the page out once; to measure here would do it again for each thing that moves.
  if (!isStill.matches && before.size) requestAnimationFrame(() => animate(place, before))
  return isByKeys && !place.contains(document.activeElement)
}

function animate(place, before) {
  const boxes = new Map([...place.querySelectorAll("[data-key]")].map(thing => [thing, thing.getBoundingClientRect()]))
  const moves = []
  const fresh = []
  for (const thing of boxes.keys()) {
    const old = before.get(thing.dataset.key)
    before.delete(thing.dataset.key)
    if (old) moves.push([thing, old])
    else fresh.push(thing)
  }
  const lost = [...before].map(([key, box]) => ({ ...parts(key), box }))
  for (const thing of fresh) {
    const { what, where } = parts(thing.dataset.key)
    const found = [lost.findIndex(one => one.what === what && one.where === where), lost.findIndex(one => one.what === what),
      lost.findIndex(one => one.what === "?")].find(index => index >= 0)
    if (found === undefined) thing.animate([{ opacity: 0 }, { opacity: 1 }], MILLISECONDS)
    else moves.push([thing, lost.splice(found, 1)[0].box])
  }
  const ways = moves.map(([thing, old]) => [thing, way(thing, old, boxes.get(thing))])
  for (const [thing, transform] of ways) {
    if (transform) thing.animate([{ transform }, { transform: "none" }], { duration: MILLISECONDS, easing: "ease-out" })
  }
}

/** Mark the things in `place` that the picture `former` had not; of equal things in one place, the last ones are new. */
export function markNew(place, former) {
  const template = document.createElement("template")
  template.innerHTML = former
  const old = new Map()
  for (const thing of template.content.querySelectorAll("[data-key]")) {
    const kind = withoutNumber(thing.dataset.key)
    old.set(kind, (old.get(kind) ?? 0) + 1)
  }
  for (const thing of place.querySelectorAll("[data-key]")) {
    const kind = withoutNumber(thing.dataset.key)
    const left = old.get(kind) ?? 0
    thing.classList.toggle("last", left === 0)
    if (left) old.set(kind, left - 1)
  }
}

const withoutNumber = key => key.slice(0, key.lastIndexOf("#"))

function parts(key) {
  const [what, where] = withoutNumber(key).split("@")
  return { what, where }
}

/** Return the transformation that puts a thing back to where it was; none if that is where it is. */
function way(thing, old, now) {
  const scale = thing instanceof SVGElement && thing.ownerSVGElement ? 1 / (thing.getScreenCTM()?.a || 1) : 1
  const dx = (old.left + old.width / 2 - now.left - now.width / 2) * scale
  const dy = (old.top + old.height / 2 - now.top - now.height / 2) * scale
  return Math.hypot(dx, dy) < scale ? "" : `translate(${dx}px, ${dy}px)`
}

// Motion between two pictures of a board: things move from where they were.

const MILLISECONDS = 220
const isStill = matchMedia("(prefers-reduced-motion: reduce)")

/**
 * Replace the picture in `place`. A key is WHAT@WHERE#N. What has the same key moves from its old place; what is new
 * comes from a place that lost one of the same WHAT, or a face-down "?"; what comes from nowhere fades in.
 */
export function redraw(place, html) {
  const before = new Map([...place.querySelectorAll("[data-key]")].map(thing => [thing.dataset.key, thing.getBoundingClientRect()]))
  const opened = place.querySelector("details.words")?.open
  place.innerHTML = html
  if (opened) place.querySelector("details.words").open = true
  if (isStill.matches || !before.size) return
  const fresh = []
  for (const thing of place.querySelectorAll("[data-key]")) {
    const old = before.get(thing.dataset.key)
    before.delete(thing.dataset.key)
    if (old) move(thing, old)
    else fresh.push(thing)
  }
  const lost = [...before].map(([key, box]) => ({ ...parts(key), box }))
  for (const thing of fresh) {
    const { what, where } = parts(thing.dataset.key)
    const found = [lost.findIndex(one => one.what === what && one.where === where), lost.findIndex(one => one.what === what),
      lost.findIndex(one => one.what === "?")].find(index => index >= 0)
    if (found === undefined) thing.animate([{ opacity: 0 }, { opacity: 1 }], MILLISECONDS)
    else move(thing, lost.splice(found, 1)[0].box)
  }
}

function parts(key) {
  const [what, where] = key.slice(0, key.lastIndexOf("#")).split("@")
  return { what, where }
}

function move(thing, old) {
  const now = thing.getBoundingClientRect()
  const scale = thing instanceof SVGElement && thing.ownerSVGElement ? 1 / (thing.getScreenCTM()?.a || 1) : 1
  const dx = (old.left + old.width / 2 - now.left - now.width / 2) * scale
  const dy = (old.top + old.height / 2 - now.top - now.height / 2) * scale
  if (Math.hypot(dx, dy) < scale) return
  thing.animate([{ transform: `translate(${dx}px, ${dy}px)` }, { transform: "none" }], { duration: MILLISECONDS, easing: "ease-out" })
}

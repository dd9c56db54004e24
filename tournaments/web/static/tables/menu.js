// What stands beside a piece of the board: the menu of what can be done with it, and the text of a card.

import { byId, h } from "../dom.js"

const MARGIN = 6
let opener = null

/** Put a box below the thing that it belongs to, above it where there is no room, and within the window. */
function place(box, thing) {
  const around = thing.getBoundingClientRect()
  const { width, height } = box.getBoundingClientRect()
  const below = around.bottom + MARGIN + height <= innerHeight
  box.style.left = `${Math.max(MARGIN, Math.min(around.left + around.width / 2 - width / 2, document.documentElement.clientWidth - width - MARGIN))}px`
  box.style.top = `${Math.max(MARGIN, below ? around.bottom + MARGIN : around.top - MARGIN - height)}px`
}

/** Offer actions, as { text, number }, at a piece; `play` gets the number of the chosen one. */
export function openMenu(thing, actions, play) {
  if (matchMedia("(max-width: 56rem)").matches) return // the list below the board has them, within reach of the thumb
  const menu = byId("menu")
  const isByKeys = thing.matches(":focus-visible")
  opener = thing
  menu.setAttribute("aria-label", `actions with ${thing.getAttribute("aria-label")}`)
  menu.replaceChildren(...actions.map(({ text, number }) => h("button", { type: "button", "data-number": number, click: () => play(number) }, text)))
  menu.hidden = false
  byId("tip").hidden = true
  place(menu, thing)
  if (isByKeys) menu.firstChild.focus()
}

/** Close the menu, and go back to its piece where the focus was in it. */
export function closeMenu() {
  const menu = byId("menu")
  if (menu.hidden) return
  const hadFocus = menu.contains(document.activeElement)
  menu.hidden = true
  menu.replaceChildren()
  if (hadFocus && opener?.isConnected) opener.focus({ preventScroll: true })
}

const canPoint = () => matchMedia("(hover: hover)").matches

/** Hide the text of the card that was touched. */
export function hideTouched(tip) {
  if (!canPoint()) tip.hidden = true
}

/** Show the text of the card that is pointed at, focused or touched: beside it, or as a line where nothing can point. */
export function showTips(board, tip) {
  let shown = null
  const show = event => {
    const thing = event.target.closest("[data-tip]")
    if (thing === shown && !tip.hidden) return
    shown?.removeAttribute("aria-describedby")
    shown = thing
    tip.hidden = !thing || !byId("menu").hidden
    if (!thing) return
    tip.textContent = `${thing.getAttribute("aria-label") ?? thing.textContent.trim()}: ${thing.dataset.tip}`
    thing.setAttribute("aria-describedby", tip.id)
    place(tip, thing)
  }
  for (const name of ["pointerover", "focusin", "click"]) board.addEventListener(name, show)
  // A line above the list stays: if it went when a finger comes down on the list, the list would move from under the finger.
  for (const name of ["pointerleave", "focusout"]) board.addEventListener(name, event => { if (canPoint() && event.pointerType !== "touch") tip.hidden = true })
  addEventListener("scroll", () => {
    if (canPoint()) tip.hidden = true
    if (opener?.isConnected && !byId("menu").hidden) place(byId("menu"), opener)
  }, { passive: true })
}

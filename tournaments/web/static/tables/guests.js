// What a person does at a table beside playing: give a name, share the page behind a curtain, and say how the game was.

import { byId, h, nameOf, request } from "../dom.js"

const page = byId("main")
const seats = JSON.parse(page.dataset.together) // those that share this page, none on most
const PUBLIC = "-2" // the viewer behind the curtain
const isBehind = seats.length > 0 && page.dataset.viewer === PUBLIC

/** Return the address of the page that is shared: a seat's own view, or what is public. */
function shared(seat, isHidden) {
  const others = seats.filter(one => one !== seat).map(one => one.key).join(".")
  return `/t/${seat.key}?${isHidden ? `viewer=${PUBLIC}&` : ""}with=${others}`
}

/** What the shared page adds to all its addresses. */
export const sharing = new URLSearchParams(location.search).get("with") ? `with=${new URLSearchParams(location.search).get("with")}` : ""

/** Let the curtain fall before another person of this page; returns whether the page goes. */
export function passOn(position) {
  if (!seats.length) return false
  const next = seats.find(({ seat }) => seat === position.view.player)
  if (!isBehind) {
    if (!next || next.key === page.dataset.key) return false
    page.hidden = true
    location.replace(shared(next, true))
    return true
  }
  const curtain = byId("curtain")
  const who = next && nameOf(next.seat)
  const shown = curtain.querySelector("button")?.textContent ?? ""
  curtain.hidden = position.view.player === null
  if (!next) curtain.replaceChildren(h("p", {}, `${nameOf(position.view.player)} is to move.`))
  else if (!shown.includes(who)) {
    curtain.replaceChildren(
      h("p", {}, `${who} is next. All others look away.`),
      h("button", { type: "button", click: () => location.replace(shared(next, false)) }, `Show what ${who} sees`),
    )
    curtain.querySelector("button").focus()
  }
  return false
}

// --- names ----------------------------------------------------------------------------------------------------------

async function giveName(event) {
  event.preventDefault()
  const said = byId("name-status")
  try {
    await request(`/t/${page.dataset.key}/name`, { name: byId("own-name").value })
    byId("naming").hidden = true
  } catch (error) {
    said.textContent = error.message
  }
}

// --- feedback -------------------------------------------------------------------------------------------------------

/** Ask the people of this page for feedback, once the game is over, and show what else they may do. */
export function drawFeedback({ feedback, can }) {
  if (byId("naming") && !can.name) byId("naming").hidden = true
  byId("analysis").hidden = !can.advice
  const place = byId("feedback")
  place.hidden = !feedback.length
  for (const { seat, rating, note } of feedback) {
    if (!place.querySelector(`[data-seat="${seat}"]`)) place.append(feedbackForm(seat, rating, note))
  }
}

function feedbackForm(seat, rating, note) {
  const { best, longestNote } = page.dataset
  const key = seats.find(one => one.seat === seat)?.key ?? page.dataset.key
  const name = `rating-${seat}`
  const marks = Array.from({ length: Number(best) }, (_none, index) => index + 1)
  const status = h("span", { role: "status" }, rating ? "Thank you." : "")
  const send = async event => {
    event.preventDefault()
    const form = event.target
    try {
      await request(`/t/${key}/feedback`, { rating: Number(form.elements[name].value), note: form.elements.note.value })
      status.textContent = "Thank you."
    } catch (error) {
      status.replaceChildren(h("span", { role: "alert" }, error.message))
    }
  }
  return h("form", { "data-seat": seat, submit: send, class: "feedback" },
    h("fieldset", {}, h("legend", {}, seats.length ? `${nameOf(seat)}, how did you like the game?` : "How did you like the game?"),
      h("span", { class: "about" }, "not at all"),
      marks.map(mark => h("label", {}, h("input", { type: "radio", name, value: mark, required: true, checked: mark === rating }), String(mark))),
      h("span", { class: "about" }, "very much")),
    h("label", {}, "What should the designer know? ", h("input", { name: "note", maxlength: longestNote, value: note ?? "", autocomplete: "off" })),
    h("button", { type: "submit" }, "Send"), " ", status)
}

// --- start ----------------------------------------------------------------------------------------------------------

/** Say that this link leads nowhere any more. */
export function leave(reason) {
  page.replaceChildren(h("p", { role: "alert" }, `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`))
}

byId("naming")?.addEventListener("submit", giveName)

// Elements and requests, as all pages of tables need them.

const SVG = "http://www.w3.org/2000/svg"
const DRAWN = new Set(["svg", "g", "path", "circle", "rect", "line", "text", "title", "polyline"])

/** Return a new element; an attribute that is a function listens to the event of its name. */
export function h(tag, attributes = {}, ...children) {
  const element = DRAWN.has(tag) ? document.createElementNS(SVG, tag) : document.createElement(tag)
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(name, value)
    else if (value === true) element.setAttribute(name, "")
    else if (value !== false && value !== null && value !== undefined) element.setAttribute(name, value)
  }
  element.append(...children.flat(Infinity).filter(child => child !== null && child !== undefined && child !== false))
  return element
}

/** Return the element with this id. */
export const byId = id => document.getElementById(id)

/** Return the answer to a request as plain values; raises an Error with the server's sentence. */
export async function request(path, body) {
  const options = body === undefined ? {} : {
    method: "POST", headers: { "Content-Type": "application/json" }, body: JSON.stringify(body),
  }
  let response
  try {
    response = await fetch(path, { ...options, headers: { Accept: "application/json", ...options.headers } })
  } catch {
    throw new Error("The server does not answer.")
  }
  const text = await response.text()
  let answer
  try {
    answer = text ? JSON.parse(text) : {}
  } catch {
    answer = { error: text.trim() }
  }
  if (!response.ok) throw Object.assign(new Error(answer.error || `The server answers with status ${response.status}.`), { field: answer.field ?? "" })
  return answer
}

/** Run a task with a sign of progress in `place`, a button that cancels it, and its error if it fails. */
export async function busy(place, text, task, cancel) {
  const began = performance.now()
  const clock = h("span", {}, text)
  const stop = cancel ? h("button", { type: "button", click: cancel }, "Stop") : null
  place.replaceChildren(h("progress", { "aria-label": text }), clock, stop ?? "")
  const timer = setInterval(() => { clock.textContent = `${text}, ${Math.round((performance.now() - began) / 1000)} s` }, 1000)
  try {
    const answer = await task()
    place.replaceChildren()
    return answer
  } catch (error) {
    place.replaceChildren(h("span", { role: "alert" }, error.message))
    return null
  } finally {
    clearInterval(timer)
  }
}

/** Keep the state of a checkbox in this browser; `isOn` is that of the first time. */
export function keepSetting(id, isOn) {
  byId(id).checked = (localStorage.getItem(id) ?? (isOn ? "on" : "off")) === "on"
  byId(id).addEventListener("change", event => localStorage.setItem(id, event.target.checked ? "on" : "off"))
}

// Rules and the server call players by their numbers, from 0; pages call them by their names.

let names = []
let words = {} // how else the view of a game calls things: "the caboose" for "car 0"
let called = /(?!)/g

export const setNames = found => { names = found }
export function setWords(found) {
  words = found
  const keys = Object.keys(words).map(key => key.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"))
  called = keys.length ? new RegExp(`\\b(${keys.join("|")})\\b`, "g") : /(?!)/g
}
export const nameOf = seat => names[seat] ?? `player ${seat + 1}`

const replaced = (text, seats, mask) => String(text).replace(called, found => mask(words[found])).replace(/\b(player|pawn) (\d+)\b/gi, (all, what, seat) =>
  seats[seat] === undefined ? all : what.toLowerCase() === "pawn" ? `the pawn of ${seats[seat]}` : seats[seat])

/** Return a text with the names of the players and things that it mentions. */
export const named = text => replaced(text, names, word => word)

const ENTITIES = { "&": "&amp;", "<": "&lt;", ">": "&gt;", '"': "&quot;" }

/** The same of HTML: its texts and labels, but not the words by which things are chosen. */
export function namedHtml(html) {
  const escape = name => name.replace(/[&<>"]/g, found => ENTITIES[found])
  const escaped = names.map(escape)
  return html.replace(/>[^<]+<|aria-label="[^"]*"/g, found => replaced(found, escaped, escape))
}

// The page of a table: it draws what the server sends, and posts the numbers of actions. It knows no rules.

import { startAnalysis } from "./analysis.js"
import { byId, h, keepSetting, named, namedHtml, nameOf, request, setNames, setWords } from "../dom.js"
import { specChooser } from "../forms.js"
import { drawFeedback, leave, passOn, sharing } from "./guests.js"
import { closeMenu, hideTouched, openMenu, showTips } from "./menu.js"
import { markNew, redraw } from "./motion.js"
import { hideRoundEnd, isPaused, offerPauses, pauses, roundEnd, showRoundEnd } from "./rounds.js"

const page = byId("main")
const { key } = page.dataset
const path = `/t/${key}`
const query = [location.search.match(/viewer=-[12]/)?.[0], sharing].filter(Boolean).join("&")
const agents = JSON.parse(page.dataset.agents)
const title = document.title

let present = null // the position of the table
let shown = null // the position on the page: the present one, or another that was stepped to
let log = []
let picked = []
let typed = ""

const isPresent = () => shown === present
const address = (name, extra = "") => {
  const words = [query, extra].filter(Boolean).join("&")
  return `${path}/${name}${words ? `?${words}` : ""}`
}

// --- what comes from the server ------------------------------------------------------------------------------------

let events = null

function listen() {
  events = new EventSource(address("events"))
  events.addEventListener("position", event => receive(JSON.parse(event.data)))
  events.addEventListener("thinking", event => showThinking(JSON.parse(event.data)))
  events.addEventListener("fault", event => say(JSON.parse(event.data).error, true))
  events.addEventListener("gone", event => {
    events.close()
    leave(JSON.parse(event.data).error)
  })
  events.onopen = () => showConnection(true)
  events.onerror = () => {
    showConnection(false)
    if (events.readyState === EventSource.CLOSED) setTimeout(listen, 2000)
  }
}

function showConnection(isThere) {
  byId("connection").hidden = isThere
}

function receive(position) {
  showConnection(true)
  const follows = shown === null || isPresent()
  log = [...log.slice(0, position.log_from), ...position.log]
  setNames(position.seats.map(({ name }) => name))
  if (passOn(position)) return
  announceTurn(present, position)
  const ended = follows && pauses() && endOfRound(present, position)
  present = position
  drawFeedback(position)
  if (ended) pause(ended)
  else if (follows) draw(position)
  else drawControls()
}

/** Return the end of a round between two positions of a game that goes on, for one who plays; nothing where there is none. */
function endOfRound(before, { view, line }) {
  const goesOn = before && view.viewer >= 0 && view.player !== null && line?.[before.view.ply] === before.position
  return goesOn && view.round > before.view.round ? roundEnd(log.slice(before.view.ply, view.ply)) : null
}

function pause(ended) {
  showRoundEnd(told(ended), () => draw(present), isByChoiceOfKeys())
  drawActions()
  drawControls()
  say("The round is over.")
}

const isOwnTurn = position => Boolean(position?.can.play && position.view.actions)

/** Say in the tab's title that it is this person's turn, and with a sound, if that is wanted, when it becomes that. */
function announceTurn(before, after) {
  const who = after.view.player === null ? "over" : isOwnTurn(after) ? "your turn" : nameOf(after.view.player)
  document.title = `${isOwnTurn(after) ? "● " : ""}${who} · ${title}`
  if (byId("sound").checked && before && isOwnTurn(after) && !isOwnTurn(before)) beep()
}

function beep() {
  const audio = new AudioContext()
  const tone = audio.createOscillator()
  const volume = audio.createGain()
  volume.gain.value = 0.1
  tone.connect(volume).connect(audio.destination)
  tone.start()
  tone.stop(audio.currentTime + 0.15)
  tone.onended = () => audio.close()
}

let stepping = Promise.resolve()

/** Show another visited position; the table stays where it is. */
function step(number) {
  stepping = stepTo(number)
  return stepping
}

async function stepTo(number) {
  if (number === undefined || number < 0) return
  if (present && number === present.position) {
    draw(present)
    return
  }
  try {
    draw(await request(address("position", `at=${number}`)))
  } catch (error) {
    say(error.message, true)
  }
}

const goToPly = ply => step((present.line ?? [])[ply])

/** Post a change of the table, and say what the server refuses. */
async function change(name, body = {}) {
  say("")
  page.classList.add("waiting")
  try {
    await request(address(name), body)
    return true
  } catch (error) {
    say(error.message, true)
    return false
  } finally {
    page.classList.remove("waiting")
  }
}

function say(text, isWrong = false) {
  const place = byId(isWrong ? "alert" : "status")
  if (!text) byId("alert").textContent = ""
  place.textContent = text
}

// --- the picture ----------------------------------------------------------------------------------------------------

function draw(position) {
  const former = shown
  shown = position
  picked = []
  closeMenu()
  isByKeys ||= isPaused() && isByChoiceOfKeys()
  hideRoundEnd()
  hideTouched(byId("tip"))
  setWords(wordsOf(position.board))
  isByKeys = redraw(byId("board"), namedHtml(position.board)) || isByKeys
  history.replaceState(null, "", isPresent() ? location.pathname + location.search : `#${position.position}`)
  drawSeats()
  drawActions()
  drawSince()
  drawLog()
  drawControls()
  say(headline())
  markLast(former)
  letKeysScroll()
}

/** Let keys scroll the drawings that are wider than the page and have nothing else to focus. */
function letKeysScroll() {
  for (const place of byId("board").querySelectorAll(".scroll")) {
    if (place.scrollWidth > place.clientWidth && !place.querySelector("[tabindex='0']")) place.tabIndex = 0
  }
}

/** Return how the view of the game calls things that have other names in its texts. */
function wordsOf(board) {
  const found = /^<div class="board" data-words="([^"]*)"/.exec(board.trim())
  return found ? JSON.parse(new DOMParser().parseFromString(found[1], "text/html").documentElement.textContent) : {}
}

/** Mark on the board what the last action changed there, also for those who come to the table after it. */
async function markLast(former) {
  const at = shown
  if (at.parent < 0) return
  try {
    const before = former?.position === at.parent ? former : await request(address("position", `at=${at.parent}`))
    if (shown === at) markNew(byId("board"), namedHtml(before.board))
  } catch (error) {
    say(error.message, true)
  }
}

const MOST_GROUPS = 4

/** Say what is asked for; at the end, who won and why. */
function headline() {
  const { view } = shown
  if (view.player === null) {
    const winners = view.players.flatMap((player, number) => player.result === "win" ? [nameOf(number)] : [])
    const why = (log[view.ply - 1]?.events ?? []).filter(({ name, text }) => text && name !== "result").map(({ text }) => named(text))
    return [`The game is over${winners.length ? `: ${winners.join(" and ")} won` : ""}.`, why.length ? `${sentence(shortened(why))}.` : ""].join(" ").trim()
  }
  if (view.player !== view.viewer || !shown.can.play) return `${sentence(nameOf(view.player))} is to move.`
  if (!isPresent()) return "An earlier position: to play on from here, take back what followed."
  const asked = byId("board").querySelector(".board")?.dataset.prompt ?? (view.actions?.length === 1 ? view.actions[0].text : "")
  if (asked) return `Your turn: ${named(asked)}${asked.endsWith("?") ? "" : "."}`
  const groups = [...new Set((view.actions ?? []).map(({ group }) => group))]
  const kinds = groups.length > MOST_GROUPS ? [...groups.slice(0, MOST_GROUPS - 1), "others"] : groups
  return kinds.length ? `Your turn: ${kinds.join(", ").replace(/, ([^,]*)$/, " or $1")}.` : "Your turn."
}

const LONGEST_REASON = 160

/** Return what happened at the end in a few lines; the log has all of it. */
const shortened = texts => texts.join("; ").length > LONGEST_REASON ? [texts[0], "…", texts.at(-1)].join("; ") : texts.join("; ")

const sentence = text => text.charAt(0).toUpperCase() + text.slice(1)

function drawSeats() {
  const focused = byId("seats").contains(document.activeElement)
  if (focused && document.activeElement.closest("details[open]")) return // somebody fills in a form there
  byId("seats").replaceChildren(...shown.seats.map((seat, number) => h("li", { class: `p${number % 8}` },
    h("span", { class: "dot" }), seat.name === seat.agent ? null : h("span", {}, seat.name), h("b", {}, seat.agent),
    h("span", { class: "thought", "data-seat": number }, seat.is_thinking ? h("progress", { "aria-label": `${seat.agent} thinks` }) : null),
    present.can.seat ? replaceForm(number, seat.agent) : null)))
}

function replaceForm(number, spec) {
  let chooser = null // made when it is first opened: forms of all seats would take as long as the rest of the page
  const replace = async () => {
    if (!await change("seat", { seat: number, agent: chooser.spec() })) return
    form.open = false
    drawSeats() // the event may have come while the form was open
  }
  const toggle = () => {
    if (!form.open) return
    if (!chooser) {
      chooser = specChooser("agent", ["human", ...agents], spec, `&key=${key}`)
      form.append(chooser, h("button", { type: "button", click: replace }, "Replace"))
    }
    chooser.open()
  }
  const form = h("details", { toggle }, h("summary", {}, "replace"))
  return form
}

/** Count the seconds of a search beside its seat, until the next picture. */
function showThinking({ seat, agent, seconds }) {
  const place = document.querySelector(`.thought[data-seat="${seat}"]`)
  if (!place) return
  const clock = h("span", {})
  const began = performance.now() - 1000 * seconds
  place.replaceChildren(h("progress", { "aria-label": `${agent} thinks` }), clock)
  const timer = setInterval(() => {
    if (!clock.isConnected) clearInterval(timer)
    clock.textContent = ` ${Math.round((performance.now() - began) / 1000)} s`
  }, 1000)
}

// --- actions --------------------------------------------------------------------------------------------------------

/** Looking back is not playing: who wants to go on from an earlier position asks for that first. */
const canPlay = () => isPresent() && isOwnTurn(shown)

/** Say whether a text mentions a label as whole words. */
function mentions(text, label) {
  const escaped = label.replace(/[.*+?^${}()|[\]\\]/g, "\\$&")
  return new RegExp(`(?<![\\p{L}\\p{N}_])${escaped}(?![\\p{L}\\p{N}_])`, "u").test(text)
}

function candidates(labels = picked) {
  const filter = byId("filter").value.trim().toLowerCase()
  return (shown.view.actions ?? [])
    .map((action, number) => ({ ...action, number }))
    .filter(({ text }) => labels.every(label => mentions(text, label)) && text.toLowerCase().includes(filter))
}

let isByKeys = false // whether the last choice was made by keys, which then go on with the next ones
const isByChoiceOfKeys = () => ["actions", "board", "round"].some(id => byId(id).contains(document.activeElement)) && document.activeElement.matches(":focus-visible")

function drawActions() {
  const actions = candidates()
  isByKeys ||= isByChoiceOfKeys()
  const total = shown.view.actions?.length ?? 0
  const groups = new Map()
  for (const action of actions) groups.set(action.group, [...groups.get(action.group) ?? [], action])
  byId("filter").hidden = total < 12
  byId("actions").parentElement.classList.toggle("many", total > 10)
  byId("narrowed").textContent = picked.length ? `${actions.length} of ${total} with ${named(picked.join(", "))} · ` : ""
  byId("clear").parentElement.hidden = !picked.length
  const button = ({ text, number }) => h("button", { type: "button", "data-number": number, disabled: !canPlay(), click: () => play(number) },
    h("small", { "aria-hidden": "true" }, String(number + 1)), h("span", {}, named(text)))
  byId("actions").replaceChildren(...[...groups].map(([group, members]) => h("section", { "aria-label": group },
    groups.size > 1 ? h("h4", {}, group) : null, h("div", {}, members.map(button)))))
  if (!total) byId("actions").replaceChildren(h("p", { class: "about" }, shown.view.player === null ? "The game is over." : "It is not your turn."))
  const next = byId("actions").querySelector("button:enabled")
  if (isByKeys && next) {
    if (document.activeElement === document.body) next.focus({ preventScroll: true })
    isByKeys = false
  }
  const texts = actions.map(({ text }) => text)
  for (const thing of byId("board").querySelectorAll("[data-pick]")) {
    const { pick } = thing.dataset
    const isPicked = picked.includes(pick)
    thing.classList.toggle("picked", isPicked)
    thing.classList.toggle("idle", !canPlay() || !isPicked && !texts.some(text => mentions(text, pick)))
    thing.setAttribute("aria-pressed", isPicked)
  }
  for (const thing of byId("board").querySelectorAll("[data-action]")) thing.classList.toggle("idle", !canPlay() || picked.length > 0)
}

/** Play an action, once. */
async function play(number) {
  typed = ""
  if (!canPlay() || page.classList.contains("waiting")) return
  if (await change("play", { at: shown.position, number })) byId("filter").value = ""
}

/**
 * Add a label to what is picked, and play the action if it is the only one. Else the others are offered at the piece,
 * but for those that a place on a drawing chooses; the same piece again is put back.
 */
function pick(thing) {
  if (!canPlay()) return
  const label = thing.dataset.pick
  closeMenu()
  if (picked.includes(label)) {
    clearPicks()
    return
  }
  const more = [...picked, label]
  const labels = candidates(more).length ? more : [label]
  const left = candidates(labels)
  if (left.length === 1) {
    play(left[0].number)
    return
  }
  picked = labels
  drawActions()
  if (!areOnDrawing(left)) openMenu(thing, left.map(({ text, number }) => ({ text: named(text), number })), play)
}

/** Say whether each of these actions has a place on a drawing that chooses it alone. */
function areOnDrawing(actions) {
  const labels = new Set([...byId("board").querySelectorAll("svg [data-pick]")].map(thing => thing.dataset.pick))
  const alone = new Set()
  for (const label of labels) {
    const found = picked.includes(label) ? [] : actions.filter(({ text }) => mentions(text, label))
    if (found.length === 1) alone.add(found[0].number)
  }
  return actions.every(({ number }) => alone.has(number))
}

function clearPicks() {
  if (!shown) return // the first position is on its way
  closeMenu()
  hideTouched(byId("tip"))
  picked = []
  byId("filter").value = ""
  drawActions()
}

function activate(event) {
  const thing = event.target.closest("[data-action], [data-pick]")
  if (!thing || !byId("board").contains(thing)) return false
  if (thing.dataset.action !== undefined) play(Number(thing.dataset.action))
  else pick(thing)
  return true
}

// --- log and controls -------------------------------------------------------------------------------------------------

/** Return an entry of the log in words, followed by what happened. */
const told = ({ player, text, events }) => [`${nameOf(player)}: ${named(text)}`, ...events.map(event => named(event.text)).filter(Boolean)]

const MOST_SINCE = 12

/** List what happened since this person decided last; at the beginning, what was dealt. */
function drawSince() {
  const { view } = shown
  const earlier = log.slice(0, view.ply)
  const own = earlier.findLastIndex(({ player }) => player === view.viewer)
  const lines = [...own < 0 ? view.set_up.map(event => event.text).filter(Boolean).map(named) : [], ...earlier.slice(own + 1).flatMap(told)]
  const left = Math.max(lines.length - MOST_SINCE, 0)
  byId("since").hidden = view.viewer < 0 || !lines.length
  byId("since").querySelector("ul").replaceChildren(...left ? [h("li", {}, `${left} more before, in the log`)] : [], ...lines.slice(left).map(line => h("li", {}, line)))
}

function drawLog() {
  const list = byId("log")
  const entry = (one, index) => {
    const [action, ...followed] = told(one)
    return h("li", { class: `p${one.player % 8}` },
      h("button", { type: "button", "data-ply": index + 1, click: () => goToPly(index + 1) }, h("span", { class: "dot" }), action),
      ...followed.map(text => h("p", {}, text)))
  }
  const words = one => one && told(one).join("")
  const kept = [...list.children].findIndex((item, index) => item.textContent !== words(log[index]))
  const same = kept < 0 ? list.children.length : kept
  while (list.children.length > same) list.lastChild.remove()
  list.append(...log.slice(same).map((one, index) => entry(one, index + same)))
  for (const item of list.children) item.classList.toggle("future", item.firstChild.dataset.ply > shown.view.ply)
  const current = list.children[shown.view.ply - 1]
  for (const item of list.children) item.classList.toggle("last", item === current)
  if (current) requestAnimationFrame(() => { list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2 })
}

function drawControls() {
  const { can } = present
  byId("note").textContent = present.note
  offerPauses([{ events: present.view.set_up }, ...log])
  const line = present.line ?? []
  const at = line.indexOf(shown.position)
  const enable = (id, isPossible) => { byId(id).disabled = !isPossible }
  enable("start", shown.view.ply > 0)
  enable("back", shown.view.ply > 0)
  enable("forward", at >= 0 ? at < line.length - 1 : shown.children?.length > 0)
  enable("end", at < 0 || at < line.length - 1)
  byId("pace").hidden = !can.pace || present.seats.every(({ agent }) => agent === "human" || agent.startsWith("human:"))
  enable("undo", can.undo)
  enable("redo", can.redo)
  byId("undo").hidden = byId("redo").hidden = !can.go
  byId("go").hidden = isPresent() || !can.go
  byId("to-present").hidden = isPresent()
  byId("ply").textContent = `after ${shown.view.ply} of ${Math.max(line.length - 1, present.view.ply)} actions`
  byId("paused").textContent = present.pace?.paused ? "Play on" : "Pause"
  byId("save").hidden = can.save === false
  byId("rematch").hidden = !can.rematch || Boolean(present.rematch)
  byId("again").hidden = !present.rematch
  byId("again").href = present.rematch
  enable("ask", shown.can.ask)
  const branches = shown.children?.length > 1 ? shown.children : []
  byId("branches").replaceChildren(...branches.length ? ["Branches: ", ...branches.map((child, index) =>
    h("button", { type: "button", click: () => step(child.position) }, named(child.text ?? `branch ${index + 1}`)))] : [])
}

function stepBy(direction) {
  const line = present.line ?? []
  const at = line.indexOf(shown.position)
  if (direction < 0) return step(at > 0 ? line[at - 1] : shown.parent)
  return step(at >= 0 ? line[at + 1] : shown.children?.[0]?.position)
}

const controls = {
  start: () => step(0),
  back: () => stepBy(-1),
  forward: () => stepBy(1),
  end: () => step((present.line ?? []).at(-1) ?? present.position),
  "to-present": () => draw(present),
  undo: () => change("undo").then(follow),
  redo: () => change("redo").then(follow),
  go: () => stepping.then(() => change("go", { at: shown.position })).then(follow),
  paused: () => change("pace", { ...present.pace, paused: !present.pace?.paused }),
  rematch: meetAgain,
  clear: clearPicks,
}

async function meetAgain() {
  try {
    location.href = (await request(address("rematch"), {})).href
  } catch (error) {
    say(error.message, true)
  }
}

/** Show the present position again after a change of the table. */
function follow(isDone) {
  if (isDone && !isPresent()) draw(present)
}

// --- keys -----------------------------------------------------------------------------------------------------------

let typing = 0

const WAYS = { ArrowLeft: "left", ArrowRight: "right", ArrowUp: "up", ArrowDown: "down" }

/** Arrows move through the actions, or play those that are called after them; digits choose one by its number, Escape forgets what was picked. */
function press(event) {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest("input, select, textarea")) return
  const buttons = [...(event.target.closest("#menu") ?? byId("actions")).querySelectorAll("button")]
  const at = buttons.indexOf(document.activeElement)
  const meant = byWay(event.key)
  if (/^[0-9]$/.test(event.key)) {
    clearTimeout(typing)
    typed += event.key
    typing = setTimeout(() => { typed = "" }, 900)
    buttons.find(button => button.dataset.number === String(Number(typed) - 1))?.focus()
  } else if (event.key === "Escape") clearPicks()
  else if (event.key === "Enter" && isPaused() && event.target === document.body) {
    event.preventDefault() // else it would also press the choice that has the focus then
    draw(present)
  } else if ((event.key === "Enter" || event.key === " ") && activate(event)) event.preventDefault()
  else if (meant >= 0) {
    play(meant)
    event.preventDefault()
  } else if (at >= 0 && event.key.startsWith("Arrow")) {
    const by = event.key === "ArrowDown" || event.key === "ArrowRight" ? 1 : -1
    buttons[(at + by + buttons.length) % buttons.length].focus()
    event.preventDefault()
  } else if (at < 0 && !activateable(event) && event.key === "ArrowLeft") stepBy(-1)
  else if (at < 0 && !activateable(event) && event.key === "ArrowRight") stepBy(1)
}

/** Return the number of the available action that an arrow stands for, -1 where there is none. */
const byWay = key => canPlay() && key in WAYS ? shown.view.actions.findIndex(({ text }) => text.toLowerCase() === WAYS[key]) : -1

const activateable = event => Boolean(event.target.closest("[data-action], [data-pick], summary"))

// --- start ----------------------------------------------------------------------------------------------------------

for (const [id, act] of Object.entries(controls)) byId(id).addEventListener("click", act)
byId("board").addEventListener("click", activate)
document.addEventListener("click", event => { if (!event.target.closest("#menu, #board [data-pick], #board [data-action], .choices")) clearPicks() })
showTips(byId("board"), byId("tip"))
byId("filter").addEventListener("input", drawActions)
byId("seconds").addEventListener("change", event => change("pace", { paused: false, ...present.pace, seconds: Number(event.target.value) }))
document.addEventListener("keydown", press)
addEventListener("hashchange", () => step(Number(location.hash.slice(1))))
byId("save").href = address("save")
keepSetting("sound", false)
startAnalysis({ path, query: `&key=${key}`, names: agents, shown: () => shown, go: goToPly })
const wanted = /^#\d+$/.test(location.hash) ? Number(location.hash.slice(1)) : -1
listen()
if (wanted >= 0) events.addEventListener("position", () => step(wanted), { once: true })

// The list of tables: the form of a new one.

import { busy, byId, h, request } from "../dom.js"
import { specChooser } from "../forms.js"
import { positionEditor } from "./placed.js"

const form = byId("new-table")
const games = JSON.parse(form.dataset.games)
const agents = JSON.parse(form.dataset.agents)
const choosers = []
const names = []
let bots = [] // of the game that is chosen
const offered = () => ["human", ...agents, ...bots]
const editor = positionEditor(byId("placed"), () => ({ game: game.spec(), players: Number(byId("players").value) }))

const game = specChooser("game", games.map(one => one.name), games[0].name, "", described => {
  const [low, high] = described.players
  const players = byId("players")
  players.min = low
  players.max = high
  players.value = Math.min(high, Math.max(low, Number(players.value) || low))
  bots = games.find(one => one.name === described.name)?.bots ?? []
  for (const chooser of choosers) chooser.offer(offered())
  drawSeats()
  editor.restart()
})

function drawSeats() {
  const wanted = Math.max(1, Number(byId("players").value) || 1)
  while (choosers.length < wanted) choosers.push(specChooser("agent", offered(), choosers.length ? "osla" : "human"))
  while (names.length < wanted) names.push(h("input", { class: "person", maxlength: 40, placeholder: "name", "aria-label": `name of player ${names.length + 1}`, autocomplete: "off" }))
  byId("seat-choices").replaceChildren(...choosers.slice(0, wanted).map((chooser, seat) =>
    h("li", { class: `p${seat % 8}`, change: showNames }, `player ${seat + 1} `, chooser, " ", names[seat])))
  showNames()
}

/** Ask for names of people alone. */
function showNames() {
  names.forEach((field, seat) => { field.hidden = choosers[seat].spec() !== "human" })
}

/** Return the spec of a seat; the name of a person is optional, and a guest without one gives it on arrival. */
function seatSpec(chooser, seat) {
  const spec = chooser.spec()
  const name = names[seat].value.trim()
  return spec === "human" && name ? `human:name=${/[,:=()]/.test(name) ? `(${name})` : name}` : spec
}

async function start(body) {
  const answer = await busy(byId("progress"), "The table is set up", () => request("/tables", body))
  if (answer) location.href = answer.href
}

form.addEventListener("submit", async event => {
  event.preventDefault()
  const seed = byId("seed").value
  const seats = choosers.slice(0, Number(byId("players").value)).map(seatSpec)
  start({ game: game.spec(), players: seats.length, seats, ...(seed ? { seed: Number(seed) } : {}), open: byId("open").checked, free: byId("free").checked, ...await editor.position() })
})
byId("players").addEventListener("input", drawSeats)
byId("players").addEventListener("change", () => editor.restart())
byId("game").addEventListener("change", event => event.target.closest(".fields") ? editor.restart() : editor.clear())
byId("saved").addEventListener("change", async event => {
  try {
    const saved = JSON.parse(await event.target.files[0].text())
    start({ game: saved.game, players: saved.players, seats: saved.seats, open: byId("open").checked, free: byId("free").checked, saved })
  } catch {
    byId("progress").replaceChildren(h("span", { role: "alert" }, "This file is no saved game."))
  }
})
byId("game").append(game)
drawSeats()
game.open()

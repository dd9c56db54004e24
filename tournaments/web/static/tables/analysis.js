// The panel of analysis: what agents think, beliefs about what is hidden, and chances of winning over the game.

import { busy, byId, h, named, nameOf, request } from "../dom.js"
import { specChooser } from "../forms.js"

const DASHES = ["", "6 3", "2 2", "8 2 2 2", "1 3", "10 4", "4 1", "3 3 1 3"]
const percent = share => `${(100 * share).toFixed(0)} %`
const figure = value => typeof value === "number" ? Number(value.toPrecision(3)).toString() : String(value)

/**
 * Make the panel work.
 *
 * @param path the table's address
 * @param names the agents to choose from
 * @param shown returns the position that is shown
 * @param go shows the position after so many plies
 */
export function startAnalysis({ path, query, names, shown, go }) {
  const chosen = byId("asked-agents")
  const progress = byId("analysis-progress")
  const result = byId("analysis-result")
  const stop = () => request(`${path}/stop`, {}).catch(() => {})

  const add = spec => {
    const chooser = specChooser("agent", names.filter(name => name !== "human"), spec, query)
    const row = h("li", {}, chooser, h("button", { type: "button", click: () => row.remove(), "aria-label": "do not ask this agent" }, "×"))
    row.spec = chooser.spec
    chosen.append(row)
  }
  byId("add-agent").addEventListener("click", () => add(names.includes("osla") ? "osla" : names[0]))
  add(names.includes("mcts") ? "mcts" : names[0])
  const playing = specChooser("agent", names.filter(name => name !== "human"), "random", query)
  byId("playing").append(playing)

  const run = (button, text, body, draw) => byId(button).addEventListener("click", async () => {
    const position = shown()
    const answer = await busy(progress, text, () => request(`${path}/${button}`, body(position)), stop)
    if (answer) result.replaceChildren(draw(answer, position))
  })
  run("ask", "The agents think", position => ({ at: position.position, agents: [...chosen.children].map(row => row.spec()) }), drawAdvice)
  run("beliefs", "Dealing what is hidden", position => ({ at: position.position, deals: 200 }), drawBeliefs)
  run("chances", "Playing on", () => ({ deals: 30, agent: playing.spec() }), answer => drawChances(answer, go))
}

// --- advice ------------------------------------------------------------------------------------------------------

function drawAdvice(answer) {
  return h("div", { class: "advice" }, answer.agents.map(agent => h("section", { "aria-label": agent.agent },
    h("h3", {}, agent.agent),
    agent.fault ? h("p", { role: "alert" }, agent.fault) : h("p", { class: "about" },
      "plays ", h("b", {}, agent.choice === null ? "nothing" : textOf(agent, agent.choice)), `, after ${figure(agent.seconds)} s`),
    adviceTable(agent),
    figures(agent.figures ?? {}),
    agent.tree ? treeOf(agent.tree) : null,
  )))
}

const textOf = (agent, number) => named(agent.actions.find(action => action.number === number)?.text ?? `action ${number + 1}`)

function adviceTable(agent) {
  const known = agent.actions.filter(action => Object.keys(action).length > 2)
  if (!known.length) return h("p", { class: "about" }, "It tells no more about the actions.")
  const names = [...new Set(known.flatMap(Object.keys))].filter(name => name !== "number" && name !== "text")
  names.sort((a, b) => (b === "visits") - (a === "visits") || (b === "value") - (a === "value"))
  const rank = action => action.visits ?? action.value ?? 0
  const most = Math.max(1, ...known.map(action => action.visits ?? 0))
  const low = Math.min(0, ...known.map(action => action.value ?? 0)) < 0 ? -1 : 0
  const bar = (name, value) => {
    if (typeof value !== "number" || (name !== "visits" && name !== "value")) return h("td", {}, value === undefined ? "" : figure(value))
    const share = name === "visits" ? value / most : (value - low) / (1 - low)
    const width = Math.min(100, Math.max(0, 100 * share))
    return h("td", { class: `bar ${name}`, style: `--share: ${width.toFixed(1)}%` }, figure(value))
  }
  const row = action => h("tr", { class: action.number === agent.choice ? "chosen" : null },
    h("th", { scope: "row", class: "label" }, named(action.text), action.number === agent.choice ? h("span", { class: "hidden" }, " (chosen)") : null),
    names.map(name => bar(name, action[name])))
  return h("div", { class: "table" }, h("table", {},
    h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "label" }, "action"), names.map(name => h("th", { scope: "col" }, name)))),
    h("tbody", {}, known.sort((a, b) => rank(b) - rank(a)).map(row))))
}

function figures(told) {
  const plain = Object.entries(told).filter(([, value]) => ["number", "string", "boolean"].includes(typeof value))
  return plain.length ? h("p", { class: "about" }, plain.map(([name, value]) => `${name.replaceAll("_", " ")} ${figure(value)}`).join(", ")) : null
}

const busiest = branches => [...branches ?? []].sort((a, b) => (b.visits ?? 0) - (a.visits ?? 0))

/** Return the principal variation and the tree, whose branches are drawn when they are opened. */
function treeOf(tree) {
  const line = []
  for (let node = busiest(tree.children)[0]; node; node = busiest(node.children)[0]) line.push(named(node.text))
  return h("div", {},
    line.length ? h("p", {}, h("b", {}, "Principal variation: "), line.join(", ")) : null,
    h("details", {}, h("summary", {}, "Search tree"), branch(tree)))
}

function branch(node) {
  return h("ul", { class: "tree" }, busiest(node.children).map(child => {
    const label = [named(child.text), h("small", {}, ` ${figure(child.visits ?? "")} visits${child.value === undefined ? "" : `, value ${figure(child.value)}`}`)]
    if (!child.children?.length) return h("li", {}, label)
    const opened = h("details", { toggle: () => { if (opened.children.length === 1) opened.append(branch(child)) } }, h("summary", {}, label))
    return h("li", {}, opened)
  }))
}

// --- beliefs ------------------------------------------------------------------------------------------------------

function drawBeliefs(answer) {
  const places = answer.places ?? []
  if (!places.length) return h("p", { class: "about" }, "Nothing is hidden from you here.")
  return h("div", { class: "advice" }, places.map(place => h("section", { "aria-label": place.component },
    h("h3", {}, named(place.component)),
    h("div", { class: "table" }, h("table", {},
      h("thead", {}, h("tr", {}, h("th", { scope: "col", class: "label" }, "item"), h("th", { scope: "col" }, `share of ${answer.deals} deals`))),
      h("tbody", {}, place.shares.map(({ item, share }) => h("tr", {}, h("th", { scope: "row", class: "label" }, named(item)),
        h("td", { class: "bar visits", style: `--share: ${(100 * share).toFixed(1)}%` }, percent(share))))))))))
}

// --- chances of winning -------------------------------------------------------------------------------------------

/** Return the plies at which another player becomes the favourite, or a share changes by a quarter or more. */
export function turningPoints(plies) {
  const favourite = shares => shares.indexOf(Math.max(...shares))
  return plies.filter((now, index) => {
    const before = plies[index - 1]
    if (!before) return false
    const jump = Math.max(...now.shares.map((share, player) => Math.abs(share - before.shares[player])))
    return jump >= 0.25 || (jump >= 0.1 && favourite(now.shares) !== favourite(before.shares))
  })
}

function drawChances(answer, go) {
  const { plies } = answer
  const last = Math.max(1, plies.at(-1)?.ply ?? 1)
  const x = ply => 40 + 540 * ply / last
  const y = share => 190 - 170 * share
  const points = (player, name) => plies.map(one => `${x(one.ply).toFixed(1)},${y(name === "shares" ? one.shares[player] : one[name]?.[player] ?? one.shares[player]).toFixed(1)}`)
  const turns = turningPoints(plies)
  const players = plies.length ? plies[0].shares.map((_, player) => player) : []
  const words = players.map(player => `${nameOf(player)} ${percent(plies.at(-1).shares[player])}`).join(", ")
  const line = player => [
    h("path", { class: "band", d: `M${points(player, "high").join("L")}L${points(player, "low").reverse().join("L")}Z` }),
    h("polyline", { class: "line", points: points(player, "shares").join(" "), "stroke-dasharray": DASHES[player % DASHES.length] }),
    h("circle", { class: "point", cx: x(plies.at(-1).ply), cy: y(plies.at(-1).shares[player]), r: 3 }),
    h("text", { x: 585, y: y(plies.at(-1).shares[player]) + 4, class: "end" }, `p${player + 1}`)]
  const drawing = h("svg", { viewBox: "-8 0 628 215", role: "img", class: "chances", "aria-label": `Chances of winning over the game; at the end ${words}` },
    [0, 0.5, 1].map(share => [h("line", { x1: 40, x2: 580, y1: y(share), y2: y(share), class: "rule" }), h("text", { x: 34, y: y(share) + 4, class: "scale" }, percent(share))]),
    turns.map(turn => h("line", { x1: x(turn.ply), x2: x(turn.ply), y1: 20, y2: 190, class: "turning" })),
    players.map(player => h("g", { class: `p${player % 8}` }, line(player))))
  const buttons = turns.map(turn => h("button", { type: "button", click: () => go(turn.ply) }, `ply ${turn.ply}`))
  return h("section", { "aria-label": "Chances of winning" }, drawing,
    h("p", { class: "about" }, turns.length ? "Turning points: " : "No turning points.", buttons))
}

// The list of runs, with what can be done with each.

import { byId, h, request } from "../dom.js"
import { optionField } from "./fields.js"

const EVERY = 2000 // milliseconds between two looks
const TEXTS = { pause: "Pause", resume: "Resume", forget: "Remove" }
const rows = new Map()
let forms, names, refuse

async function act(action, run, values) {
  const answer = await request(`/workbench/${action}`, values ? { run, values } : { run })
  byId("news").textContent = answer.said ?? `${run}: ${action}`
  await listRuns.now()
}

const button = (text, run, click) => h("button", { type: "button", "aria-label": `${text} ${run}`, click }, text)

function buttons(run) {
  const found = run.may.map(action => button(TEXTS[action], run.name, () =>
    act(action, run.name).catch(error => { byId("news").textContent = error.message })))
  return run.grows.length ? [...found, button("Extend", run.name, () => extend(run))] : found
}

function draw(run) {
  const name = run.key ? h("a", { href: `/folder/${run.key}` }, run.name) : run.name
  const part = run.total && run.state !== "complete" ? h("progress", { value: Math.min(run.games, run.total), max: run.total, "aria-label": `games of ${run.name}` }) : null
  return h("tr", {},
    h("th", { scope: "row", class: "label" }, name),
    h("td", { class: "label" }, run.kind),
    h("td", { class: "label" }, run.game),
    h("td", { class: "label" }, h("span", { class: `state ${run.state}` }, run.state), run.sentence ? h("span", { class: "sentence" }, run.sentence) : null),
    h("td", {}, run.total ? `${run.games.toLocaleString("en")} of ${run.total.toLocaleString("en")} ` : "", part),
    h("td", { class: "actions" }, buttons(run)))
}

/** Keep rows that have not changed; in those that have, the focus stays on the same button. */
function take(runs) {
  const body = byId("runs")
  for (const [name, known] of rows) if (!runs.some(run => run.name === name)) { known.row.remove(); rows.delete(name) }
  for (const [at, run] of runs.entries()) {
    const text = JSON.stringify(run)
    const known = rows.get(run.name)
    if (known?.text !== text) {
      const focus = known ? [...known.row.querySelectorAll("a, button")].indexOf(document.activeElement) : -1
      const row = draw(run)
      if (known) known.row.replaceWith(row)
      rows.set(run.name, { text, row })
      const parts = row.querySelectorAll("a, button")
      if (focus >= 0) (parts[focus] ?? parts[parts.length - 1])?.focus({ preventScroll: true })
    }
    const { row } = rows.get(run.name)
    if (body.children[at] !== row) body.insertBefore(row, body.children[at] ?? null)
  }
}

function extend(run) {
  const dialog = byId("extension")
  const kind = run.kind === "experiment" ? "tournament" : run.kind
  const { fields } = forms.find(one => one.name === kind)
  const shown = fields.filter(one => run.grows.includes(one.name)).map(one => optionField(
    { ...one, default: "", chosen: [], may_be_empty: true, text: one.kind === "agents" ? "Further agents; the others stay." : "The number in all, with those that there are." }, names, () => {}))
  byId("extension-title").textContent = `Extend ${run.name}`
  byId("more").replaceChildren(...shown)
  refuse(dialog, shown, null)
  dialog.onsubmit = async event => {
    event.preventDefault()
    const values = Object.fromEntries(shown.map(one => [one.field.name, one.value()]).filter(([, value]) => value !== undefined))
    try {
      await act("extend", run.name, values)
      dialog.close()
    } catch (error) {
      refuse(dialog, shown, error)
    }
  }
  byId("no-extension").onclick = () => dialog.close()
  dialog.showModal()
}

/** Keep the list up to date; `listRuns.now` asks at once. */
export function listRuns(kinds, named, refusing) {
  forms = kinds
  names = named
  refuse = refusing
  const look = async () => {
    if (!document.hidden) await listRuns.now()
    setTimeout(look, EVERY)
  }
  look()
}

listRuns.now = async () => {
  try {
    take((await request("/workbench/runs")).runs)
  } catch (error) {
    byId("news").textContent = error.message
  }
}

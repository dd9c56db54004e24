// The workbench: the form of a new run with its command, its estimate and its start, and the list of runs.

import { busy, byId, h, request } from "../dom.js"
import { optionField, searchField } from "./fields.js"
import { listRuns } from "./runs.js"

const form = byId("new")
const kinds = JSON.parse(form.dataset.forms)
const games = JSON.parse(form.dataset.games)
const known = { game: games.map(one => one.name), agent: JSON.parse(form.dataset.agents), learner: JSON.parse(form.dataset.learners) }
let bots = [] // of the game that was chosen last
let fields = []
const names = kind => kind === "agent" ? [...known.agent.filter(name => name !== "human"), ...bots] : known[kind]

function chosen(kind, described) {
  if (kind === "game") {
    bots = games.find(one => one.name === described.name)?.bots ?? []
    for (const field of fields) if (field.field.kind === "agents") field.offer(names("agent"))
  }
  const subject = byId("kind").value === "balancing study" ? "game" : "agent"
  if (kind === subject) fields.find(one => one.describe)?.describe(described)
}

function drawForm() {
  const { fields: options } = kinds.find(one => one.name === byId("kind").value)
  fields = []
  const groups = new Map([["", h("div", {})]])
  for (const option of options) {
    const field = option.name === "search" ? searchField(option) : optionField(option, names, chosen)
    fields.push(field)
    if (!groups.has(option.heading)) groups.set(option.heading, h("details", {}, h("summary", {}, option.heading)))
    groups.get(option.heading).append(field)
  }
  byId("options").replaceChildren(...groups.values())
  check()
}

const asked = () => ({
  kind: byId("kind").value,
  name: byId("name").value.trim(),
  values: Object.fromEntries(fields.map(field => [field.field.name, field.value()]).filter(([, value]) => value !== undefined)),
})

/** Show what is refused at the field that it concerns, and open the part of the form with that. */
function refuse(root, all, error) {
  for (const field of all) field.refuse(error && error.field === field.field.name ? error.message : "")
  const at = error && !all.some(field => field.field.name === error.field) ? error.field : null
  for (const place of root.querySelectorAll("[data-for]")) place.textContent = at !== null && (place.dataset.for === at || (place.dataset.for === "" && at !== "name")) ? error.message : ""
  for (const details of root.querySelectorAll("details")) if (details.querySelector(".refusal:not(:empty)")) details.open = true
}

let number = 0
async function check() {
  const mine = ++number
  try {
    const { command, call } = await request("/workbench/check", asked())
    if (mine !== number) return
    byId("command").textContent = command
    byId("call").textContent = call
    byId("same").hidden = false
    refuse(form, fields, null)
  } catch (error) {
    if (mine !== number) return
    byId("same").hidden = true
    refuse(form, fields, error)
  }
}

let timer = 0
form.addEventListener("input", () => { clearTimeout(timer); timer = setTimeout(check, 250) })
form.addEventListener("change", event => event.target.id === "kind" ? drawForm() : check())

byId("estimate").addEventListener("click", async () => {
  let failed = null
  const answer = await busy(byId("estimated"), "A few games are played", async () => {
    try {
      return await request("/workbench/estimate", asked())
    } catch (error) {
      failed = error
      return null
    }
  })
  if (failed) refuse(form, fields, failed)
  else byId("estimated").textContent = answer.text
})

form.addEventListener("submit", async event => {
  event.preventDefault()
  clearTimeout(timer)
  try {
    const { run } = await request("/workbench/start", asked())
    refuse(form, fields, null)
    byId("name").value = ""
    byId("news").textContent = `${run} has been started.`
    check()
  } catch (error) {
    refuse(form, fields, error)
  }
  listRuns.now()
})

listRuns(kinds, names, refuse)
drawForm()

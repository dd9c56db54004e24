// The fields of the options of a run; each element has `value()`, undefined for the default, and `refuse(sentence)`.

import { h } from "../dom.js"
import { control, formsAt, specChooser } from "../forms.js"

formsAt("/workbench/forms")

let ids = 0
const read = {
  integer: text => Number.isSafeInteger(Number(text)) ? Number(text) : text, // the server refuses a text
  real: text => Number(text),
  flag: text => text === "true",
  lines: text => text.split("\n").map(line => line.trim()).filter(Boolean),
}

/**
 * Return the field of an option.
 *
 * @param field as the server describes it
 * @param names the choices by kind: "game", "agent", "learner"
 * @param chosen is called with the form of a game, agent or learner that has been chosen
 */
export function optionField(field, names, chosen) {
  const id = `option-${ids++}`
  const refusal = h("span", { class: "refusal", role: "alert", id: `${id}-refusal` })
  const about = h("small", { id: `${id}-about` }, field.text)
  const many = { games: "game", agents: "agent" }[field.kind]
  const single = ["game", "learner"].includes(field.kind) ? field.kind : null
  const element = many || single ? chosenField(field, many ?? single, Boolean(many), names, chosen) : typedField(field, id)
  element.append(about, refusal)
  element.field = field
  element.refuse = sentence => {
    refusal.textContent = sentence
    element.querySelectorAll("[aria-invalid]").forEach(one => one.removeAttribute("aria-invalid"))
    const first = element.querySelector("input:not([hidden]), select, textarea")
    if (sentence) first?.setAttribute("aria-invalid", "true")
    first?.setAttribute("aria-describedby", `${id}-about ${id}-refusal`)
  }
  return element
}

function typedField(field, id) {
  const input = field.kind === "lines"
    ? h("textarea", { rows: 1, spellcheck: "false", placeholder: field.example })
    : control({ ...field, choices: field.choices ?? [] })
  if (field.kind === "text") input.placeholder = field.example
  if (field.kind === "lines") input.addEventListener("input", () => { input.rows = Math.min(8, input.value.split("\n").length) })
  input.id = id
  if (field.suggested) input.setAttribute("list", `${id}-suggested`)
  const suggested = field.suggested ? h("datalist", { id: `${id}-suggested` }, field.suggested.map(value => h("option", { value }))) : null
  const element = h("div", { class: "field" }, h("label", { for: id }, field.name.replaceAll("_", " ")), input, suggested)
  element.value = () => {
    const text = input.value.trim()
    if (input.validity.badInput) return "not a number"
    if (text === "" || text === String(field.default)) return undefined
    return (read[field.kind] ?? String)(text)
  }
  return element
}

/** Return a field in which games, agents or a learner are chosen, each with its parameters. */
function chosenField(field, kind, isMany, names, chosen) {
  const list = h("ol", { class: "chosen" })
  const choosers = () => [...list.children].map(item => item.chooser)
  const least = field.may_be_empty ? 0 : 1
  const sign = () => element.dispatchEvent(new Event("change", { bubbles: true }))
  const add = spec => {
    const chooser = specChooser(kind, names(kind), spec ?? names(kind)[0], "", form => { chosen(kind, form); sign() })
    const remove = h("button", { type: "button", click: () => {
      if (choosers().length > least) item.remove()
      list.querySelector("select")?.focus()
      sign()
    } }, "Remove")
    const item = h("li", {}, chooser, isMany ? remove : null)
    item.chooser = chooser
    list.append(item)
    chooser.open()
  }
  const more = h("button", { type: "button", click: () => { add(); sign() } }, `Add ${kind === "agent" ? "an agent" : "a game"}`)
  const element = h("fieldset", {}, h("legend", {}, field.name.replaceAll("_", " ")), list, isMany ? h("span", {}, more) : null)
  const first = field.chosen.length ? field.chosen : least ? [undefined] : []
  first.forEach(add)
  element.value = () => {
    const specs = choosers().map(one => one.spec())
    return isMany ? (specs.length ? specs : undefined) : specs[0]
  }
  element.offer = offered => choosers().forEach(one => one.offer(offered))
  return element
}

/** Return a field with the parameters to search, which `describe` has been told of; without any tick, all are searched. */
export function searchField(field) {
  const rows = h("div", { class: "fields" })
  const about = h("small", {}, field.text)
  const refusal = h("span", { class: "refusal", role: "alert" })
  const element = h("fieldset", {}, h("legend", {}, "search"), rows, about, refusal)
  element.field = field
  element.describe = form => rows.replaceChildren(...form.fields.map(one => h("label", { title: one.text },
    h("span", {}, h("input", { type: "checkbox", value: one.name }), ` ${one.name}`),
    h("input", { type: "text", "aria-label": `values of ${one.name}`, placeholder: one.low === undefined ? "all" : `${one.low}..${one.high}` }))))
  element.value = () => {
    const ticked = [...rows.children].filter(row => row.querySelector(":checked"))
    const texts = ticked.map(row => [row.querySelector(":checked").value, row.querySelector("input:not([type=checkbox])").value.trim()])
    return ticked.length ? texts.map(([name, values]) => values ? `${name}=${values}` : name) : undefined
  }
  element.refuse = sentence => { refusal.textContent = sentence }
  return element
}

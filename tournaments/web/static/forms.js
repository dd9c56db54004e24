// Forms of declared parameters, and the specs that they stand for.

import { h, request } from "./dom.js"

let address = "/tables/forms"

/** Ask another address of the server for forms. */
export const formsAt = path => { address = path }

/** Fill `place` with the fields of the parameters in `form`, the answer of the server. */
function drawFields(place, form) {
  place.replaceChildren(
    h("p", { class: "about" }, form.text),
    ...form.fields.map(field => h("label", { title: field.text }, h("span", {}, field.name), control(field))),
  )
}

/** Return the input of a field. */
export function control(field) {
  const attributes = { name: field.name, "data-default": String(field.default) }
  if (field.kind === "flag" || field.kind === "choice") {
    const choices = field.kind === "flag" ? ["true", "false"] : field.choices.map(String)
    const chosen = String(field.default)
    return h("select", attributes, choices.map(choice => h("option", { selected: choice === chosen }, choice)))
  }
  const type = field.kind === "integer" || field.kind === "real" ? "number" : "text"
  const step = field.kind === "integer" ? 1 : field.kind === "real" ? "any" : null
  // A default may lie outside, such as 0 for the game's budget; a form with an invalid field that is folded away does nothing.
  const low = type === "number" ? Math.min(field.low, field.default) : null
  const high = type === "number" ? Math.max(field.high, field.default) : null
  return h("input", { ...attributes, type, step, min: low, max: high, value: field.default })
}

/** Return the spec of a name with the values in `place` that differ from their defaults. */
function specOf(name, place) {
  const changed = [...place.querySelectorAll("[name]")]
    .filter(field => field.value !== "" && field.value !== field.dataset.default)
    .map(field => `${field.name}=${/[,:]/.test(field.value) ? `(${field.value})` : field.value}`)
  return changed.length ? `${name}:${changed.join(",")}` : name
}

/**
 * Return an element in which a game or an agent is chosen with its parameters.
 *
 * @param kind "game" or "agent"
 * @param names the choices; "other" asks for any spec
 * @param spec what is chosen at first
 * @param query what else goes into the address of forms
 * @param changed is called with the form of a new name
 */
export function specChooser(kind, names, spec, query = "", changed = () => {}) {
  const name = names.includes(spec) ? spec : spec.split(":")[0]
  const isOwn = spec !== name || !names.includes(name)
  const fields = h("div", { class: "fields" })
  const typed = h("input", { type: "text", value: spec, hidden: !isOwn, "aria-label": `${kind} as a spec`, spellcheck: "false" })
  const options = (offered, chosen) => [...offered, "other"].map(one => h("option", { selected: one === chosen }, one))
  const select = h("select", { "aria-label": kind, change: () => open() }, options(names, isOwn ? "other" : name))
  const details = h("details", { hidden: true }, h("summary", {}, "parameters"), fields)
  typed.addEventListener("change", () => open())
  let asked = 0

  async function open() {
    const number = ++asked
    const chosen = select.value
    typed.hidden = chosen !== "other"
    details.hidden = true
    fields.replaceChildren()
    const named = chosen === "other" ? typed.value : chosen
    try {
      const form = await request(`${address}?${kind}=${encodeURIComponent(named)}${query}`)
      if (number !== asked) return
      if (chosen !== "other") {
        drawFields(fields, form)
        details.hidden = !form.fields.length
      }
      changed(form)
    } catch (error) {
      if (number !== asked) return
      fields.replaceChildren(h("span", { role: "alert" }, error.message))
      details.hidden = !(details.open = true)
    }
  }

  const element = h("span", { class: "chooser" }, select, typed, details)
  element.spec = () => select.value === "other" ? typed.value.trim() : specOf(select.value, fields)
  element.open = open
  element.offer = offered => { // other choices; one that is not among them any more gives way to the first
    const kept = [...offered, "other"].includes(select.value)
    select.replaceChildren(...options(offered, kept ? select.value : offered[0]))
    if (!kept) open()
  }
  if (!isOwn) open()
  return element
}

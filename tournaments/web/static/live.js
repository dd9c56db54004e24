// Keeps the sections of a page up to date; what the reader has sorted, filtered, opened and ticked stays.

import { morph } from "./morph.js"
import { prepare } from "./tables.js"

const main = document.getElementById("main")
const state = document.getElementById("state")
const links = document.getElementById("sections")

const parsed = html => Object.assign(document.createElement("template"), { innerHTML: html }).content.firstElementChild

function take({ order: names, changed, at_work: atWork }) {
  for (const { name, html } of changed) {
    const fresh = parsed(`<section id="${name}" aria-labelledby="${name}-title">${html}</section>`)
    prepare(fresh)
    const section = document.getElementById(name)
    if (section) morph(section, fresh)
    else main.append(fresh)
  }
  const sections = names.map(name => document.getElementById(name)).filter(Boolean)
  for (const section of [...main.querySelectorAll(":scope > section")]) if (!sections.includes(section)) section.remove()
  sections.forEach((section, at) => {
    const now = main.querySelectorAll(":scope > section")[at]
    if (now !== section) main.insertBefore(section, now)
  })
  const list = links.cloneNode()
  for (const section of sections) {
    const link = list.appendChild(document.createElement("li")).appendChild(document.createElement("a"))
    link.href = `#${section.id}`
    link.textContent = section.querySelector("h2").textContent
  }
  morph(links, list)
  say(names.length === 0 ? "Reading …" : atWork ? "Live: this page follows what happens." : "Up to date.")
}

/** Show the state of the page, which screen readers read when it changes. */
function say(text) {
  if (state.textContent !== text) state.textContent = text
}

const source = new EventSource(main.dataset.events)
source.addEventListener("sections", event => take(JSON.parse(event.data)))
source.addEventListener("error", () => say("The server does not answer; this page shows how things stood."))

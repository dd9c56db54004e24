// Keeps the sections of a page up to date, and sorts and filters its tables.
"use strict"

const main = document.getElementById("main")
const state = document.getElementById("state")
const filter = document.getElementById("filter")
const order = new Map() // by table: the number of the column and the direction
const open = new Set() // the folded parts that the reader has opened, by section and title

const text = cell => cell.textContent.trim().toLowerCase()
function value(cell) {
  const known = cell.dataset.value ?? ""
  return known === "" || Number.isNaN(Number(known)) ? text(cell) : Number(known)
}
function before(a, b) {
  if (typeof a === "number" && typeof b === "number") return a - b
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1
  return a.localeCompare(b, undefined, { numeric: true })
}

function sort(table) {
  const [column, direction] = order.get(table.dataset.table) ?? [-1, 1]
  table.querySelectorAll("thead th").forEach((head, at) => {
    head.setAttribute("aria-sort", at !== column ? "none" : direction > 0 ? "ascending" : "descending")
  })
  if (column < 0) return
  const body = table.tBodies[0]
  const rows = [...body.rows].map(row => [value(row.cells[column]), row])
  rows.sort(([a], [b]) => direction * before(a, b)).forEach(([, row]) => body.append(row))
}

function sift(table) {
  const wanted = filter.value.trim().toLowerCase()
  for (const row of table.tBodies[0].rows) row.hidden = wanted !== "" && !text(row).includes(wanted)
}

function prepare(root) {
  for (const table of root.querySelectorAll("table.live")) {
    table.querySelectorAll("thead th:not([data-plain])").forEach(head => {
      const button = document.createElement("button")
      button.type = "button"
      button.className = "sort"
      button.title = `${head.title || text(head)}; click to sort`
      button.append(...head.childNodes)
      head.append(button)
      button.addEventListener("click", () => {
        const column = head.cellIndex
        const [last, direction] = order.get(table.dataset.table) ?? [-1, 1]
        order.set(table.dataset.table, [column, last === column ? -direction : 1])
        sort(table)
      })
    })
    sort(table)
    sift(table)
  }
  for (const details of root.querySelectorAll("details")) {
    const name = `${root.id}/${details.querySelector("summary").textContent}`
    details.open ||= open.has(name)
    details.addEventListener("toggle", () => (details.open ? open.add(name) : open.delete(name)))
  }
}

// Remembers what the reader does in a section while it is replaced: the focus, what is scrolled, and what is ticked.
function replace(section, html) {
  const parts = () => [...section.querySelectorAll("a, button, input, summary, [tabindex]")]
  const focus = parts().indexOf(document.activeElement)
  const scrolled = [...section.querySelectorAll(".table")].map(one => one.scrollLeft)
  const ticked = [...section.querySelectorAll("input:checked")].map(one => one.value)
  section.innerHTML = html
  prepare(section)
  section.querySelectorAll(".table").forEach((one, at) => (one.scrollLeft = scrolled[at] ?? 0))
  section.querySelectorAll("input[type=checkbox]").forEach(one => (one.checked = ticked.includes(one.value)))
  if (focus >= 0) parts()[focus]?.focus({ preventScroll: true })
}

function take({ order: names, changed, at_work: atWork }) {
  for (const { name, title, html } of changed) {
    const section = document.getElementById(name) ?? document.createElement("section")
    section.id = name
    section.dataset.title = title
    section.setAttribute("aria-labelledby", `${name}-title`)
    replace(section, html)
    if (!section.isConnected) main.append(section)
  }
  for (const section of [...main.querySelectorAll(":scope > section")]) if (!names.includes(section.id)) section.remove()
  const sections = names.map(name => document.getElementById(name)).filter(Boolean)
  if (sections.some((section, at) => main.querySelectorAll(":scope > section")[at] !== section)) main.append(...sections)
  const links = sections.map(section => {
    const item = document.createElement("li")
    const link = item.appendChild(document.createElement("a"))
    link.href = `#${section.id}`
    link.textContent = section.querySelector("h2").textContent
    return item
  })
  const list = document.getElementById("sections")
  if (list.textContent.replace(/\s+/g, " ").trim() !== links.map(link => link.textContent).join(" ")) list.replaceChildren(...links)
  state.textContent = names.length === 0 ? "Reading …" : atWork ? "Live: this page follows what happens." : "Up to date."
}

filter.addEventListener("input", () => document.querySelectorAll("table.live").forEach(sift))
document.querySelectorAll("main > section").forEach(prepare)
const source = new EventSource(main.dataset.events)
source.addEventListener("sections", event => take(JSON.parse(event.data)))
source.addEventListener("error", () => {
  state.textContent = "The server does not answer; this page shows how things stood."
})

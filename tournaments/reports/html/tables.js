// Sorts and filters tables by their heads. Reports carry this text, live pages import it; without it, tables are only read.

const choices = new Map() // by table: the sorted column, its direction, and what is wanted of columns
const NUMBER = /^[+-]?(\d[\d,]*)?\.?\d+(e[+-]?\d+)?\s*%?$/i
const LIMIT = /^(<=|>=|<|>|=)\s*([+-]?[\d.]+)$/
const SPAN = /^([+-]?[\d.]+)\s*\.\.\s*([+-]?[\d.]+)$/
const HELP = "Rows with this text; of numbers also >5, <=0.3 or 2..7"

const choiceOf = table => {
  table.dataset.table ||= `table-${choices.size}`
  if (!choices.has(table.dataset.table)) choices.set(table.dataset.table, { column: -1, direction: 1, wanted: new Map(), isOpen: false })
  return choices.get(table.dataset.table)
}
const textOf = cell => [...(cell?.childNodes ?? [])].filter(node => node.nodeName !== "SMALL").map(node => node.textContent).join("").trim()
const numberOf = text => NUMBER.test(text) ? Number(text.replace(/[,%\s]/g, "")) : null
const headsOf = table => [...table.tHead.rows[0].cells]
const rowsOf = table => [...table.tBodies].flatMap(body => [...body.rows])

/** Return a number, a text in small letters, or null for no value. */
function valueOf(cell) {
  const text = textOf(cell)
  if (text === "" || text === "-" || text === "nan") return null
  return numberOf(cell.dataset.value ?? text) ?? text.toLowerCase()
}

/** Compare two values: numbers before texts, and what is missing last in either direction. */
function compared(a, b, direction) {
  if (a === null || b === null) return (a === null) - (b === null)
  if (typeof a !== typeof b) return typeof a === "number" ? -1 : 1
  return direction * (typeof a === "number" ? a - b : a.localeCompare(b, undefined, { numeric: true }))
}

/** Give each row of a group its first label, so that rows can be moved and hidden, and leave one body. */
function ungroup(table) {
  for (const head of table.querySelectorAll("th[rowspan]")) {
    head.removeAttribute("rowspan")
    for (const row of [...head.closest("tbody").rows].slice(1)) row.prepend(head.cloneNode(true))
  }
  const [first, ...others] = table.tBodies
  for (const body of others) {
    first.append(...body.rows)
    body.remove()
  }
}

function sort(table) {
  const { column, direction } = choiceOf(table)
  headsOf(table).forEach((head, at) => {
    if (head.querySelector(".sort")) head.setAttribute("aria-sort", at !== column ? "none" : direction > 0 ? "ascending" : "descending")
  })
  const rows = rowsOf(table)
  if (column < 0 && rows.every((row, at) => row.dataset.at === String(at))) return
  ungroup(table)
  const keys = new Map(rows.map(row => [row, column < 0 ? Number(row.dataset.at) : valueOf(row.cells[column])]))
  table.tBodies[0].append(...rows.sort((a, b) => compared(keys.get(a), keys.get(b), direction) || a.dataset.at - b.dataset.at))
}

function fits(cell, wanted) {
  const text = textOf(cell), number = numberOf(text)
  const [, sign, end] = LIMIT.exec(wanted) ?? []
  const [, low, high] = SPAN.exec(wanted) ?? []
  if (low !== undefined) return number !== null && number >= Number(low) && number <= Number(high)
  if (sign === undefined) return text.toLowerCase().includes(wanted)
  const left = number ?? NaN, right = Number(end)
  return sign === "<" ? left < right : sign === "<=" ? left <= right : sign === ">" ? left > right : sign === ">=" ? left >= right : left === right
}

/** Hide the rows that lack what is wanted of their columns, or the text that is wanted of all tables of the page. */
export function sift(table) {
  const wanted = [...choiceOf(table).wanted].filter(([, text]) => text !== "")
  const anywhere = document.getElementById("filter")?.value.trim().toLowerCase() ?? ""
  if (wanted.length || anywhere) ungroup(table)
  for (const row of rowsOf(table)) {
    row.hidden = !(wanted.every(([column, text]) => fits(row.cells[column], text)) && row.textContent.toLowerCase().includes(anywhere))
  }
}

const made = (tag, attributes) => Object.entries(attributes).reduce((element, [name, value]) => {
  element.setAttribute(name, value)
  return element
}, document.createElement(tag))

/** Show or remove the fields below the heads. */
function open(table) {
  const { wanted, isOpen } = choiceOf(table)
  table.querySelector(".sift").setAttribute("aria-expanded", isOpen)
  table.tHead.rows[1]?.remove()
  if (!isOpen) return
  const row = table.tHead.insertRow()
  row.className = "wanted"
  for (const [at, head] of headsOf(table).entries()) {
    const cell = row.appendChild(made("td", {}))
    if (!head.querySelector(".sort")) continue
    const field = cell.appendChild(made("input", { type: "search", "aria-label": `Filter by ${textOf(head)}`, title: HELP, autocomplete: "off" }))
    field.value = wanted.get(at) ?? ""
  }
}

/** Make the tables in an element, also a new one, such that they can be sorted and filtered, as the reader has chosen. */
export function prepare(root) {
  for (const table of root.querySelectorAll("table[data-table]")) {
    headsOf(table).filter(head => !("plain" in head.dataset)).forEach(head => {
      const button = made("button", { type: "button", class: "sort", title: `${head.title || textOf(head)}; click to sort` })
      button.append(...head.childNodes)
      head.append(button)
    })
    rowsOf(table).forEach((row, at) => (row.dataset.at = at))
    const button = made("button", { type: "button", class: "sift", title: "Fields that filter the rows by column" })
    button.textContent = "Filter"
    table.caption?.firstElementChild?.append(" ", button)
    open(table)
    sort(table)
    sift(table)
  }
}

document.addEventListener("click", ({ target }) => {
  const table = target.closest?.("table[data-table]"), button = target.closest?.(".sort, .sift")
  if (!table || !button) return
  const choice = choiceOf(table)
  if (button.className === "sift") {
    choice.isOpen = !choice.isOpen
    if (!choice.isOpen) choice.wanted.clear()
    open(table)
    sift(table)
    table.querySelector(".wanted input")?.focus()
    return
  }
  // Upwards, downwards, and as it was.
  const column = button.closest("th").cellIndex, isSame = choice.column === column
  choice.column = isSame && choice.direction < 0 ? -1 : column
  choice.direction = isSame && choice.direction > 0 ? -1 : 1
  sort(table)
  button.focus({ preventScroll: true })
})
document.addEventListener("input", ({ target }) => {
  const field = target.closest?.(".wanted input")
  if (target.id === "filter") document.querySelectorAll("table[data-table]").forEach(sift)
  if (!field) return
  const table = field.closest("table")
  choiceOf(table).wanted.set(field.parentElement.cellIndex, field.value.trim().toLowerCase())
  sift(table)
})
prepare(document)

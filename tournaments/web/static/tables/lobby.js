// What the host does with tables: copy links, choose who shares a page, add and revoke watchers, search, close and delete.

import { busy, byId, h, request } from "../dom.js"

const progress = byId("progress")
const table = location.pathname.match(/^\/lobby\/([^/]+)$/)?.[1]

const change = (name, what, body, text) => busy(progress, text, () => request(`/lobby/${name}/${what}`, body))

// --- links ----------------------------------------------------------------------------------------------------------

/** Show whole addresses, as they are sent to people. */
function showAddresses() {
  for (const field of document.querySelectorAll("input.link")) field.value = location.origin + field.dataset.href
}

async function copy(button) {
  const field = button.parentElement.querySelector("input.link")
  try {
    await navigator.clipboard.writeText(field.value)
    progress.textContent = `Copied: ${field.getAttribute("aria-label")}.`
  } catch {
    field.select()
    progress.textContent = "The browser does not let pages copy; the link is selected, Ctrl-C copies it."
  }
}

/** Make the link of the page that the chosen people share. */
function drawTogether() {
  const keys = [...byId("together").querySelectorAll("input:checked")].map(box => box.value)
  const [first, ...others] = keys
  const shared = document.querySelector(".shared")
  const href = `/t/${first}?viewer=${byId("together").dataset.public}&with=${others.join(".")}`
  for (const part of shared.children) part.hidden = keys.length < 2
  shared.querySelector("input").dataset.href = href
  shared.querySelector("a").href = href
  showAddresses()
}

async function addWatcher(event) {
  event.preventDefault()
  const found = await change(table, "watchers", { label: byId("label").value }, "The link is made")
  if (!found) return
  byId("watchers").append(h("li", { "data-key": found.key }, h("b", {}, found.label), " ",
    h("input", { class: "link", readonly: true, "data-href": found.href, "aria-label": `link for watcher ${found.label}` }), " ",
    h("button", { type: "button", "data-copy": true }, "Copy"), " ", h("a", { href: found.href }, "open"), " ",
    h("button", { type: "button", "data-revoke": true }, "Revoke")))
  showAddresses()
  byId("label").value = ""
}

async function revoke(item) {
  if (!await change(table, "revoke", { key: item.dataset.key }, "The link is revoked")) return
  item.remove()
  byId("label").focus()
}

// --- tables ---------------------------------------------------------------------------------------------------------

function search() {
  const words = byId("search").value.toLowerCase().split(/\s+/)
  const rows = [...document.querySelectorAll("#list tbody tr")]
  for (const row of rows) {
    const text = `${row.textContent} ${row.dataset.table}`.toLowerCase()
    row.hidden = !words.every(word => text.includes(word))
  }
  const found = rows.filter(row => !row.hidden).length
  byId("matches").textContent = found === rows.length ? `${found} tables` : `${found} of ${rows.length} tables`
}

async function close(button) {
  const { table: name } = button.closest("[data-table]").dataset
  if (await change(name, "close", { closed: button.dataset.close === "true" }, "The table is changed")) location.reload()
}

/** Ask whether a table is to be deleted. */
function askToDelete(button) {
  const { table: name, title } = button.closest("[data-table]").dataset
  const dialog = byId("deletion")
  byId("deleted").textContent = title
  dialog.dataset.name = name
  dialog.returnValue = ""
  dialog.showModal()
}

async function deleteIfWanted({ target: { returnValue, dataset: { name } } }) {
  if (returnValue === "delete" && await change(name, "delete", { name }, "The table is deleted")) location.href = "/tables"
}

// --- start ----------------------------------------------------------------------------------------------------------

document.addEventListener("click", event => {
  const button = event.target.closest("button")
  if (!button) return
  if ("copy" in button.dataset) copy(button)
  else if ("revoke" in button.dataset) revoke(button.closest("li"))
  else if ("close" in button.dataset) close(button)
  else if ("delete" in button.dataset) askToDelete(button)
})
byId("deletion")?.addEventListener("close", deleteIfWanted)
byId("search")?.addEventListener("input", search)
byId("new-watcher")?.addEventListener("submit", addWatcher)
if (byId("together")) {
  byId("together").addEventListener("change", drawTogether)
  drawTogether()
}
showAddresses()

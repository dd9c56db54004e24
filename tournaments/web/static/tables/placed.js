// The editor of a position that is set up by hand: its cells as buttons, and the board that they make.

import { h, request } from "../dom.js"

/**
 * Edit a position in `place`, a <details>, while it is open.
 *
 * @param place the element; its contents are replaced
 * @param chosen returns the game and the number of players
 */
export function positionEditor(place, chosen) {
  const summary = place.querySelector("summary")
  const board = h("div", { class: "board", inert: true }) // a picture: its actions cannot be chosen
  const said = h("p", { role: "status" })
  let shown = null
  let asked = 0
  let isReady = false
  let turn = Promise.resolve()

  /** Show a position, or what is wrong with it; return whether the board looks as before. */
  async function draw(position) {
    const number = ++asked
    const before = board.innerHTML
    try {
      const { game, players } = chosen()
      const answer = await request(`/tables/placed?${new URLSearchParams({ game, players, to_move: 0, ...position })}`)
      if (number !== asked) return false
      if (!shown) build(answer)
      board.innerHTML = answer.board
      said.replaceChildren()
      return board.innerHTML === before
    } catch (error) {
      if (number !== asked) return false
      if (!shown) place.replaceChildren(summary, said)
      said.replaceChildren(h("span", { role: "alert" }, error.message))
      return false
    }
  }

  function build({ cells, values, rows, to_move }) {
    shown = { cells, toMove: to_move }
    const buttons = rows.map(row => h("div", { class: "row" }, row.map(cell => button(cell, values))))
    const limits = { type: "number", min: 0, max: chosen().players - 1, value: to_move }
    const move = event => {
      shown.toMove = Number(event.target.value)
      inTurn(() => draw(query()))
    }
    const player = h("input", { ...limits, change: move })
    const help = "Click a cell for its next value, or type a digit; arrow keys go up and down."
    place.replaceChildren(
      summary, h("p", {}, help), h("div", { class: "cells", role: "group", "aria-label": "cells" }, buttons),
      h("label", { class: "field" }, "player to move ", player), said, board,
    )
  }

  function button(cell, values) {
    const element = h("button", { type: "button" })
    const show = value => {
      shown.cells[cell] = value
      element.textContent = value
      element.dataset.value = Math.min(value, 8)
      element.setAttribute("aria-label", `cell ${cell + 1}: ${value}`)
    }
    const set = value => {
      show((value + values) % values)
      return draw(query())
    }
    const step = by => inTurn(async () => { // values that look alike, such as two of free cells in Connect Four, are one step
      for (let left = values; left > 1 && await set(shown.cells[cell] + by); left--);
    })
    element.addEventListener("click", () => step(1))
    element.addEventListener("keydown", event => {
      const by = { ArrowUp: 1, ArrowDown: -1 }[event.key]
      if (by) event.preventDefault()
      if (by) step(by)
      else if (/^[0-9]$/.test(event.key) && Number(event.key) < values) inTurn(() => set(Number(event.key)))
    })
    show(shown.cells[cell])
    return element
  }

  /** Do one change after the other: each is compared with the board that the one before has made. */
  function inTurn(change) {
    const edited = shown
    turn = turn.then(() => shown === edited ? change() : null)
  }

  /** Return what the request for a table adds for the position; nothing while the editor is closed. */
  function query() {
    return place.open && shown ? { cells: `${shown.cells.join(",")},`, to_move: shown.toMove } : {}
  }

  /** Show nothing while a game is chosen whose number of players is not known yet. */
  function clear() {
    shown = null
    isReady = false
    asked++
    place.replaceChildren(summary)
  }

  /** Begin with the game's own set-up. */
  function restart() {
    clear()
    isReady = true
    if (place.open) draw({})
  }

  place.addEventListener("toggle", () => { if (place.open && isReady && !shown) draw({}) })
  return { clear, restart, position: () => turn.then(query) }
}

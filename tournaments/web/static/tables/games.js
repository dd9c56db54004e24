// The list of recorded games: a click opens one at a table, at its set-up.

import { busy, byId, request } from "../dom.js"

byId("games")?.addEventListener("click", async event => {
  const button = event.target.closest("[data-game]")
  if (!button) return
  const answer = await busy(byId("progress"), `${button.dataset.game} is opened`, () => request("/games", { game_id: button.dataset.game }))
  if (answer) location.href = `${answer.links.at(-1).href}#0`
})

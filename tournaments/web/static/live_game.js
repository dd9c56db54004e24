// Opens a recorded game at a table, at the action that the address names.

import { busy, byId, request } from "./dom.js"

const answer = await busy(byId("progress"), "The game is opened at a table", () => request(location.pathname, {}))
if (answer) location.replace(answer.href + location.hash)

// Brings an element to the state of another, and keeps what both have: focus, selections, scrolling, typed text, open details.

/** Make `old` like `fresh`, which gives up the children that are new. */
export function morph(old, fresh) {
  const focused = document.activeElement
  update(old, fresh)
  // Browsers without moveBefore take the focus from what is moved.
  if (focused !== document.activeElement && old.contains(focused)) focused.focus({ preventScroll: true })
}

function update(old, fresh) {
  if (old.isEqualNode(fresh)) return
  if (old.nodeType !== Node.ELEMENT_NODE) {
    old.nodeValue = fresh.nodeValue
    return
  }
  attributes(old, fresh)
  children(old, fresh)
}

function attributes(old, fresh) {
  const isReaders = name => name === "open" && old.localName === "details" // it tells what the reader has opened
  for (const { name } of [...old.attributes]) {
    if (fresh.hasAttribute(name) || isReaders(name)) continue
    if (name === "tabindex" && old === document.activeElement) old.setAttribute(name, "-1") // it keeps the focus until it can be chosen again
    else old.removeAttribute(name)
  }
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !isReaders(name)) old.setAttribute(name, value)
}

/** The key by which a child is found again among its siblings. */
const keyOf = node => node.dataset?.key ?? (node.id || null)
const isAlike = (one, other) => one.nodeType === other.nodeType && one.nodeName === other.nodeName && one.classList?.[0] === other.classList?.[0]

/** Give `old` the children of `fresh`: those with the same key are kept, of the others those that are alike. */
function children(old, fresh) {
  const known = new Map([...old.children].flatMap(child => keyOf(child) === null ? [] : [[keyOf(child), child]]))
  const wanted = new Set([...fresh.children].map(keyOf))
  const isGone = node => keyOf(node) !== null && !wanted.has(keyOf(node))
  let at = old.firstChild
  for (const next of [...fresh.childNodes]) {
    const key = keyOf(next)
    let match = known.get(key)
    known.delete(key)
    if (match && !isAlike(match, next)) match = null
    else if (key === null) for (match = at; match && (keyOf(match) !== null || !isAlike(match, next));) match = match.nextSibling
    else if (!match && at && isGone(at) && isAlike(at, next)) match = at // another thing in the same place
    if (!match) {
      old.insertBefore(next, at)
      continue
    }
    while (at && at !== match && isGone(at)) at = removed(at)
    if (at === match) at = at.nextSibling
    else if (old.moveBefore && old.isConnected) old.moveBefore(match, at)
    else old.insertBefore(match, at)
    update(match, next)
  }
  while (at) at = removed(at)
}

function removed(node) {
  const next = node.nextSibling
  node.remove()
  return next
}

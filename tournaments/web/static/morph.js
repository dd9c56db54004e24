// Brings an element to the state of another, and keeps what both have: focus, selections, scrolling, typed text, open details.

/** Return the key by which a child is found again among its siblings. */
const keyOf = node => node.id || node.dataset?.key || null

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
  if (old instanceof SVGElement) {
    old.replaceWith(fresh) // drawn at once; nothing in it is the reader's
    return
  }
  for (const { name } of [...old.attributes]) if (!fresh.hasAttribute(name) && !isReaders(old, name)) old.removeAttribute(name)
  for (const { name, value } of fresh.attributes) if (old.getAttribute(name) !== value && !isReaders(old, name)) old.setAttribute(name, value)
  children(old, fresh)
}

/** Say whether an attribute tells what the reader has opened. */
const isReaders = (element, name) => name === "open" && element.nodeName === "DETAILS"

function children(old, fresh) {
  const known = new Map([...old.childNodes].filter(keyOf).map(node => [keyOf(node), node]))
  const wanted = new Set([...fresh.childNodes].map(keyOf))
  const isGone = node => keyOf(node) && (!wanted.has(keyOf(node)) || known.get(keyOf(node)) !== node)
  let at = old.firstChild
  const skip = node => {
    const next = node.nextSibling
    node.remove()
    return next
  }
  for (const child of [...fresh.childNodes]) {
    while (at && isGone(at)) at = skip(at)
    const key = keyOf(child)
    let found = key ? known.get(key) : at
    if (key) known.delete(key)
    else while (found && (keyOf(found) || found.nodeName !== child.nodeName)) found = found.nextSibling
    if (!found) {
      old.insertBefore(child, at)
      continue
    }
    if (found === at) at = at.nextSibling
    else if (old.moveBefore && old.isConnected) old.moveBefore(found, at)
    else old.insertBefore(found, at)
    update(found, child)
  }
  while (at) at = skip(at)
}

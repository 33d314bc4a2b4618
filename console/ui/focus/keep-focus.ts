/**
 * Keeps the focus in the page: when the focused element disappears, with its row, its menu or its screen, the focus goes to
 * what is nearest to its place instead of nowhere, where screen readers start again at the top. It goes to a text field only
 * from a text field: otherwise the next key, meant as a shortcut, would be typed there. Screens with rules of their own,
 * marked with `data-focus="own"`, are left alone.
 */

/** Where an element was when it was removed. */
interface Place {
  parent: Node
  next: Node | null
  previous: Node | null
  /** What came in the same change, such as the value in place of its field. */
  added: readonly Node[]
  /** The index of the element among the controls that were removed with it. */
  index: number
}

const remembered = 20
/** Closed dialogs and new screens set the focus themselves before; where events arrive all the time there is an end. */
const delayMs = 60
const maxDelayMs = 500
const controls = 'a[href], button, input, select, textarea, [tabindex]'
const textFields = 'textarea, select, [contenteditable="true"], input:not([type="checkbox"], [type="radio"])'

const isUsable = (element: HTMLElement) =>
  element.isConnected &&
  !element.matches(':disabled, [inert] *, [aria-hidden="true"] *') &&
  element.checkVisibility({ visibilityProperty: true })

function listControls(node: Node | null): HTMLElement[] {
  if (!(node instanceof HTMLElement)) return []
  const inside = [...node.querySelectorAll<HTMLElement>(controls)]
  return node.matches(controls) ? [node, ...inside] : inside
}

function findPlace(element: HTMLElement, records: readonly MutationRecord[]): Place | undefined {
  for (const { target, removedNodes, nextSibling, previousSibling } of records)
    for (const node of removedNodes)
      if (node.contains(element)) {
        const index = listControls(node).indexOf(element)
        const added = records.flatMap(record => (record.target === target ? [...record.addedNodes] : []))
        return { parent: target, next: nextSibling, previous: previousSibling, added, index }
      }
  return undefined
}

/** Screens with the same navigation: the link that led here is there again. */
function findSameLink(element: HTMLElement): HTMLElement | undefined {
  if (!(element instanceof HTMLAnchorElement)) return undefined
  const { href, textContent } = element
  return [...document.querySelectorAll<HTMLAnchorElement>('main nav a')].find(
    link => link.href === href && link.textContent === textContent,
  )
}

/** What took the place, the same control of the next row, of the previous one, or what contains them. */
function findNear(
  { parent, next, previous, added, index }: Place,
  mayTake: (element: HTMLElement) => boolean,
): HTMLElement | undefined {
  // Menus and dialogs are children of the body: what is beside them does not belong to them.
  if (!parent.isConnected || parent === document.body) return undefined
  const takesPlace = (node: Node) =>
    node.parentNode === parent && (node.previousSibling === previous || node.nextSibling === next)
  const replacement = added.filter(takesPlace).flatMap(listControls).find(mayTake)
  if (replacement) return replacement
  for (const node of [next, previous]) {
    const usable = listControls(node).filter(mayTake)
    const found = usable.find(control => listControls(node).indexOf(control) === index) ?? usable[0]
    if (found) return found
  }
  return (parent as HTMLElement).closest<HTMLElement>('[data-focus="container"]') ?? undefined
}

/** A menu disappears when its item opens a dialog: its button is there when the dialog closes. */
function findMenuButton(element: HTMLElement): HTMLElement | null {
  const button = element.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : null
}

export function keepFocus(): () => void {
  /** The elements that had the focus, the last one first. */
  let recent: HTMLElement[] = []
  let path = location.pathname
  const places = new WeakMap<HTMLElement, Place>()
  const ownRules = new WeakSet<HTMLElement>()
  let timer: ReturnType<typeof setTimeout> | undefined

  let lostAt: number | undefined

  const restore = () => {
    lostAt = undefined
    if (document.activeElement !== document.body) return
    const wasTyping = recent[0]?.matches(textFields)
    const mayTake = (element: HTMLElement) => isUsable(element) && (wasTyping || !element.matches(textFields))
    const findOnScreen = (element: HTMLElement) => {
      if (mayTake(element)) return element
      const place = places.get(element)
      return place && findNear(place, mayTake)
    }
    const find = location.pathname === path ? findOnScreen : findSameLink
    const target = recent.map(find).find(Boolean) ?? document.getElementById('main')
    target?.focus({ preventScroll: true })
  }
  const onMutation = (records: readonly MutationRecord[]) => {
    for (const element of recent)
      if (!element.isConnected && !places.has(element)) {
        const place = findPlace(element, records)
        if (place) places.set(element, place)
      }
    if (!recent[0] || recent[0].isConnected || ownRules.has(recent[0])) return
    lostAt ??= performance.now()
    clearTimeout(timer)
    timer = setTimeout(restore, Math.min(delayMs, lostAt + maxDelayMs - performance.now()))
  }
  const onFocus = ({ target }: FocusEvent) => {
    if (!(target instanceof HTMLElement)) return
    path = location.pathname
    places.delete(target)
    if (target.closest('[data-focus="own"]')) ownRules.add(target)
    const latest = [target, findMenuButton(target)].filter(element => element !== null)
    recent = [...latest, ...recent.filter(element => !latest.includes(element))].slice(0, remembered)
  }
  // A click beside all controls keeps nothing.
  const onBlur = ({ target }: FocusEvent) =>
    queueMicrotask(() => {
      const isLeft = target instanceof HTMLElement && target.isConnected
      if (isLeft && document.activeElement === document.body) recent = []
    })

  const observer = new MutationObserver(onMutation)
  observer.observe(document.body, { childList: true, subtree: true })
  addEventListener('focusin', onFocus)
  addEventListener('focusout', onBlur)
  return () => {
    clearTimeout(timer)
    observer.disconnect()
    removeEventListener('focusin', onFocus)
    removeEventListener('focusout', onBlur)
  }
}

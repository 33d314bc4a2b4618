/** Finds the control that gets the focus when the focused one is removed with its row, its form or its dialog. */

/** Where an ancestor of the control is in its parent. */
interface Level {
  node: Element
  parent: Element
  next: Element | null
  previous: Element | null
  /** The index of the control in the node. */
  index: number
}

type MayTake = (element: HTMLElement) => boolean
export type Find = () => HTMLElement | undefined

const controls = 'a[href], button, input, select, textarea, summary, [tabindex]'
const textFields = 'textarea, select, input:not([type="checkbox"], [type="radio"])'

const isVisible = (element: HTMLElement) =>
  element.isConnected && element.checkVisibility({ visibilityProperty: true })

const isUsable = (element: HTMLElement) =>
  isVisible(element) &&
  element.tabIndex >= 0 &&
  !element.matches(':disabled, [inert] *, [aria-hidden="true"] *')

const listControls = (node: Element): HTMLElement[] => [
  ...(node.matches(controls) ? [node as HTMLElement] : []),
  ...node.querySelectorAll<HTMLElement>(controls),
]

/** Up to the dialog or the screen that contains the control. */
function listLevels(element: HTMLElement, container: Element | null): Level[] {
  const levels: Level[] = []
  let node: Element = element
  while (node !== container && node.parentElement && node.parentElement !== document.body) {
    const { parentElement: parent, nextElementSibling: next, previousElementSibling: previous } = node
    levels.push({ node, parent, next, previous, index: listControls(node).indexOf(element) })
    node = parent
  }
  return levels
}

const isSameKind = (a: Element, b: Element) => a.tagName === b.tagName && a.className === b.className

/** The same control of the next row or of the previous one. */
function findInRow({ node, next, previous, index }: Level, mayTake: MayTake): HTMLElement | undefined {
  for (const row of [next, previous]) {
    if (!row?.isConnected || !isSameKind(row, node)) continue
    const all = listControls(row)
    const found = [all[index], ...all].find(control => control && mayTake(control))
    if (found) return found
  }
  return undefined
}

/** The next entry of a thread takes the focus itself; after the last one comes the composer. */
function findEntry({ node, next }: Level): HTMLElement | undefined {
  if (!node.querySelector('[data-entry]')) return undefined
  const found =
    next?.querySelector<HTMLElement>('[data-entry]') ??
    document.querySelector<HTMLElement>('[data-focus="composer"]')
  return found && isVisible(found) ? found : undefined
}

/** A control that took the place of the node, or that is beside it. */
function findBeside(level: Level, mayTake: MayTake): HTMLElement | undefined {
  const { parent, next, previous } = level
  const children = [...parent.children]
  const from = previous?.isConnected ? children.indexOf(previous) + 1 : 0
  const to = next?.isConnected ? children.indexOf(next) : children.length
  const replaced = children.slice(from, to).flatMap(listControls)
  const before = children.slice(0, from).flatMap(listControls)
  const after = children.slice(to).flatMap(listControls)
  return replaced.find(mayTake) ?? after.find(mayTake) ?? before.findLast(mayTake)
}

/** Screens with the same navigation: the link that led to the next one is there again. */
function findSameLink({ href }: HTMLAnchorElement): HTMLElement | undefined {
  const links = [...document.querySelectorAll<HTMLAnchorElement>('main nav a')]
  return links.find(link => link.href === href && isUsable(link))
}

/** A menu disappears when its item opens a dialog: the button of the menu remains. */
function findMenuButton(element: Element): HTMLElement | null {
  const button = element.closest('[role="menu"]')?.getAttribute('aria-labelledby')
  return button ? document.getElementById(button) : null
}

/**
 * Records the position of the element. The returned function finds the element or, if it was removed, the nearest control.
 * A text field is found only for a text field: otherwise the next key, meant as a shortcut, would be typed there.
 */
export function buildFind(active: Element | null): Find {
  const element = active && (findMenuButton(active) ?? active)
  if (!(element instanceof HTMLElement) || element === document.body) return () => undefined
  const container = element.closest<HTMLElement>('[data-focus="container"]')
  const levels = listLevels(element, container)
  const link = element.closest('nav') && element instanceof HTMLAnchorElement ? element : undefined
  const isTyping = element.matches(textFields)
  const mayTake: MayTake = control => isUsable(control) && (isTyping || !control.matches(textFields))
  const findAt = (level: Level) =>
    level.parent.querySelector<HTMLElement>('[data-focus="next"]') ?? findBeside(level, mayTake)
  return () => {
    if (isVisible(element)) return element
    const left = levels.filter(({ parent }) => parent.isConnected)
    const row = left.find(({ node }) => !node.isConnected)
    return (
      (link && findSameLink(link)) ??
      (row && (findEntry(row) ?? findInRow(row, mayTake))) ??
      left.map(findAt).find(Boolean) ??
      (container?.isConnected ? container : undefined)
    )
  }
}

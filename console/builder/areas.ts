/** Moves the focus between the areas of the builder: header, palette, canvas or steps, tools, panel and problems. */

const tabbable = 'a[href], button, input, select, textarea, [tabindex="0"]'

const isReachable = (element: HTMLElement) =>
  element.tabIndex >= 0 && !element.matches(':disabled') && element.getClientRects().length > 0

/** Where an area is entered: the step that is selected, otherwise its first control. */
function findEntry(area: HTMLElement): HTMLElement | undefined {
  const selected = area.querySelector<HTMLElement>('[data-step][aria-pressed="true"]')
  return selected ?? [...area.querySelectorAll<HTMLElement>(tabbable)].find(isReachable)
}

export function moveToArea(by: 1 | -1): void {
  const areas = [...document.querySelectorAll<HTMLElement>('[data-area]')]
  const at = areas.findIndex(area => area.contains(document.activeElement))
  const following =
    by === 1
      ? [...areas.slice(at + 1), ...areas.slice(0, Math.max(at, 0))]
      : [...areas.slice(0, Math.max(at, 0)).reverse(), ...areas.slice(at + 1).reverse()]
  for (const area of following) {
    const entry = findEntry(area)
    if (!entry) continue
    entry.focus()
    return
  }
}

/** The button on the page and the place of the frame, in a shadow root that styles of the page do not reach. */
import { adoptStyles, contrastOn } from './styles.ts'

export interface Appearance {
  accent: string
  position: 'left' | 'right'
  title?: string
  launcherText?: string | null
}

export interface Launcher {
  host: HTMLElement
  button: HTMLButtonElement
  /** Shows the state; `label` names the count, and `n` is the number of other chats below this one. */
  update(isOpen: boolean, unreadCount: number, label: string, n: number): void
  /** Loads the frame; a further call loads it again. The next update shows or hides it. */
  addFrame(url: string): HTMLIFrameElement
}

/** A speech bubble, and an arrow down. */
const chatIcon = 'M21 12a8 8 0 0 1-8 8H4l1.8-3.2A8 8 0 1 1 21 12Z'
const closeIcon = 'm6 9 6 6 6-6'

const create = <K extends keyof HTMLElementTagNameMap>(name: K) => document.createElement(name)
const createSvg = (name: string) => document.createElementNS('http://www.w3.org/2000/svg', name)

export function createLauncher({ accent, position, title, launcherText }: Appearance): Launcher {
  const host = create('div')
  const root = host.attachShadow({ mode: 'open' })
  const region = create('section')
  const button = create('button')
  const badge = create('b')
  const icon = createSvg('svg')
  const path = createSvg('path')
  const name = title || 'Chat'
  adoptStyles(root)
  host.style[position] = '16px'
  host.style.setProperty('--accent', accent)
  host.style.setProperty('--on-accent', contrastOn(accent))
  region.ariaLabel = name
  icon.append(path)
  button.append(icon, launcherText ?? '', badge)
  region.append(button)
  root.append(region)

  let frame: HTMLIFrameElement | undefined
  return {
    host,
    button,
    update: (isOpen, count, label, n) => {
      const text = launcherText || name
      button.ariaExpanded = String(isOpen)
      button.ariaLabel = count ? `${text}, ${label}` : text
      path.setAttribute('d', isOpen ? closeIcon : chatIcon)
      badge.textContent = count > 99 ? '99+' : String(count)
      badge.hidden = !count || isOpen
      frame?.classList.toggle('shut', !isOpen)
      host.style.setProperty('--n', String(n))
      // The buttons of other chats are not above an open one.
      host.style.zIndex = isOpen ? '2147483001' : '2147483000'
    },
    addFrame: url => {
      frame?.remove()
      frame = create('iframe')
      frame.title = name
      frame.style[position] = '16px'
      frame.src = url
      region.prepend(frame)
      return frame
    },
  }
}

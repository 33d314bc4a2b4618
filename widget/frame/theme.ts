/** Colours of the inbox, adapted so that text on and in them can be read. */
import type { Theme } from '../protocol.ts'

const backgrounds = { light: '#ffffff', dark: '#12161c' }
/** Used in place of an accent that could not be read on the background. */
const accents = { light: '#2b59c3', dark: '#8fadff' }

const darkPreferred = matchMedia('(prefers-color-scheme: dark)')
let current: { theme: Theme; accent: string } = { theme: 'auto', accent: accents.light }
darkPreferred.addEventListener('change', apply)

export function applyTheme(theme: Theme, accent = accents.light): void {
  current = { theme, accent: /^#[\da-f]{6}$/i.test(accent) ? accent : accents.light }
  apply()
}

function apply(): void {
  const { theme, accent } = current
  const scheme = theme === 'auto' ? (darkPreferred.matches ? 'dark' : 'light') : theme
  const background = backgrounds[scheme]
  const { dataset, style } = document.documentElement
  dataset.theme = scheme
  style.setProperty('--brand', accent)
  style.setProperty('--on-brand', getContrast(accent, '#ffffff') >= 4.5 ? '#ffffff' : '#000000')
  style.setProperty('--accent', getContrast(accent, background) >= 4.5 ? accent : accents[scheme])
}

function getLuminance(colour: string): number {
  const [r, g, b] = [1, 3, 5].map(at => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * r! + 0.7152 * g! + 0.0722 * b!
}

function getContrast(a: string, b: string): number {
  const [light, dark] = [getLuminance(a), getLuminance(b)].sort((x, y) => y - x)
  return (light! + 0.05) / (dark! + 0.05)
}

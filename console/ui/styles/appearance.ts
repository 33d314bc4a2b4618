/** Applies theme, contrast, density and motion: the user's choice, otherwise the system's. */
import { createStore } from '../../app/store.ts'

export interface Appearance {
  theme: 'system' | 'light' | 'dark'
  contrast: 'system' | 'more'
  density: 'comfortable' | 'compact'
  motion: 'system' | 'reduce'
}

const key = 'parley.appearance'
const initial: Appearance = { theme: 'system', contrast: 'system', density: 'comfortable', motion: 'system' }

function load(): Appearance {
  try {
    return { ...initial, ...(JSON.parse(localStorage.getItem(key) ?? '{}') as Partial<Appearance>) }
  } catch {
    return initial
  }
}

export const appearance = createStore(load())

const moreContrast = matchMedia('(prefers-contrast: more)')
const lessMotion = matchMedia('(prefers-reduced-motion: reduce)')

function apply(): void {
  const { theme, contrast, density, motion } = appearance.get()
  const { dataset } = document.documentElement
  dataset.theme = theme
  dataset.density = density
  dataset.contrast = contrast === 'more' || moreContrast.matches ? 'more' : 'normal'
  dataset.motion = motion === 'reduce' || lessMotion.matches ? 'reduce' : 'full'
}

/** Must run before the first render. */
export function startAppearance(): void {
  apply()
  appearance.subscribe(() => {
    localStorage.setItem(key, JSON.stringify(appearance.get()))
    apply()
  })
  for (const query of [moreContrast, lessMotion]) query.addEventListener('change', apply)
}

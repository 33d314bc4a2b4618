/** Draws the ratios of a run as bars, each with its target. */
import type { Measurement } from './environment.ts'

const [left, width, line] = [430, 320, 22]
const escapeXml = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

/** Parses a target such as "≥ 0.6" or "at most 1.3"; a time "under" a limit is a ratio below 1. */
export function parseTarget(wanted: string): { atLeast: boolean; bound: number } | undefined {
  if (wanted.startsWith('under')) return { atLeast: false, bound: 1 }
  const match = /(≥|>=|at least|≤|<=|at most)\s*([\d.]+)/.exec(wanted)
  return match ? { atLeast: /≥|>=|least/.test(match[1]!), bound: Number(match[2]) } : undefined
}

export function plot(title: string, measurements: readonly Measurement[]): string {
  const drawn = measurements.flatMap(({ name, ratio, wanted }) => {
    const target = parseTarget(wanted)
    return target && target.bound > 0 && Number.isFinite(ratio) ? [{ name, ratio, target }] : []
  })
  // Every bar is drawn in units of its own bound, so that one line marks all targets.
  const scale = (value: number) => Math.min(3, value) * (width / 3)
  const bars = drawn.map(({ name, ratio, target }, n) => {
    const y = 40 + n * line
    const share = ratio / target.bound
    const met = target.atLeast ? share >= 1 : share <= 1
    return `<text x="${left - 8}" y="${y + 11}" text-anchor="end">${escapeXml(name)}</text>
<rect x="${left}" y="${y}" width="${scale(share).toFixed(1)}" height="14" fill="${met ? '#3a7d44' : '#b3392f'}"/>
<text x="${left + scale(share) + 6}" y="${y + 11}">${ratio} (${target.atLeast ? '≥' : '≤'} ${target.bound})</text>`
  })
  const height = 50 + drawn.length * line
  const goal = left + scale(1)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 160}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/><text x="8" y="20" font-size="14">${escapeXml(title)}</text>
${bars.join('\n')}
<line x1="${goal}" y1="30" x2="${goal}" y2="${height - 8}" stroke="#333" stroke-dasharray="4 3"/>
</svg>
`
}

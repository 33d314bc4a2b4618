/** The ratios of a run as bars, each beside what is wanted of it. */
import type { Measurement } from './environment.ts'

const [left, width, line] = [430, 320, 22]
const inXml = (text: string) => text.replace(/[&<>"]/g, character => `&#${character.charCodeAt(0)};`)

/** What a wish such as "≥ 0.6" or "at most 1.3" says of the ratio; a time that must be "under" a limit is a ratio below 1. */
export function formatTarget(wanted: string): { atLeast: boolean; bound: number } | undefined {
  if (wanted.startsWith('under')) return { atLeast: false, bound: 1 }
  const found = /(≥|>=|at least|≤|<=|at most)\s*([\d.]+)/.exec(wanted)
  return found ? { atLeast: /≥|>=|least/.test(found[1]!), bound: Number(found[2]) } : undefined
}

export function plot(title: string, measurements: readonly Measurement[]): string {
  const shown = measurements.flatMap(one => {
    const wanted = formatTarget(one.wanted)
    return wanted && wanted.bound > 0 && Number.isFinite(one.ratio) ? [{ ...one, of: wanted }] : []
  })
  // Every bar is drawn in units of its own bound, so that one line through all of them is the goal.
  const scale = (value: number) => Math.min(3, value) * (width / 3)
  const bars = shown.map(({ name, ratio, of }, n) => {
    const y = 40 + n * line
    const share = ratio / of.bound
    const kept = of.atLeast ? share >= 1 : share <= 1
    return `<text x="${left - 8}" y="${y + 11}" text-anchor="end">${inXml(name)}</text>
<rect x="${left}" y="${y}" width="${scale(share).toFixed(1)}" height="14" fill="${kept ? '#3a7d44' : '#b3392f'}"/>
<text x="${left + scale(share) + 6}" y="${y + 11}">${ratio} (${of.atLeast ? '≥' : '≤'} ${of.bound})</text>`
  })
  const height = 50 + shown.length * line
  const goal = left + scale(1)
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 160}" height="${height}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/><text x="8" y="20" font-size="14">${inXml(title)}</text>
${bars.join('\n')}
<line x1="${goal}" y1="30" x2="${goal}" y2="${height - 8}" stroke="#333" stroke-dasharray="4 3"/>
</svg>
`
}

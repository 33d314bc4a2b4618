/** Renders the times of each operation by table size: a Markdown table, and curves on two logarithmic scales. */
export interface Point {
  size: number
  p50: number
  p99: number
}
export interface Curve {
  name: string
  points: Point[]
}

const count = (size: number) => size.toLocaleString('en')
const ms = (value: number) => Number(value.toPrecision(3))

export function toTable(curves: readonly Curve[]): string {
  const sizes = curves[0]!.points.map(point => point.size)
  const cell = ({ p50, p99 }: Point, first: Point) =>
    `${ms(p50)} / ${ms(p99)}${first.p50 === p50 ? '' : ` (${(p50 / first.p50).toFixed(2)})`}`
  const row = ({ name, points }: Curve) =>
    `| ${name} | ${points.map(point => cell(point, points[0]!)).join(' | ')} |`
  return [
    `| p50 / p99 in ms (p50 against the smallest) | ${sizes.map(count).join(' | ')} |`,
    `|---|${sizes.map(() => '---').join('|')}|`,
    ...curves.map(row),
  ].join('\n')
}

const colours = [
  '#1b6ca8',
  '#b3392f',
  '#3a7d44',
  '#8e5aa8',
  '#c27a1a',
  '#3b3b3b',
  '#1a9c9c',
  '#a83b78',
  '#6b7d1a',
  '#d1638c',
  '#5c4a3d',
]
const [left, top, width, height] = [60, 40, 420, 340]

export function toCurves(title: string, curves: readonly Curve[]): string {
  const points = curves.flatMap(curve => curve.points)
  const log = (value: number) => Math.log10(value)
  const sizes = points.map(point => log(point.size))
  const [first, last] = [Math.min(...sizes), Math.max(...sizes)]
  const low = Math.floor(Math.min(...points.map(point => log(point.p50))))
  const high = Math.ceil(Math.max(...points.map(point => log(point.p99))))
  const x = (size: number) => (left + ((log(size) - first) / Math.max(1, last - first)) * width).toFixed(1)
  const y = (value: number) => (top + ((high - log(value)) / (high - low)) * height).toFixed(1)
  const line = ({ points: own }: Curve, n: number, which: 'p50' | 'p99') =>
    `<polyline fill="none" stroke="${colours[n % colours.length]}" stroke-width="${which === 'p50' ? 2 : 1}"${
      which === 'p50' ? '' : ' stroke-dasharray="3 3"'
    } points="${own.map(point => `${x(point.size)},${y(point[which])}`).join(' ')}"/>`
  const label = ({ name }: Curve, n: number) =>
    `<text x="${left + width + 16}" y="${top + 14 + n * 18}" fill="${colours[n % colours.length]}">${name}</text>`
  const across = Array.from({ length: high - low + 1 }, (_, n) => 10 ** (low + n)).map(
    value =>
      `<line x1="${left}" x2="${left + width}" y1="${y(value)}" y2="${y(value)}" stroke="#ddd"/><text x="${left - 6}" y="${y(value)}" text-anchor="end">${value} ms</text>`,
  )
  const down = [...new Set(points.map(point => point.size))].map(
    size => `<text x="${x(size)}" y="${top + height + 18}" text-anchor="middle">${count(size)}</text>`,
  )
  const lines = curves.flatMap((curve, n) => [line(curve, n, 'p50'), line(curve, n, 'p99'), label(curve, n)])
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${left + width + 300}" height="${top + height + 40}" font-family="sans-serif" font-size="12">
<rect width="100%" height="100%" fill="white"/><text x="8" y="20" font-size="14">${title}: p50, and p99 dashed</text>
${[...across, ...down, ...lines].join('\n')}
</svg>
`
}

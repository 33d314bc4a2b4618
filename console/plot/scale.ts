/** Positions and labels of an axis that begins at zero. */

/** Returns round multiples of the unit from zero to at least `max`, at most six of them. */
export function listTicks(max: number, unit = 1): number[] {
  if (unit !== 1) return listTicks(max / unit).map(tick => tick * unit)
  if (max <= 0) return [0, 1]
  const rough = max / 4
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = Math.max(1, [1, 2, 5, 10].map(factor => factor * power).find(size => size >= rough)!)
  const count = Math.ceil(max / step)
  return Array.from({ length: count + 1 }, (_, position) => position * step)
}

/** Returns at most `count` positions at equal distances, from the first one on. */
export function pickLabels(length: number, count: number): number[] {
  const step = Math.max(1, Math.ceil((length - 1) / (count - 1)))
  return Array.from({ length: Math.ceil(length / step) }, (_, n) => n * step)
}

/** Returns the position of the value that is nearest to `x`. The values rise. */
export function findNearest(values: readonly number[], x: number): number {
  let nearest = 0
  for (let i = 1; i < values.length; i++)
    if (Math.abs(values[i]! - x) < Math.abs(values[nearest]! - x)) nearest = i
  return nearest
}

/**
 * In which row of a file each phone number came first: twelve bytes a place, so that a million numbers take a few
 * tens of megabytes. A number is two halves of nine digits; no phone number has more than eighteen.
 */
export interface SeenPhones {
  /** The row in which the number came first; the one given, when it is new. */
  add(phone: string, row: number): number
}

const maxLoad = 0.7

/** `expected` is how many there may be: growing later would hold up everybody else for a moment. */
export function seenPhones(expected = 0): SeenPhones {
  let places = 1 << Math.max(10, Math.ceil(Math.log2((expected + 1) / maxLoad)))
  let high = new Uint32Array(places)
  let low = new Uint32Array(places)
  let rows = new Uint32Array(places) // 0 where nothing is
  let used = 0

  /** Where the number is, or would be. */
  function find(a: number, b: number): number {
    const mask = places - 1
    let place = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) >>> 0
    place = (place ^ (place >>> 15)) & mask
    while (rows[place] !== 0 && (high[place] !== a || low[place] !== b)) place = (place + 1) & mask
    return place
  }

  function grow(): void {
    const before = { high, low, rows }
    places *= 2
    high = new Uint32Array(places)
    low = new Uint32Array(places)
    rows = new Uint32Array(places)
    for (const [i, row] of before.rows.entries()) {
      if (row === 0) continue
      const place = find(before.high[i]!, before.low[i]!)
      high[place] = before.high[i]!
      low[place] = before.low[i]!
      rows[place] = row
    }
  }

  return {
    add(phone, row) {
      const a = Number(phone.slice(1, 10))
      const b = Number(`1${phone.slice(10)}`) // the 1 keeps leading zeros and the length
      const place = find(a, b)
      if (rows[place] !== 0) return rows[place]!
      high[place] = a
      low[place] = b
      rows[place] = row
      if (++used > places * maxLoad) grow()
      return row
    },
  }
}

/**
 * Hash table from phone numbers to the row of their first occurrence. Twelve bytes per slot keep a million numbers in a
 * few tens of megabytes. A number is stored as two halves of nine digits; no phone number has more than eighteen.
 */
export interface SeenPhones {
  /** Returns the row of the first occurrence: the given row when the number is new. */
  add(phone: string, row: number): number
}

const maxLoad = 0.7

/** `expected` is the number of phone numbers: growing the table later would block the process for a moment. */
export function seenPhones(expected = 0): SeenPhones {
  let slots = 1 << Math.max(10, Math.ceil(Math.log2((expected + 1) / maxLoad)))
  let high = new Uint32Array(slots)
  let low = new Uint32Array(slots)
  let rows = new Uint32Array(slots) // 0 in free slots
  let used = 0

  /** Returns the slot of the number, or the free slot for it. */
  function find(a: number, b: number): number {
    const mask = slots - 1
    let slot = Math.imul(Math.imul(a, 0x9e3779b1) ^ b, 0x85ebca6b) >>> 0
    slot = (slot ^ (slot >>> 15)) & mask
    while (rows[slot] !== 0 && (high[slot] !== a || low[slot] !== b)) slot = (slot + 1) & mask
    return slot
  }

  function grow(): void {
    const previous = { high, low, rows }
    slots *= 2
    high = new Uint32Array(slots)
    low = new Uint32Array(slots)
    rows = new Uint32Array(slots)
    for (const [i, row] of previous.rows.entries()) {
      if (row === 0) continue
      const slot = find(previous.high[i]!, previous.low[i]!)
      high[slot] = previous.high[i]!
      low[slot] = previous.low[i]!
      rows[slot] = row
    }
  }

  return {
    add(phone, row) {
      const a = Number(phone.slice(1, 10))
      const b = Number(`1${phone.slice(10)}`) // the 1 keeps leading zeros and the length
      const slot = find(a, b)
      if (rows[slot] !== 0) return rows[slot]!
      high[slot] = a
      low[slot] = b
      rows[slot] = row
      if (++used > slots * maxLoad) grow()
      return row
    },
  }
}

/** Priority queue by due time; items with the same due time are returned in insertion order. */
export interface HeapItem {
  due: number
  order: number
}

const before = (a: HeapItem, b: HeapItem) => a.due < b.due || (a.due === b.due && a.order < b.order)

export class Heap<T extends HeapItem> {
  #items: T[] = []

  get first(): T | undefined {
    return this.#items[0]
  }

  push(item: T): void {
    const items = this.#items
    let at = items.push(item) - 1
    while (at > 0) {
      const parent = (at - 1) >> 1
      if (!before(item, items[parent]!)) break
      items[at] = items[parent]!
      at = parent
    }
    items[at] = item
  }

  pop(): T | undefined {
    const first = this.#items[0]
    const last = this.#items.pop()
    if (last !== undefined && last !== first) this.#sink(last)
    return first
  }

  /** Applies `change` to all items and restores the order. */
  updateAll(change: (item: T) => void): void {
    const items = this.#items
    this.#items = []
    for (const item of items) {
      change(item)
      this.push(item)
    }
  }

  clear(): void {
    this.#items = []
  }

  #sink(item: T): void {
    const items = this.#items
    let at = 0
    for (;;) {
      let child = at * 2 + 1
      if (child >= items.length) break
      if (child + 1 < items.length && before(items[child + 1]!, items[child]!)) child += 1
      if (!before(items[child]!, item)) break
      items[at] = items[child]!
      at = child
    }
    items[at] = item
  }
}

/**
 * A batch of messages as NOTIFY payloads: one text, cut where PostgreSQL's limit of 8,000 bytes wants it. The slices
 * of a batch are sent in one transaction, so a listener gets them in order and without others' in between.
 */
export type MessageBatch = [topic: string, message: object][]

const maxPayloadLength = 7_900

let batches = 0

export function toPayloads(origin: string, parcel: MessageBatch): string[] {
  const batch = ++batches
  // Escaped to ASCII, a character is a byte and may be cut anywhere.
  const text = JSON.stringify(parcel).replace(
    /[\u0080-\uffff]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  const count = Math.max(1, Math.ceil(text.length / maxPayloadLength))
  return Array.from({ length: count }, (_, index) => {
    const part = text.slice(index * maxPayloadLength, (index + 1) * maxPayloadLength)
    return `${origin} ${batch} ${index} ${count} ${part}`
  })
}

export interface PayloadAssembler {
  /** The batch that this slice completes; undefined while there is more to come, or after a slice was missed. */
  add(payload: string): MessageBatch | undefined
}

/** Puts the batches of other senders together and leaves out our own, which listeners here have already heard. */
export function payloadAssembler(ownOrigin: string): PayloadAssembler {
  const unfinished = new Map<string, { batch: string; parts: string[] }>()
  return {
    add(payload) {
      const header = /^(\S+) (\d+) (\d+) (\d+) /.exec(payload)
      if (!header) return undefined
      const [prefix, origin = '', batch = '', index, count] = header
      if (origin === ownOrigin) return undefined
      if (index === '0') unfinished.set(origin, { batch, parts: [] })
      const current = unfinished.get(origin)
      if (!current || current.batch !== batch || current.parts.length !== Number(index)) return undefined
      current.parts.push(payload.slice(prefix.length))
      if (current.parts.length < Number(count)) return undefined
      unfinished.delete(origin)
      return JSON.parse(current.parts.join('')) as MessageBatch
    },
  }
}

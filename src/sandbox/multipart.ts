/** Reads multipart bodies as they arrive, so that a large upload is never held in memory. */
export type Piece =
  | { name: string; filename: string | undefined; type: string | undefined }
  | { data: Buffer }

export class BadMultipart extends Error {}

const mostHeaderBytes = 16 << 10

export function boundaryOf(contentType: string | undefined): string {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/.exec(contentType ?? '')
  if (!match) throw new BadMultipart('no boundary')
  return (match[1] ?? match[2])!
}

function headOf(text: string): Piece {
  const disposition = /^content-disposition:(.*)$/im.exec(text)?.[1] ?? ''
  return {
    name: /\bname="([^"]*)"/.exec(disposition)?.[1] ?? '',
    filename: /\bfilename="([^"]*)"/.exec(disposition)?.[1],
    type: /^content-type:\s*(.*?)\s*$/im.exec(text)?.[1],
  }
}

interface Reading {
  /** what has not been handed on yet */
  rest: Buffer
  inside: 'preamble' | 'mark' | 'head' | 'data' | 'end'
  delimiter: Buffer
}

/** Takes the next piece out of what is there; undefined when more has to arrive first. */
function next(reading: Reading): Piece | 'skipped' | undefined {
  const { rest, delimiter } = reading
  if (reading.inside === 'end') return undefined
  if (reading.inside === 'mark') {
    if (rest.length < 2) return undefined
    reading.inside = rest.subarray(0, 2).toString() === '--' ? 'end' : 'head'
    return 'skipped'
  }
  if (reading.inside === 'head') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0 && rest.length > mostHeaderBytes) throw new BadMultipart('the head of a part is too long')
    if (end < 0) return undefined
    reading.inside = 'data'
    reading.rest = rest.subarray(end + 4)
    return headOf(rest.subarray(0, end).toString())
  }
  return dataOf(reading, rest.indexOf(delimiter))
}

function dataOf(reading: Reading, end: number): Piece | 'skipped' | undefined {
  const { rest, delimiter, inside } = reading
  // A delimiter may be cut in two by the network, so its length stays back.
  const upTo = end < 0 ? rest.length - delimiter.length : end
  if (end < 0 && upTo <= 0) return undefined
  reading.rest = rest.subarray(end < 0 ? upTo : end + delimiter.length)
  if (end >= 0) reading.inside = 'mark'
  return inside === 'data' && upTo > 0 ? { data: rest.subarray(0, upTo) } : 'skipped'
}

const isAtEnd = (reading: Reading): boolean => reading.inside === 'end'

export async function* readMultipart(
  stream: AsyncIterable<Buffer>,
  contentType: string | undefined,
): AsyncGenerator<Piece> {
  const reading: Reading = {
    rest: Buffer.from('\r\n'),
    inside: 'preamble',
    delimiter: Buffer.from(`\r\n--${boundaryOf(contentType)}`),
  }
  for await (const chunk of stream) {
    if (isAtEnd(reading)) continue
    reading.rest = Buffer.concat([reading.rest, chunk])
    for (let piece = next(reading); piece !== undefined; piece = next(reading))
      if (piece !== 'skipped') yield piece
  }
  if (!isAtEnd(reading)) throw new BadMultipart('the body ends too early')
}

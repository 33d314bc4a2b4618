/** Reads multipart bodies as they arrive, so that a large upload is never held in memory. */
export type MultipartChunk =
  | { name: string; filename: string | undefined; type: string | undefined }
  | { data: Buffer }

export class InvalidMultipart extends Error {}

const maxHeaderBytes = 16 << 10

export function parseBoundary(contentType: string | undefined): string {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/.exec(contentType ?? '')
  if (!match) throw new InvalidMultipart('no boundary')
  return (match[1] ?? match[2])!
}

function parsePartHeader(text: string): MultipartChunk {
  const disposition = /^content-disposition:(.*)$/im.exec(text)?.[1] ?? ''
  return {
    name: /\bname="([^"]*)"/.exec(disposition)?.[1] ?? '',
    filename: /\bfilename="([^"]*)"/.exec(disposition)?.[1],
    type: /^content-type:\s*(.*?)\s*$/im.exec(text)?.[1],
  }
}

interface ParserState {
  /** what has not been handed on yet */
  buffer: Buffer
  state: 'preamble' | 'mark' | 'head' | 'data' | 'end'
  delimiter: Buffer
}

/** Takes the next piece out of what is there; undefined when more has to arrive first. */
function next(reading: ParserState): MultipartChunk | 'skipped' | undefined {
  const { buffer: rest, delimiter } = reading
  if (reading.state === 'end') return undefined
  if (reading.state === 'mark') {
    if (rest.length < 2) return undefined
    reading.state = rest.subarray(0, 2).toString() === '--' ? 'end' : 'head'
    return 'skipped'
  }
  if (reading.state === 'head') {
    const end = rest.indexOf('\r\n\r\n')
    if (end < 0 && rest.length > maxHeaderBytes) throw new InvalidMultipart('the head of a part is too long')
    if (end < 0) return undefined
    reading.state = 'data'
    reading.buffer = rest.subarray(end + 4)
    return parsePartHeader(rest.subarray(0, end).toString())
  }
  return takeData(reading, rest.indexOf(delimiter))
}

function takeData(reading: ParserState, end: number): MultipartChunk | 'skipped' | undefined {
  const { buffer: rest, delimiter, state: inside } = reading
  // A delimiter may be cut in two by the network, so its length stays back.
  const upTo = end < 0 ? rest.length - delimiter.length : end
  if (end < 0 && upTo <= 0) return undefined
  reading.buffer = rest.subarray(end < 0 ? upTo : end + delimiter.length)
  if (end >= 0) reading.state = 'mark'
  return inside === 'data' && upTo > 0 ? { data: rest.subarray(0, upTo) } : 'skipped'
}

const isAtEnd = (reading: ParserState): boolean => reading.state === 'end'

export async function* readMultipart(
  stream: AsyncIterable<Buffer>,
  contentType: string | undefined,
): AsyncGenerator<MultipartChunk> {
  const reading: ParserState = {
    buffer: Buffer.from('\r\n'),
    state: 'preamble',
    delimiter: Buffer.from(`\r\n--${parseBoundary(contentType)}`),
  }
  for await (const chunk of stream) {
    if (isAtEnd(reading)) continue
    reading.buffer = Buffer.concat([reading.buffer, chunk])
    for (let piece = next(reading); piece !== undefined; piece = next(reading))
      if (piece !== 'skipped') yield piece
  }
  if (!isAtEnd(reading)) throw new InvalidMultipart('the body ends too early')
}

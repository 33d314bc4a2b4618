/** Streaming multipart parser; large uploads are never held in memory. */
export type MultipartChunk =
  | { name: string; filename: string | undefined; type: string | undefined }
  | { data: Buffer }

export class InvalidMultipart extends Error {}

const maxHeaderBytes = 16 << 10

export function parseBoundary(contentType: string | undefined): string {
  const match = /boundary=(?:"([^"]+)"|([^;\s]+))/.exec(contentType ?? '')
  if (!match) throw new InvalidMultipart('the boundary is missing')
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
  /** bytes that were not returned yet */
  buffer: Buffer
  state: 'preamble' | 'afterDelimiter' | 'header' | 'data' | 'end'
  delimiter: Buffer
}

/** Takes the next chunk out of the buffer; undefined when more bytes are needed. */
function next(parser: ParserState): MultipartChunk | 'skipped' | undefined {
  const { buffer, delimiter } = parser
  if (parser.state === 'end') return undefined
  if (parser.state === 'afterDelimiter') {
    if (buffer.length < 2) return undefined
    parser.state = buffer.subarray(0, 2).toString() === '--' ? 'end' : 'header'
    return 'skipped'
  }
  if (parser.state === 'header') {
    const end = buffer.indexOf('\r\n\r\n')
    if (end < 0 && buffer.length > maxHeaderBytes) throw new InvalidMultipart('a part header is too long')
    if (end < 0) return undefined
    parser.state = 'data'
    parser.buffer = buffer.subarray(end + 4)
    return parsePartHeader(buffer.subarray(0, end).toString())
  }
  return takeData(parser, buffer.indexOf(delimiter))
}

function takeData(parser: ParserState, end: number): MultipartChunk | 'skipped' | undefined {
  const { buffer, delimiter, state } = parser
  // The delimiter may be split between network chunks, so that many bytes stay in the buffer.
  const upTo = end < 0 ? buffer.length - delimiter.length : end
  if (end < 0 && upTo <= 0) return undefined
  parser.buffer = buffer.subarray(end < 0 ? upTo : end + delimiter.length)
  if (end >= 0) parser.state = 'afterDelimiter'
  return state === 'data' && upTo > 0 ? { data: buffer.subarray(0, upTo) } : 'skipped'
}

const isAtEnd = (parser: ParserState): boolean => parser.state === 'end'

export async function* readMultipart(
  stream: AsyncIterable<Buffer>,
  contentType: string | undefined,
): AsyncGenerator<MultipartChunk> {
  const parser: ParserState = {
    buffer: Buffer.from('\r\n'),
    state: 'preamble',
    delimiter: Buffer.from(`\r\n--${parseBoundary(contentType)}`),
  }
  for await (const bytes of stream) {
    if (isAtEnd(parser)) continue
    parser.buffer = Buffer.concat([parser.buffer, bytes])
    for (let chunk = next(parser); chunk !== undefined; chunk = next(parser))
      if (chunk !== 'skipped') yield chunk
  }
  if (!isAtEnd(parser)) throw new InvalidMultipart('the body is incomplete')
}

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { within } from '../../../test/harness/wait.ts'
import { findHeader } from '../import/inspect-file.ts'
import { decodeCells, escapeFormula, joinNames, splitNames, toCsvCell, unescapeFormula } from './cells.ts'
import { decode, detectBinary, encodingDetector } from './encoding.ts'
import { type CsvRecord, maxRecordBytes, recordReader, TooManyUnclosedQuotes } from './records.ts'

const comma = 0x2c

function read(bytes: Buffer, cut: readonly number[] = [bytes.length], separator = comma): CsvRecord[] {
  const reader = recordReader(separator)
  const records: CsvRecord[] = []
  let at = 0
  for (let i = 0; at < bytes.length; i++) {
    const size = Math.max(1, cut[i % cut.length] ?? bytes.length)
    records.push(...reader.push(bytes.subarray(at, at + size)))
    at += size
  }
  return [...records, ...reader.end()]
}

const cells = (text: string, cut?: readonly number[]) =>
  read(Buffer.from(text), cut).map(record => record.error ?? decodeCells(record, 'utf-8'))

describe('records', () => {
  test.each([
    [
      'plain',
      'a,b\nc,d\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'no line end at the end',
      'a,b\nc,d',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    [
      'CRLF and CR',
      'a,b\r\nc,d\re,f',
      [
        ['a', 'b'],
        ['c', 'd'],
        ['e', 'f'],
      ],
    ],
    ['quoted separators, quotes and line ends', '"a,b","c""d","e\r\nf"\n', [['a,b', 'c"d', 'e\r\nf']]],
    [
      'empty cells',
      ',y\n"",x,\n',
      [
        ['', 'y'],
        ['', 'x', ''],
      ],
    ],
    [
      'lines without text are not records',
      '\n\na,b\n\r\n , \nc,d\n"",\n',
      [
        ['a', 'b'],
        ['c', 'd'],
      ],
    ],
    ['a quote inside a plain cell is a letter', 'a"b,5" pipe\n', [['a"b', '5" pipe']]],
    [
      'text after a quote rejects one row',
      'a,b\n"x"y,1\nc,d\n',
      [['a', 'b'], 'text after quote', ['c', 'd']],
    ],
    [
      'an unclosed quote rejects one row',
      'a,b\n1,"x\nc,d\ne,f\n',
      [['a', 'b'], 'unclosed quote', ['c', 'd'], ['e', 'f']],
    ],
    ['closed by the next quote', 'a,"b\nc,"d"\ne,f', ['text after quote', ['c', 'd'], ['e', 'f']]],
    ['nothing', '', []],
  ])('%s', (_name, text, wanted) => {
    expect(cells(text)).toEqual(wanted)
    expect(cells(text, [1])).toEqual(wanted)
  })

  test('any table is read back, in any chunks', () => {
    const cell = fc.oneof(
      fc.string({ unit: 'grapheme', maxLength: 8 }),
      fc.constantFrom('', '"', '""', ',', '\r\n', '\n', "'", '=1', ' x ', "'=1", "''=1", "'x ", '+', '\t'),
    )
    const table = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 6 })
    const cut = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 5 })
    fc.assert(
      fc.property(table, cut, fc.constantFrom('\n', '\r\n'), (rows, pieces, lineEnd) => {
        const text = rows.map(row => row.map(toCsvCell).join(',') + lineEnd).join('')
        expect(cells(text, pieces)).toEqual(rows.filter(row => row.some(Boolean)))
      }),
      { numRuns: 500 },
    )
  })

  test('any bytes give the same records in any chunks, each beginning where the previous one ended', () => {
    const bytes = fc
      .array(fc.constantFrom(...'a,"\n\r;x'), { maxLength: 60 })
      .map(letters => Buffer.from(letters.join('')))
    const cut = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 4 })
    const plain = (records: CsvRecord[]) =>
      records.map(({ bytes, error: fault, end, cells }) => [bytes.toString(), fault, end, cells])
    fc.assert(
      fc.property(bytes, cut, (file, pieces) => {
        const whole = read(file)
        expect(plain(read(file, pieces))).toEqual(plain(whole))
        for (const [i, { end }] of whole.entries()) {
          const rest = read(file.subarray(end)).map(record => record.end + end)
          expect(rest).toEqual(whole.slice(i + 1).map(record => record.end))
        }
      }),
      { numRuns: 1000 },
    )
  })

  test('a line that is too large is one bad row and is never buffered whole', () => {
    const big = Buffer.alloc(maxRecordBytes + 100_000, 'x')
    const file = Buffer.concat([Buffer.from('a,b\n'), big, Buffer.from('\r\nc,d\n'), big])
    const wanted = [undefined, 'too large', undefined, 'too large']
    expect(read(file).map(record => record.error)).toEqual(wanted)
    expect(read(file, [65_536]).map(record => record.error)).toEqual(wanted)
    expect(read(file, [65_536]).map(record => record.end)).toEqual(read(file).map(record => record.end))
  })

  test('a quote that is not closed within the maximum record size rejects one row', () => {
    const line = `${'y'.repeat(1000)},z\n`
    const file = Buffer.from(`a,b\n1,"x\n${line.repeat(maxRecordBytes / 1000 + 100)}`)
    const faults = read(file, [65_536]).map(record => record.error)
    expect(faults.slice(0, 3)).toEqual([undefined, 'unclosed quote', undefined])
    expect(faults.filter(Boolean)).toHaveLength(1)
    expect(read(file).map(record => record.error)).toEqual(faults)
  })

  test('a file with many unclosed quotes is rejected quickly', () => {
    const file = Buffer.from('x",y,"\n'.repeat(1_000_000))
    const began = performance.now()
    expect(() => read(file, [65_536])).toThrow(TooManyUnclosedQuotes)
    expect(performance.now() - began).toBeLessThan(within(5_000))
    const other = Buffer.from(`"${'x'.repeat(100)}",""",\n`.repeat(100_000))
    read(other, [65_536])
    expect(performance.now() - began).toBeLessThan(within(10_000))
  })
})

describe('cells', () => {
  test.each([
    ['=cmd|calc', "'=cmd|calc"],
    ['+1', "'+1"],
    ['-1', "'-1"],
    ['@x', "'@x"],
    ['\t=1', "'\t=1"],
    ['＝1', "'＝1"],
    [' =1', "' =1"],
    ["'=1", "''=1"],
    ["'t Hooft", "'t Hooft"],
    ["O'Brien", "O'Brien"],
    ['a ', "'a "],
  ])('%j is escaped as %j', (text, safe) => {
    expect(escapeFormula(text)).toBe(safe)
    expect(unescapeFormula(safe)).toBe(text)
  })

  test('no encoded text begins like a formula, and each is decoded to itself', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), text => {
        expect(escapeFormula(text)).not.toMatch(/^[=+\-@＝＋－＠\t\r\n]/)
        expect(unescapeFormula(escapeFormula(text))).toBe(text)
      }),
      { numRuns: 2000 },
    )
  })

  test('names of tags', () => {
    expect(splitNames('vip; new ,, old;')).toEqual(['vip', 'new', 'old'])
    expect(splitNames('"a,b"; "c ""d""", e"f, vip, vip')).toEqual(['a,b', 'c "d"', 'e"f', 'vip'])
    expect(splitNames('"half, open')).toEqual(['"half', 'open'])
    expect(splitNames(' ')).toEqual([])
  })

  test('any names are split as they were joined', () => {
    const name = fc.oneof(
      fc.string({ minLength: 1, unit: 'grapheme' }),
      fc.constantFrom('"', ',', ';', ' a', '=x', 'a"', '"a"'),
    )
    fc.assert(
      fc.property(fc.uniqueArray(name, { maxLength: 5 }), names => {
        const given = names.filter(one => one.trim() !== '')
        expect(splitNames(joinNames(given))).toEqual(given)
      }),
      { numRuns: 2000 },
    )
  })
})

describe('encoding', () => {
  const lettersOf = (bytes: Buffer, cut = bytes.length || 1) => {
    const watch = encodingDetector()
    for (let at = 0; at < bytes.length; at += cut) watch.push(bytes.subarray(at, at + cut))
    return watch.result()
  }

  test('UTF-8, also with chunks that end within a character', () => {
    const text = Buffer.from('name\nJosé 🙂 王伟\n')
    expect(lettersOf(text)).toEqual({ encoding: 'utf-8', mayBeInvalid: true })
    expect(lettersOf(text, 1)).toEqual({ encoding: 'utf-8', mayBeInvalid: true })
    expect(lettersOf(Buffer.from('plain'))).toEqual({ encoding: 'utf-8', mayBeInvalid: false })
  })

  test('Latin-1 and Windows-1252', () => {
    const text = Buffer.from([0x4a, 0x6f, 0x73, 0xe9, 0x20, 0x80, 0x20, 0x93, 0x78, 0x94])
    expect(lettersOf(text)).toEqual({ encoding: 'windows-1252', mayBeInvalid: false })
    expect(decode(text, 0, text.length, 'windows-1252')).toBe('José € “x”')
  })

  test('UTF-8 with a broken row stays UTF-8', () => {
    const text = Buffer.concat([Buffer.from('Zoë\nJosé\nJörg\n'), Buffer.from([0xe9, 0x0a])])
    expect(lettersOf(text)).toEqual({ encoding: 'utf-8', mayBeInvalid: true })
  })

  test('binary files', () => {
    expect(detectBinary(Buffer.from('PK\u0003\u0004rest'))).toMatch(/workbook/)
    expect(detectBinary(Buffer.from('name\n', 'utf16le'))).toBeDefined()
    expect(detectBinary(Buffer.from([0xff, 0xfe, 0x6e, 0]))).toMatch(/UTF-16/)
    expect(detectBinary(Buffer.from('name,phone\n'))).toBeUndefined()
  })
})

describe('separator', () => {
  test.each([
    ['name,phone\na,b\n', ','],
    ['name;phone;note, long\n', ';'],
    ['name\tphone\tx,y,z\n', '\t'],
    ['"na,me";phone\n', ';'],
    ['phone\n+1\n', ','],
    ['foo;bar;x,y\n', ';'],
  ])('%j', (text, separator) => {
    expect(String.fromCharCode(findHeader(Buffer.from(text), true)!.separator)).toBe(separator)
  })

  test('no header', () => {
    expect(findHeader(Buffer.from('\n\n'), true)).toBeUndefined()
  })
})

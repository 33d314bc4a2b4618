import { PNG } from 'pngjs'
import { describe, expect, test } from 'vitest'
import { detectInboundType, detectType } from './detect-type.ts'

const bytes = (...parts: (string | number[])[]) =>
  Buffer.concat(
    parts.map(part => (typeof part === 'string' ? Buffer.from(part, 'latin1') : Buffer.from(part))),
  )
const png = PNG.sync.write(new PNG({ width: 1, height: 1 }))
const jpeg = bytes([0xff, 0xd8, 0xff, 0xe0], 'rest')
const mp4 = (brand: string) => bytes([0, 0, 0, 24], 'ftyp', brand, [0, 0, 0, 0])
/** An archive with one stored file, as far as its local header and content go. */
const zip = (name: string, content: string) => {
  const header = Buffer.alloc(30)
  header.write('PK\x03\x04', 'latin1')
  header.writeUInt32LE(content.length, 18)
  header.writeUInt32LE(content.length, 22)
  header.writeUInt16LE(name.length, 26)
  return bytes([...header], name, content)
}
const contentTypes =
  '<Types><Override ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>'
const docx = zip('[Content_Types].xml', contentTypes)
const ogg = bytes('OggS', [0, 2], Array(20).fill(0), [1, 19], 'OpusHead', Array(11).fill(0))
const called = (filename: string, declared = 'application/octet-stream') => ({ filename, declared })

test.each([
  ['a.png', 'image/png', png, 'image/png', 'image'],
  ['a.jpeg', 'image/jpg', jpeg, 'image/jpeg', 'image'],
  ['anything', 'application/octet-stream', jpeg, 'image/jpeg', 'image'],
  ['a.pdf', 'application/pdf', bytes('%PDF-1.7'), 'application/pdf', 'document'],
  ['a.webp', 'image/webp', bytes('RIFF', [1, 2, 3, 4], 'WEBPVP8 '), 'image/webp', 'image'],
  ['a.mp4', 'video/mp4', mp4('isom'), 'video/mp4', 'video'],
  ['voice.m4a', 'audio/mp4', mp4('mp42'), 'audio/mp4', 'audio'],
  ['a.mp3', 'audio/mpeg', bytes([0xff, 0xfb, 0x90, 0x64]), 'audio/mpeg', 'audio'],
  ['a.aac', 'audio/aac', bytes([0xff, 0xf1, 0x50, 0x80]), 'audio/aac', 'audio'],
  ['a.opus', 'audio/ogg', ogg, 'audio/ogg', 'audio'],
  ['a.zip', 'application/zip', zip('zeros.bin', '0000'), 'application/zip', 'document'],
  ['a.docx', '', docx, 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'document'],
  ['notes.txt', 'text/plain; charset=utf-8', bytes('just words'), 'text/plain', 'document'],
  ['rows.csv', 'text/csv', bytes('a,b\n1,2'), 'text/csv', 'document'],
])('%s (%s) has the type of its bytes', async (filename, declared, head, mimeType, mediaType) => {
  expect(await detectType(head, { filename, declared })).toMatchObject({ mimeType, mediaType })
})

describe('refused', () => {
  test.each([
    ['a page', 'page.html', 'text/html', bytes('<!DOCTYPE html><p>')],
    ['a page that calls itself text', 'page.txt', 'text/plain', bytes('\n  <html><script>')],
    ['a page that calls itself an image', 'a.png', 'image/png', bytes('<script>alert(1)</script>')],
    ['a drawing', 'a.svg', 'image/svg+xml', bytes('<svg xmlns="…">')],
    ['a drawing without a name', 'a', '', bytes('<?xml version="1.0"?><svg>')],
    ['a page in UTF-16', 'a.txt', 'text/plain', Buffer.from('\ufeff<html>', 'utf16le')],
    ['a program named as an image', 'a.png', '', bytes('MZ\x90\x00')],
    ['a PDF named as an image', 'a.png', '', bytes('%PDF-1.7')],
    ['a PNG declared as JPEG', 'a', 'image/jpeg', png],
    ['a PNG named as JPEG', 'a.jpg', '', png],
    ['a film declared as sound of another kind', 'a.mp3', 'audio/mpeg', mp4('isom')],
    ['words without a name that says so', 'words', 'text/plain', bytes('words')],
    ['words without a type that says so', 'words.txt', 'application/octet-stream', bytes('words')],
    ['words named as sound', 'a.mp3', 'text/plain', bytes('words')],
    ['a program', 'setup.exe', 'application/x-msdownload', bytes('MZ\x90\x00')],
  ])('%s', async (_, filename, declared, head) => {
    expect(await detectType(head, { filename, declared })).toHaveProperty('refused')
  })
})

test('a customer’s file is kept whatever it claims, as what it is or as nothing in particular', async () => {
  expect(await detectInboundType(png, called('a.jpg', 'image/jpeg'))).toMatchObject({ mimeType: 'image/png' })
  for (const head of [bytes('<html>'), bytes('MZ\x90\x00')])
    expect(await detectInboundType(head, called('a.png', 'image/png'))).toEqual({
      mimeType: 'application/octet-stream',
      mediaType: 'document',
    })
})

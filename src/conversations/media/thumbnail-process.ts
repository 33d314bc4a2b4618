/** Child process that resizes one image: reads it from standard input, writes the thumbnail or picture, or nothing. */
import { buffer } from 'node:stream/consumers'
import { resizeImage } from './resize.ts'

const [, , mimeType = '', shape] = process.argv
const small = resizeImage(
  await buffer(process.stdin),
  mimeType,
  shape === 'picture' ? 'picture' : 'thumbnail',
)
if (small) process.stdout.write(small)

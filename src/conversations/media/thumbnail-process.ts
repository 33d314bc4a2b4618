/** Child process that resizes one image: reads it from standard input, writes the thumbnail or nothing. */
import { buffer } from 'node:stream/consumers'
import { resizeImage } from './resize.ts'

const small = resizeImage(await buffer(process.stdin), process.argv[2] ?? '')
if (small) process.stdout.write(small)

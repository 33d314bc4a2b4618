/** A process of its own, for one picture: its bytes come in, a thumbnail goes out, or nothing. */
import { buffer } from 'node:stream/consumers'
import { resizeImage } from './resize.ts'

const small = resizeImage(await buffer(process.stdin), process.argv[2] ?? '')
if (small) process.stdout.write(small)

/** `uploader.ts <url> <token> <uploads> <mebibytes>`: runs concurrent uploads, each sent in small chunks with pauses. */
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

const [url, token, uploads, mebibytes] = process.argv.slice(2) as [string, string, string, string]
const piece = Buffer.alloc(256 * 1024, 'x')
const head = Buffer.from(
  '--b\r\ncontent-disposition: form-data; name="file"; filename="large.pdf"\r\ncontent-type: application/pdf\r\n\r\n%PDF-1.7\n',
)
const tail = Buffer.from('\r\n--b--\r\n')
// Minus the multipart header, so that the total equals the limit.
const pieces = Number(mebibytes) * 4 - 1

async function upload(): Promise<void> {
  const length = head.length + pieces * piece.length + tail.length
  const call = request(url, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'multipart/form-data; boundary=b',
      'content-length': length,
    },
  })
  const answered = new Promise<number>((resolve, reject) => {
    call.on('response', answer => resolve(answer.resume().statusCode!)).on('error', reject)
  })
  call.write(head)
  for (let i = 0; i < pieces; i++) {
    if (!call.write(piece)) await new Promise(resolve => call.once('drain', resolve))
    await sleep(5)
  }
  call.end(tail)
  const status = await answered
  if (status !== 201) throw new Error(`the answer was ${status}`)
}

await Promise.all(Array.from({ length: Number(uploads) }, upload))
console.log(JSON.stringify({ uploads }))

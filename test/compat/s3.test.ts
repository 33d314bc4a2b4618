/** Tests the S3 blob store with an S3 server. */
import { Readable } from 'node:stream'
import { expect, test } from 'vitest'
import { s3Blobs } from '../../src/platform/blobs/s3.ts'
import { describeBlobs } from '../../src/platform/blobs/testing/describe-blobs.ts'
import { newFolder, removeFolder } from '../harness/folders.ts'
import { load } from './packages.ts'

const bucket = 'parley-blobs'

async function startServer() {
  const { default: S3rver } = await load('@20minutes/s3rver')
  const directory = await newFolder('s3')
  const configureBuckets = [{ name: bucket }]
  const server = new S3rver({
    port: 0,
    address: '127.0.0.1',
    silent: true,
    directory,
    configureBuckets,
    vhostBuckets: false,
  })
  const { port } = await server.run()
  return {
    endpoint: `http://127.0.0.1:${port}`,
    stop: async () => {
      await server.close()
      await removeFolder(directory)
    },
  }
}

const keys = { region: 'us-east-1', accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

const startS3 = async () => {
  const { endpoint, stop } = await startServer()
  const blobs = await s3Blobs({ ...keys, endpoint, bucket })
  await blobs.check()
  return {
    blobs,
    stop: async () => {
      blobs.close()
      await stop()
    },
  }
}

describeBlobs('S3', startS3, { writesInPlace: true, takesEndZeroForNone: true })

test('stores a blob of many parts; a failed upload leaves nothing', async () => {
  const { endpoint, stop } = await startServer()
  const blobs = await s3Blobs({ ...keys, endpoint, bucket })
  const piece = Buffer.alloc(1024 * 1024, 'p')
  const stored = await blobs.put('tn_1/large', Readable.from(Array.from({ length: 17 }, () => piece)))
  expect(stored.size).toBe(17 * piece.length)
  expect(await blobs.stat('tn_1/large')).toEqual({ size: stored.size })
  async function* failing() {
    for (let n = 0; n < 12; n++) yield piece
    throw new Error('line dropped')
  }
  await expect(blobs.put('tn_1/broken', Readable.from(failing()))).rejects.toThrow('line dropped')
  expect(await blobs.stat('tn_1/broken')).toBeNull()
  blobs.close()
  await stop()
})

test('check() fails for a missing bucket', async () => {
  const { endpoint, stop } = await startServer()
  const blobs = await s3Blobs({ ...keys, endpoint, bucket: 'another' })
  await expect(blobs.check()).rejects.toThrow()
  blobs.close()
  await stop()
})

import { setTimeout as sleep } from 'node:timers/promises'
import { defineCommand } from 'citty'
import { s3Blobs } from '../../platform/blobs/s3.ts'
import { readConfig } from '../../platform/config.ts'
import { command } from '../command.ts'
import { CliError } from '../errors.ts'
import { jsonFlag, print } from '../with-database.ts'

const create = command({
  meta: { name: 'create', description: 'Create the bucket of S3_BUCKET, if it does not exist' },
  args: {
    wait: { type: 'string', description: 'Seconds to wait for the store to respond', default: '0' },
    ...jsonFlag,
  },
  run: async ({ args }) => {
    const { s3 } = readConfig(process.env)
    if (!s3) throw new CliError('S3_BUCKET is not set')
    const blobs = await s3Blobs(s3)
    const deadline = performance.now() + Number(args.wait) * 1_000
    for (;;) {
      try {
        const created = await blobs.createBucket()
        print(args.json, { bucket: s3.bucket, created }, [
          created ? `created the bucket ${s3.bucket}` : `the bucket ${s3.bucket} exists`,
        ])
        return blobs.close()
      } catch (error) {
        const { name, message } = error as Error
        if (!(performance.now() < deadline))
          throw new CliError(
            `the bucket ${s3.bucket} cannot be created: ${message || name}; check the S3_ settings`,
          )
        await sleep(500)
      }
    }
  },
})

export const bucketCommand = defineCommand({
  meta: { name: 'bucket', description: 'The bucket of blobs' },
  subCommands: { create },
})

/** Tests that the hint beside a new password names the length that the service requires. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { de } from './de.ts'
import { en } from './en.ts'

const { paths } = JSON.parse(readFileSync(new URL('../../openapi.json', import.meta.url), 'utf8'))
const accept = paths['/auth/invitations/accept'].post.requestBody.content['application/json'].schema

describe('the hint beside a new password', () => {
  test.each([
    ['English', en],
    ['German', de],
  ])('has the shortest length of the contract (%s)', (_, { passwordHint }) => {
    expect(passwordHint.match(/\d+/g)).toEqual([String(accept.properties.password.minLength)])
  })
})

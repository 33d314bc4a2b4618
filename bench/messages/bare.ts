/**
 * Measures the limit: 32 plain connections, each sending the one statement that accepts a message, as fast as possible.
 * `node bare.ts <connection> <tenant> <user> <people> <seconds>`
 */

import pg from 'pg'
import { type ConnectionConfig, connectionConfig } from '../../src/platform/db/db.ts'
import { toStatement } from '../../src/platform/db/sql.ts'
import { accepting, toReply } from './accept.ts'

const [connection, tenantId, ownerId, people, seconds] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
]
const clients = 32

let count = 0
const end = performance.now() + Number(seconds) * 1000
await Promise.all(
  Array.from({ length: clients }, async () => {
    const client = new pg.Client(connectionConfig(JSON.parse(connection) as ConnectionConfig))
    await client.connect()
    while (performance.now() < end) {
      const { rows } = await client.query(
        toStatement(accepting([toReply({ tenantId, ownerId }, Math.floor(Math.random() * Number(people)))])),
      )
      if (rows.length !== 1) throw new Error('a message was not accepted')
      count++
    }
    await client.end()
  }),
)
console.log(JSON.stringify({ rate: count / Number(seconds) }))

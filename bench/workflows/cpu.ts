/** Measures CPU time. */
import { readdirSync, readFileSync } from 'node:fs'
import type { Queryable } from '../../src/platform/db/db.ts'
import { sql } from '../../src/platform/db/sql.ts'

/** CPU time of this process and of the database processes, those that have ended included, in ms. */
export async function cpuMs(db: Queryable): Promise<number> {
  const { user, system } = process.cpuUsage()
  const { pid } = await db.one<{ pid: number }>(sql`select pg_backend_pid() as pid`)
  const parentOf = (stat: string) => stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const stats = readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .flatMap(name => {
      try {
        return [{ pid: Number(name), fields: parentOf(readFileSync(`/proc/${name}/stat`, 'utf8')) }]
      } catch {
        return []
      }
    })
  const server = stats.find(one => one.pid === pid)?.fields[1]
  const own = ({ fields }: { fields: string[] }) => Number(fields[11]) + Number(fields[12])
  const ended = ({ fields }: { fields: string[] }) => Number(fields[13]) + Number(fields[14])
  const ticks = stats
    .map(one =>
      String(one.pid) === server ? own(one) + ended(one) : one.fields[1] === server ? own(one) : 0,
    )
    .reduce((sum, each) => sum + each, 0)
  return (user + system) / 1_000 + ticks * 10
}

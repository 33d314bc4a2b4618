import { afterEach, describe, expect, onTestFinished, test } from 'vitest'
import { testDatabase } from '../../../test/harness/database.ts'
import { connectDb } from './db.ts'
import { and, join, raw, sql, toStatement } from './sql.ts'
import { transact, transactPipelined } from './transact.ts'
import { isDatabaseUnavailable } from './unavailable.ts'

const { db, connection } = await testDatabase()
await db.run(sql`create table things (id int primary key, at timestamptz(3), n int8)`)
afterEach(() => db.run(sql`delete from things`))

describe('sql', () => {
  test('numbers parameters through nested fragments', () => {
    const where = and([sql`a = ${1}`, sql`b in (${join([sql`${2}`, sql`${3}`])})`])
    expect(toStatement(sql`select ${raw('x')} from t where ${where} limit ${9}`)).toMatchObject({
      text: 'select x from t where a = $1 and b in ($2, $3) limit $4',
      values: [1, 2, 3, 9],
    })
  })
  test('one text has one name, another text another', () => {
    const make = (id: number) => sql`select ${id}::int`
    expect(toStatement(make(1)).name).toBe(toStatement(make(2)).name)
    expect(toStatement(sql`select ${1}::int8`).name).not.toBe(toStatement(make(1)).name)
  })
})

describe('arrays', () => {
  test('arrive unchanged, whatever characters their texts have', async () => {
    const texts = [
      '',
      'NULL',
      'null',
      '{a,b}',
      ' "x" ',
      "it's",
      'a\\b',
      'a\\nb',
      'a\nb\tc\u0001',
      '\u2028é😀',
      JSON.stringify({ a: '"\n' }),
    ]
    for (const text of texts) {
      const { given } = await db.one<{ given: string[] }>(sql`select ${[text, 'z', null]}::text[] as given`)
      expect(given).toEqual([text, 'z', null])
    }
    expect(await db.one(sql`select ${texts}::text[] as given`)).toEqual({ given: texts })
  })
  test('hold numbers, booleans, nulls, times, bytes and nothing', async () => {
    const at = new Date('2026-03-01T10:00:00.120Z')
    expect(
      await db.one(sql`
        select ${[1, -2.5, null]}::float8[] as n, ${[true, false]}::boolean[] as b, ${[]}::text[] as empty,
          ${[Number.POSITIVE_INFINITY]}::float8[] as infinite, (${[at]}::timestamptz[])[1] as at,
          (${[Buffer.from('a')]}::bytea[])[1] as bytes, ${[[1], [2]]}::int[] as nested`),
    ).toEqual({
      n: [1, -2.5, null],
      b: [true, false],
      empty: [],
      infinite: [Number.POSITIVE_INFINITY],
      at: at.toISOString(),
      bytes: Buffer.from('a'),
      nested: [[1], [2]],
    })
  })
})

describe('Db', () => {
  test('rows come in wire form', async () => {
    await db.run(sql`insert into things values (${1}, ${'2026-03-01T10:00:00.120+02:00'}, ${2 ** 40})`)
    expect(await db.one(sql`select * from things`)).toEqual({
      id: 1,
      at: '2026-03-01T08:00:00.120Z',
      n: 2 ** 40,
    })
  })
  test('times have milliseconds, whatever PostgreSQL leaves out', async () => {
    const times = ['10:00:00', '10:00:00.1', '10:00:00.12', '10:00:00.123', '10:00:00.123456'].map(
      time => `2026-03-01T${time}Z`,
    )
    const read = await db.values<string>(
      sql`select at::timestamptz from unnest(${times}::text[]) with ordinality as t (at, n) order by n`,
    )
    expect(read.map(at => at.slice('2026-03-01T10:00:'.length))).toEqual([
      '00.000Z',
      '00.100Z',
      '00.120Z',
      '00.123Z',
      '00.123Z',
    ])
    expect(await db.value(sql`select '12026-03-01T10:00:00.5Z'::timestamptz`)).toBe(
      '12026-03-01T10:00:00.500Z',
    )
  })
  test('a statement that waits for a connection is answered when all connections are replaced', async () => {
    const other = connectDb({ connection, clock: db.clock })
    onTestFinished(() => other.close())
    const waiting = [other.one(sql`select 1 as n`), other.one(sql`select 2 as n`)]
    other.recycle()
    expect(await Promise.all(waiting)).toEqual([{ n: 1 }, { n: 2 }])
    expect(await other.one(sql`select 3 as n`)).toEqual({ n: 3 })
  })
  test('a thousand concurrent statements share the pipelined connections', async () => {
    const results = await Promise.all(
      Array.from({ length: 1000 }, (_, i) => db.one<{ n: number }>(sql`select ${i}::int as n`)),
    )
    expect(results.map(r => r.n)).toEqual(Array.from({ length: 1000 }, (_, i) => i))
  })
  test('a failing statement fails alone', async () => {
    const bad = db.rows(sql`select 1 / ${0}::int`)
    const good = db.rows(sql`select 1 as x`)
    await expect(bad).rejects.toThrow('division by zero')
    expect(await good).toEqual([{ x: 1 }])
  })
  test('connections that the server ended are replaced', async () => {
    await db.rows(sql`select 1`)
    await db.withClient(client =>
      client.query(
        'select pg_terminate_backend(pid) from pg_stat_activity where pid <> pg_backend_pid() and datname = current_database()',
      ),
    )
    const errors: unknown[] = []
    for (let i = 0; i < 50; i++) await db.rows(sql`select 1`).catch(error => errors.push(error))
    expect(errors.every(isDatabaseUnavailable)).toBe(true)
    expect(await db.rows(sql`select 2 as x`)).toEqual([{ x: 2 }])
  })
})

describe('transact', () => {
  const insert = (id: number) => sql`insert into things (id) values (${id})`
  test('commits, then runs the commit hooks', async () => {
    const seen: string[] = []
    await transact(db, async tx => {
      tx.afterCommit(() => seen.push('after'))
      await tx.run(insert(1))
      seen.push('inside')
    })
    expect(seen).toEqual(['inside', 'after'])
    expect(await db.rows(sql`select id from things`)).toHaveLength(1)
  })
  test('rolls back everything when the function throws', async () => {
    const hook = () => expect.unreachable()
    await expect(
      transact(db, async tx => {
        tx.afterCommit(hook)
        await tx.run(insert(1))
        throw new Error('no')
      }),
    ).rejects.toThrow('no')
    expect(await db.rows(sql`select id from things`)).toHaveLength(0)
  })
  test('an error that was swallowed inside does not count as a commit', async () => {
    const swallowed = transact(db, async tx => {
      await tx.run(insert(1))
      await tx.run(insert(1)).catch(() => {})
    })
    await expect(swallowed).rejects.toThrow()
    expect(await db.rows(sql`select id from things`)).toHaveLength(0)
  })
  test('a deadlock is retried until both have committed', async () => {
    await db.run(sql`insert into things (id, n) values (1, 0), (2, 0)`)
    const bump = (first: number, second: number) =>
      transact(db, async tx => {
        await tx.run(sql`update things set n = n + 1 where id = ${first}`)
        await new Promise(resolve => setTimeout(resolve, 50))
        await tx.run(sql`update things set n = n + 1 where id = ${second}`)
      })
    await Promise.all([bump(1, 2), bump(2, 1)])
    expect(await db.rows(sql`select n from things`)).toEqual([{ n: 2 }, { n: 2 }])
  })
})

describe('transactPipelined', () => {
  const insert = (id: number) => sql`insert into things (id) values (${id})`
  const ids = async () =>
    (await db.rows<{ id: number }>(sql`select id from things order by id`)).map(row => row.id)

  test('commits all statements in one round trip, then runs the commit hooks', async () => {
    const seen: unknown[] = []
    const sent = await transactPipelined(db, async tx => {
      tx.afterCommit(() => seen.push('committed'))
      const counts = await Promise.all([tx.run(insert(1)), tx.run(insert(2))])
      seen.push('sent')
      return counts
    })
    expect([sent, seen, await ids()]).toEqual([
      [1, 1],
      ['sent', 'committed'],
      [1, 2],
    ])
  })
  test('a failing statement rolls back the others and runs no commit hook', async () => {
    const hooks: unknown[] = []
    const failing = transactPipelined(db, async tx => {
      tx.afterCommit(() => hooks.push('committed'))
      await Promise.all([tx.run(insert(3)), tx.run(insert(3)), tx.run(insert(4))])
    })
    await expect(failing).rejects.toMatchObject({ code: '23505' })
    expect([await ids(), hooks]).toEqual([[], []])
    await transactPipelined(db, tx => tx.run(insert(5)))
    expect(await ids()).toEqual([5])
  })
  test('a statement after the commit is refused, not run outside the transaction', async () => {
    const late = transactPipelined(db, async tx => {
      await tx.run(insert(6))
      await tx.run(insert(7))
    })
    await expect(late).rejects.toThrow('after the commit')
    expect(await ids()).toEqual([6])
  })
})

/** The commands of the program on three cells. */
import { expect, test } from 'vitest'
import { startInstallation } from './cell-servers.ts'
import { parley } from './program.ts'

test('commands list, close and open cells, find the cell of a workspace, or run in all', async () => {
  const { json, env } = await startInstallation()
  expect(await json('migrate')).toEqual({ applied: [] })
  expect((await json('cell', 'list')).cells).toEqual([
    { name: 'one', home: true, reachable: true, open: true },
    { name: 'two', home: false, reachable: true, open: true },
    { name: 'three', home: false, reachable: true, open: true },
  ])
  for (const name of ['one', 'three']) await json('cell', 'close', name)
  const { tenantId } = await json('workspace', 'create', '--name', 'Placed', '--email', 'sam@example.com')
  expect(await json('directory', 'rebuild')).toMatchObject({
    cells: [
      { cell: 'one', workspaces: 0 },
      { cell: 'two', workspaces: 0, removed: 0 },
      { cell: 'three', workspaces: 0 },
    ],
  })
  await json('cell', 'open', 'one')
  expect((await json('cell', 'list')).cells.map(({ open }: { open: boolean }) => open)).toEqual([
    true,
    true,
    false,
  ])
  expect(await json('user', 'invite', '--tenant', tenantId, '--email', 'kim@example.com')).toMatchObject({
    role: 'agent',
  })
  expect(await json('jobs', 'list')).toEqual({ jobs: [] })
  expect((await json('adopt')).adopted.id).toMatch(/^database /)
  const ambiguous = await parley(['jobs', 'retry', '--id', '1'], env)
  expect(ambiguous).toMatchObject({ code: 1, stderr: expect.stringContaining('--id needs --cell') })
  const unknown = await parley(['jobs', 'list', '--cell', 'four'], env)
  expect(unknown).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('DATABASE_CELLS has one, two, three'),
  })
  const both = await parley(['jobs', 'list'], { ...env, DATABASE_URL: 'postgres://localhost/x' })
  expect(both).toMatchObject({ code: 1, stderr: expect.stringContaining('are both set') })
})

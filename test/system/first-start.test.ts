import { readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import { describe, expect, test } from 'vitest'
import { eventually, fresh, postgresIn, query, run, scratch, start } from './program.ts'

const root = scratch()

describe.concurrent('the first start', () => {
  test('creates a workspace and writes its credentials before the service is ready', async () => {
    const dataDir = fresh(root, 'first')
    const service = await start({ dataDir, prepared: false })
    await service.ready()
    const file = path.join(dataDir, 'credentials.json')
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(statSync(path.join(dataDir, 'secret.key')).mode & 0o777).toBe(0o600)
    expect(statSync(dataDir).mode & 0o777).toBe(0o700)
    const credentials = service.credentials()
    expect(credentials).toEqual({
      baseUrl: service.url,
      tenantId: expect.stringMatching(/^tn_/),
      owner: { email: expect.stringContaining('@'), password: expect.stringMatching(/^.{12,}$/) },
      apiKey: expect.stringMatching(/^pk_/),
    })
    // Prints no secret and logs no warning.
    await eventually(() => service.output().includes('curl'))
    for (const secret of [
      credentials.apiKey,
      credentials.owner.password,
      readFileSync(path.join(dataDir, 'secret.key'), 'utf8').trim(),
    ])
      expect(service.output() + service.errors()).not.toContain(secret)
    expect(service.log().filter(line => line.level !== 'info')).toEqual([])
    expect(service.errors()).toBe('')

    expect(await service.stop()).toEqual({ code: 0, signal: null })
    expect(await eventually(() => postgresIn(dataDir).length === 0)).toBe(true)

    // The second start keeps the workspace.
    const again = await start({ dataDir })
    await again.ready()
    expect(again.credentials()).toEqual({ ...credentials, baseUrl: again.url })
    expect(again.output()).not.toContain('curl')
    expect(await query(dataDir, 'select count(*)::int as n from tenants')).toEqual([{ n: 1 }])
    const { email, password } = credentials.owner
    const login = await fetch(`${again.url}/v1/auth/login`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ email, password }),
    })
    expect(login.status).toBe(200)
    expect(await login.json()).toMatchObject({ tokenType: 'Bearer', user: { role: 'owner' } })
  })

  test('prints three curl lines that can be pasted, for a path with a space and a quote', async () => {
    const dataDir = fresh(root, "Sam's $data dir")
    const service = await start({ dataDir })
    await service.ready()
    await eventually(() => service.output().includes('curl'))
    const lines = service
      .output()
      .split('\n')
      .filter(line => line.trim().startsWith('curl'))
    expect(lines).toHaveLength(3)
    for (const line of lines) {
      const { code, stdout, stderr } = await run('bash', [
        '-c',
        `${line.trim()} --show-error --fail-with-body`,
      ])
      expect(stderr).toBe('')
      expect(code, stdout).toBe(0)
      expect(JSON.parse(stdout)).toBeTypeOf('object')
    }
    expect(service.log().filter(line => line.level !== 'info')).toEqual([])
  })

  test('with port 0, writes the chosen port to the credentials', async () => {
    const dataDir = fresh(root, 'any-port')
    const service = await start({ dataDir, port: 0 })
    await eventually(() => service.output().includes('curl'), 120_000)
    const { baseUrl } = service.credentials()
    expect(baseUrl).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d+$/)
    expect((await fetch(`${baseUrl}/readyz`)).status).toBe(200)
    expect(await service.stop()).toEqual({ code: 0, signal: null })
  })
})
